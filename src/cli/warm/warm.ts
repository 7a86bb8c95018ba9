/** Runs `lectern warm`: renders the first pictures of every image into the cache on disk. */
import pMap from 'p-map';
import { pino } from 'pino';
import { type App, createApp } from '../../app/app.ts';
import { ifAdmitted } from '../../core/access/admit.ts';
import { bounded } from '../../core/access/if-answering.ts';
import { anyone } from '../../core/access/policy.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import type { ImageRequest } from '../../core/image/model/image-request.ts';
import { type Admitted, highest, type ImageSet } from '../../core/image/model/image-set.ts';
import { parseQuery } from '../../features/digilib/parameters.ts';
import { toImageRequest } from '../../features/digilib/scaler-request.ts';
import { reduced, type TilePath, tilePaths, tilingOf } from '../../features/iiif-image/image-information.ts';
import { parseImagePath } from '../../features/iiif-image/image-path.ts';
import { thumbnailSize } from '../../features/presentation/model/pages.ts';
import { configurationOf } from '../common/command-configuration.ts';
import { startProgress } from '../common/progress.ts';
import type { Flags } from '../common/settings-flags.ts';
import { numberText, printable } from '../common/text.ts';

interface Tally {
  images: number;
  pictures: number;
  faults: number;
}

/** Paths of all image files below a folder, in page order, folder by folder. */
async function* imagesBelow(app: App, path: string): AsyncGenerator<string> {
  const folder = await ifAdmitted(app.admission.admitFolder(path, anyone));
  const below = path === '' ? '' : `${path}/`;
  for (const name of folder?.images ?? []) yield below + name;
  for (const name of folder?.folders ?? []) yield* imagesBelow(app, below + name);
}

/** Renders the first pictures of an image; those that are sent as stored are not cached. Returns their number. */
async function warmImage(image: Admitted<ImageSet>, { images }: App): Promise<number> {
  let made = 0;
  for (const request of firstRequests(image)) {
    const answer = images.answer(request, image);
    if (answer.kind !== 'derivative' || answer.plan.kind !== 'render') continue;
    await answer.body({ signal: new AbortController().signal, deadlineAtMs: Number.POSITIVE_INFINITY, client: 'warm' });
    made++;
  }
  return made;
}

async function warmPath(path: string, app: App, tally: Tally): Promise<void> {
  try {
    const image = await app.admission.admit(path, 1, anyone);
    const made = await warmImage(image, app);
    tally.pictures += made;
    tally.images++;
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    tally.faults++;
    console.error(`lectern: ${printable(path)}: ${error.message}`);
  }
}

/** Runs the command and returns its exit code: 1 if a file could not be rendered. */
export async function warm(folders: readonly string[], flags: Flags): Promise<number> {
  const { settings } = await configurationOf(folders, flags);
  if (settings.cache.directory === false) {
    console.error('lectern: there is no cache on disk to fill: the setting cache.directory is false');
    return 2;
  }
  const app = await createApp({ ...settings, access: undefined }, pino({ level: 'silent' }));
  const tally: Tally = { images: 0, pictures: 0, faults: 0 };
  try {
    const paths: string[] = [];
    for await (const path of imagesBelow(app, '')) paths.push(path);
    const progress = startProgress(process.stderr, paths.length);
    const warm = async (path: string) => {
      await warmPath(path, app, tally);
      progress.step();
    };
    await pMap(paths, warm, bounded);
    progress.end();
    await app.server.close();
    const { hits, misses } = app.derivatives.stats();
    console.log(
      `${numberText(tally.images)} images, ${numberText(tally.pictures)} pictures: ${numberText(misses)} made, ${numberText(hits.disk + hits.memory)} were there; ${numberText(tally.faults)} faults`,
    );
    return tally.faults === 0 ? 0 : 1;
  } finally {
    await app.server.close();
  }
}

/** Maximum number of tiles of a level that viewers load first. */
const firstTiles = 4;

/** The coarsest tiles of an image, as viewers ask for them by its info.json. */
function firstTilesOf(image: ImageSet): readonly TilePath[] {
  const { tile, scaleFactors } = tilingOf(image);
  const full = highest(image);
  const coarse = scaleFactors.filter((factor) => {
    const level = reduced(full, factor);
    return Math.ceil(level.width / tile.width) * Math.ceil(level.height / tile.height) <= firstTiles;
  });
  return coarse.flatMap((factor) => tilePaths(full, tile, factor));
}

/** The thumbnails of manifests and of the start page, and a viewer's first tiles. */
export function firstRequests(image: ImageSet): readonly ImageRequest[] {
  const thumbnail = thumbnailSize(highest(image));
  const paths = [{ region: 'full', size: `${thumbnail.width},${thumbnail.height}` }, ...firstTilesOf(image)];
  const pictures = paths.map((path) => parseImagePath({ ...path, rotation: '0', qualityAndFormat: 'default.jpg' }, 3));
  return [...pictures, toImageRequest(parseQuery('dw=340&dh=400'))];
}
