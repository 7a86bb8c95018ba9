/** IIIF Authorization Flow 2.0 and Authentication 1.0: viewers of other sites show what people see who signed in. */
import { type Feature, routeGroup } from '../../core/feature.ts';
import type { AccessServicesOf } from '../../core/ports.ts';
import type { AccessTokens } from './access-tokens.ts';
import { type IiifAuthSettings, iiifAuthSettings } from './iiif-auth-settings.ts';

/** Whether there are settings of the sign-in, which are those of another feature. */
type SettingsWithSignIn = IiifAuthSettings & { readonly signIn?: unknown };

export const feature: Feature<SettingsWithSignIn> = {
  name: 'iiif-auth',
  settings: iiifAuthSettings,
  open: ({ settings: { signIn } }) => {
    // Who may come with credentials gets nothing from the fast path.
    if (signIn === undefined) return { add: () => ({}) };
    let tokens: AccessTokens | undefined;
    return {
      findSignedIn: [async (request) => tokens?.senderOf(request)],
      async add({ access: rules, ports, settings, contextPath, callers, libraryName }) {
        const { signInSessions: sessions } = ports;
        if (sessions === undefined) return {};
        const { iiifAuth, iiif, access } = settings;
        const { AccessTokens } = await import('./access-tokens.ts');
        const { iiifAuthRoutes } = await import('./iiif-auth-routes.ts');
        const { createServices } = await import('./services.ts');
        const { tokenMinutes, kiosk: hasKiosk } = iiifAuth;
        tokens = new AccessTokens({ sessions, contextPath, iiifPrefix: iiif.prefix, tokenMinutes });
        const parts = {
          ...{ sessions, tokens, callers, contextPath, libraryName, hasKiosk },
          allowedOrigins: new Set(access?.allowedOrigins),
          asks: iiifAuth.viewers === 'asked',
          rolesHeader: access?.rolesHeader?.toLowerCase() ?? '',
        };
        const accessServices: AccessServicesOf = async (base) =>
          createServices({ base, library: { names: await libraryName(), host: new URL(base).host }, hasKiosk });
        return {
          routes: [routeGroup('server', iiifAuthRoutes, parts)],
          describe: async () => (await import('./iiif-auth-openapi.ts')).iiifAuthApi(hasKiosk),
          // Without rules of access nothing is closed.
          ports: rules.isOn ? { accessServices } : {},
        };
      },
    };
  },
};
