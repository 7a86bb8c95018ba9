/** The sign-in: people at a provider of OpenID Connect or with passwords, machines by HTTP Basic, and sessions. */
import { type Feature, routeGroup } from '../../core/feature.ts';
import { trustProxies } from '../../core/http/origin.ts';
import { type SignInSettings, signInSettings } from './sign-in-settings.ts';

export const feature: Feature<SignInSettings> = {
  name: 'sign-in',
  settings: signInSettings,
  open({ settings: { signIn, http, redis }, logger }) {
    if (signIn === undefined) return { add: () => ({}) };
    const opening = import('./open-sign-in.ts').then(({ openSignIn }) =>
      openSignIn(signIn, { redis, trusted: trustProxies(http.trustedProxies), logger }),
    );
    return {
      findSignedIn: [
        async (request) => (await opening).sessions.signedIn(request),
        async (request) => (await opening).users?.basic(request),
      ],
      async add({ callers, contextPath }) {
        const { addSignInHooks, asksForPassword } = await import('./sign-in-hooks.ts');
        const { signInRoutes } = await import('./sign-in-routes.ts');
        const { signInApi } = await import('./sign-in-openapi.ts');
        const { signInSessions } = await import('./session-port.ts');
        const { sealing, sessions, provider, users, onFault } = await opening;
        const isCrossSite = signIn.crossSite;
        const parts = { ...{ sealing, sessions, provider, users }, contextPath, isCrossSite };
        const providerLabel = signIn.provider?.label;
        return {
          routes: [routeGroup('server', signInRoutes, { ...parts, callers, logger, onFault, providerLabel })],
          addHooks: (server) => addSignInHooks(server, parts),
          ...(users !== undefined && { hooksSee: asksForPassword(contextPath) }),
          describe: async () => signInApi(users !== undefined, provider !== undefined),
          ports: { signsIn: true, signInSessions: signInSessions(parts) },
        };
      },
      loadAhead: async () => (signIn.provider === undefined ? undefined : import('openid-client')),
      close: async () => (await opening).close(),
    };
  },
};
