/** Signed links: an image, a folder or one picture for one recipient, until a date. */
import { SettingsError } from '../../config/settings-error.ts';
import { type Feature, routeGroup } from '../../core/feature.ts';
import { type SignedLinksSettings, signedLinksSettings } from './signed-links-settings.ts';

export const feature: Feature<SignedLinksSettings> = {
  name: 'signed-links',
  settings: signedLinksSettings,
  open({ settings: { signedLinks, redis }, logger }) {
    if (signedLinks === undefined) return { add: () => ({}) };
    const { keysFile, usedFolder, maxDays } = signedLinks;
    const opening = import('./open-links.ts').then(({ openLinks }) =>
      openLinks({ keysFile, usedFolder, redis, logger }),
    );
    return {
      linksOf: async (request) => (await opening).sent.find(request),
      async add({ resources: { library }, access, callers, contextPath, iiifSlash }) {
        const { keys, sent, used } = await opening;
        sent.serveAt(contextPath);
        await keys().catch((error: unknown) => {
          throw new SettingsError([`signedLinks.keysFile: ${error instanceof Error ? error.message : String(error)}`]);
        });
        const { addLinkHooks } = await import('./link-hooks.ts');
        const { linksRoute } = await import('./links-route.ts');
        const canCount = used !== undefined;
        const making = { ...{ library, access, keys, maxDays, iiifSlash, canCount }, callers, contextPath };
        return {
          routes: [routeGroup('server', linksRoute, making)],
          hooksSee: (request) => sent.isInAddress(request),
          addHooks: (server) => addLinkHooks(server, { sent, used, contextPath }),
        };
      },
      close: async () => (await opening).close(),
    };
  },
};
