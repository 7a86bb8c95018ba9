/** The reading room: its pages and lists, a site's own pages, sitemaps, and links of digilib's viewers. */
import { fileURLToPath } from 'node:url';
import { readLogo } from '../../config/files/logo-file.ts';
import { readRobotsFile } from '../../config/files/robots-file.ts';
import { readTypeface } from '../../config/files/typeface-file.ts';
import { readUnitsFile } from '../../config/files/units-file.ts';
import { imageFolders } from '../../config/groups/library-settings.ts';
import { createCountedFolders } from '../../core/access/counted-folders.ts';
import { type Access, anyone } from '../../core/access/policy.ts';
import { createPublicFolders } from '../../core/access/public-folders.ts';
import { type Feature, routeGroup } from '../../core/feature.ts';
import { about } from '../../core/http/about.ts';
import { parseFrontPicture } from '../../core/image/folder/front-picture.ts';
import { noTexts } from '../../core/ports.ts';
import { browseRoutes } from './browse-routes.ts';
import { createDescribePage } from './describe-page.ts';
import { createFolderListings, createFrontPictures } from './folder-listings.ts';
import { readingRoomRoutes } from './page-routes.ts';
import { accentColors } from './pages/accent.ts';
import { footerOf } from './pages/footer.ts';
import { paperColors } from './pages/paper.ts';
import type { RobotsWish } from './pages/robots.ts';
import { sendNothingHere } from './reading-room-page.ts';
import { type ReadingRoomSettings, readingRoomSettings } from './reading-room-settings.ts';
import type { Site } from './site-pages.ts';
import { rootRobotsRoute, sitemapRoutes } from './sitemap-routes.ts';
import { unitsRoute } from './units-route.ts';
import { logoAsset, type NamedAsset, readWebAssets, typefaceAsset } from './web-assets.ts';
import { webappRoute } from './webapp-route.ts';

/** The picture of the settings as a file that pages load. Throws where it can't be used any more. */
function logoOf({ logo }: ReadingRoomSettings['readingRoom']): NamedAsset | undefined {
  if (logo === undefined) return undefined;
  const picture = readLogo(logo);
  if ('problem' in picture) throw new Error(picture.problem);
  return logoAsset(picture);
}

/** Throws where a typeface of the settings can't be used any more. */
function typefaceOf(file: string | undefined): NamedAsset | undefined {
  if (file === undefined) return undefined;
  const typeface = readTypeface(file);
  if ('problem' in typeface) throw new Error(typeface.problem);
  return typefaceAsset(typeface.bytes);
}

/** The static pages of a site; the image folders among them stay closed where there are rules of access. */
function siteOf({ http: { webapp: folder }, library }: ReadingRoomSettings, access: Access): Site | undefined {
  return folder === undefined ? undefined : { folder, closed: access.isOn ? imageFolders(library) : [] };
}

/** The list of this version; a site may name another one. */
const ownTrainingRobots = new URL('../../../assets/training-robots.txt', import.meta.url);

/** Throws where a list that the settings name can't be used any more. */
function wishOf({ allow, lines = [], trainingRobots }: ReadingRoomSettings['robots']): RobotsWish {
  if (allow === 'own-lines') return { allow, lines };
  if (allow !== 'all-but-training') return { allow };
  const { faults, ...training } = readRobotsFile(trainingRobots ?? ownTrainingRobots);
  if (faults[0] !== undefined) throw new Error(faults[0]);
  return { allow, training };
}

/** What the build left of the reading room; the path is the same from the sources and from what is compiled of them. */
const built = (): string => fileURLToPath(new URL('../../../dist/web/', import.meta.url));

export const feature: Feature<ReadingRoomSettings> = {
  name: 'reading-room',
  settings: readingRoomSettings,
  open: ({ resources }) => ({
    add(core) {
      const { admission, access, cards, ports, settings } = core;
      const { readingRoom, iiif, render, robots } = settings;
      const metadata = resources.library;
      const { pageLabels } = iiif;
      const frontPicture = parseFrontPicture(readingRoom.frontPicture ?? '');
      const parts = {
        ...core,
        about,
        outgoing: resources.outgoing,
        folderListing: createFolderListings({
          admission,
          metadata,
          cards,
          annotationFilesIn: ports.annotationFilesIn,
          georeferenceFilesIn: ports.georeferenceFilesIn,
          media: ports.media,
          tours: ports.tours,
          frontPictureOf: createFrontPictures(admission, frontPicture),
          pageLabels,
          pageTexts: ports.pageTexts ?? noTexts,
        }),
        describePage: createDescribePage({ admission, metadata, cards, pageLabels }),
        publicFolders: createPublicFolders(admission, anyone),
        countedFolders: createCountedFolders(metadata, access, anyone),
        robots: wishOf(robots),
        robotsTag: robots.tag,
        hasLlms: robots.llms,
        iiifPrefix: iiif.prefix,
        signsIn: ports.signsIn ?? false,
        showsTruncated: render.truncated === 'show',
        webAssets: readWebAssets(built()),
        webapp: siteOf(settings, access),
        logo: logoOf(readingRoom),
        headings: typefaceOf(readingRoom.typefaces.headings),
        text: typefaceOf(readingRoom.typefaces.text),
        footer: footerOf(readingRoom.footer),
        accent: readingRoom.accent === undefined ? undefined : accentColors(readingRoom.accent),
        paper: readingRoom.paper === undefined ? undefined : paperColors(readingRoom.paper),
        embedAncestors: readingRoom.embedAncestors,
        viewers: readingRoom.viewers,
        manifests: readingRoom.manifests,
        baseMap: readingRoom.baseMap,
        units: readingRoom.units === undefined ? [] : readUnitsFile(readingRoom.units).units,
      };
      return {
        routes: [
          routeGroup('folder', browseRoutes, parts),
          routeGroup('page', unitsRoute, parts),
          routeGroup('page', readingRoomRoutes, parts),
          routeGroup('server', sitemapRoutes, parts),
          routeGroup('page', webappRoute, parts),
        ],
        describe: async (example) =>
          (await import('./reading-room-openapi.ts')).apiPart(example, parts.webAssets, robots.llms),
        // Crawlers ask for `robots.txt` at the root of the host alone.
        rootRoutes: [routeGroup('server', rootRobotsRoute, parts)],
        answerNothingHere: (request, reply) => sendNothingHere(parts, request, reply),
      };
    },
  }),
};
