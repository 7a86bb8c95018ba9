/** The command `lectern warm`: makes ahead what viewers ask for first, so that it is in the cache when they come. */
import pMap from 'p-map';
import { pino } from 'pino';
import { anyone } from '../access/access.ts';
import { type App, createApp } from '../app/app.ts';
import type { Settings } from '../config/settings.ts';
import { parseQuery } from '../digilib/query.ts';
import { toImageRequest } from '../digilib/request.ts';
import { parseImagePath } from '../iiif/image-path.ts';
import { reduced, tilingOf } from '../iiif/info.ts';
import { thumbnailSize } from '../iiif/presentation/pages.ts';
import { ImageError } from '../image/model/errors.ts';
import type { ImageRequest } from '../image/model/image-request.ts';
import { type Admitted, highest, type ImageSet } from '../image/model/image-set.ts';
import { ifAdmitted } from '../service/admit.ts';
import { bounded } from '../service/concurrency.ts';
import { printable } from './doctor.ts';
import { startProgress } from './progress.ts';

/** A viewer begins with the levels of so many tiles at most. */
const firstTiles = 4;

/** The coarsest tiles of an image, as viewers ask for them by its info.json. */
function firstTilesOf(image: ImageSet): readonly string[] {
  const { tile, scaleFactors } = tilingOf(image);
  const full = highest(image);
  return scaleFactors.flatMap((factor) => {
    const level = reduced(full, factor);
    const [columns, rows] = [Math.ceil(level.width / tile.width), Math.ceil(level.height / tile.height)];
    if (columns * rows > firstTiles) return [];
    return Array.from({ length: columns * rows }, (_, index) => {
      const [x, y] = [(index % columns) * tile.width * factor, Math.floor(index / columns) * tile.height * factor];
      const width = Math.min(tile.width * factor, full.width - x);
      const height = Math.min(tile.height * factor, full.height - y);
      const size = reduced({ width, height }, factor);
      return `${x},${y},${width},${height}/${size.width},${size.height}`;
    });
  });
}

/** The thumbnails of manifests and of the start page, and a viewer's first tiles. */
export function firstRequests(image: ImageSet): readonly ImageRequest[] {
  const thumbnail = thumbnailSize(highest(image));
  const paths = [`full/${thumbnail.width},${thumbnail.height}`, ...firstTilesOf(image)];
  const pictures = paths.map((path) => {
    const [region = '', size = ''] = path.split('/');
    return parseImagePath({ region, size, rotation: '0', qualityAndFormat: 'default.jpg' }, 3);
  });
  return [...pictures, toImageRequest(parseQuery('dw=340&dh=400'))];
}

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

/** What is spliced from the source or sent as it is needs no place in the cache. */
async function warmImage(image: Admitted<ImageSet>, { images }: App): Promise<number> {
  let made = 0;
  for (const request of firstRequests(image)) {
    const answer = images.answer(request, image);
    if (answer.plan.kind !== 'render') continue;
    await answer.body(new AbortController().signal);
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

const count = (value: number): string => value.toLocaleString('en');

/** Runs the command and gives its exit code: 0, or 1 where there was a file of which nothing could be made. */
export async function warm(settings: Settings): Promise<number> {
  if (settings.cache.directory === false) {
    console.error('lectern: there is no cache on disk to fill: the setting cache.directory is false');
    return 2;
  }
  const app = createApp({ ...settings, access: undefined }, pino({ level: 'silent' }));
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
      `${count(tally.images)} images, ${count(tally.pictures)} pictures: ${count(misses)} made, ${count(hits.disk + hits.memory)} were there; ${count(tally.faults)} faults`,
    );
    return tally.faults === 0 ? 0 : 1;
  } finally {
    await app.server.close();
  }
}

export const warmDescription =
  'Makes what viewers ask for first, and keeps it in the cache: thumbnails and first tiles.';

export const warmHelp = `
Run it with the settings of the server, so that the server finds what was made. What is there already is not made again;
ended at any time, it goes on where it was.

Exit code: 0, 1 where nothing could be made of a file, 2 for wrong settings. To serve a folder named warm, write ./warm.`;
