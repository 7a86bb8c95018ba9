/** The reports of `lectern doctor`: images that are slow to cut, JPEG 2000 files whose shape makes them slow, files that were put aside. */
import path from 'node:path';
import { decoderName } from '@lectern/jpeg2000';
import { maxMakerBytes } from '../../app/open-pyramids.ts';
import { userCacheDirectory } from '../../config/cache-directory.ts';
import { sentenceOf } from '../../core/image/model/errors.ts';
import type { Resolution } from '../../core/image/model/image-set.ts';
import { encoderSettings, slowShape } from '../../core/image/plan/jpeg2000-shape.ts';
import { passTile } from '../../core/image/plan/passthrough.ts';
import { planPart } from '../../core/image/plan/plan-render.ts';
import { pyramidTile } from '../../core/image/plan/slow-sources.ts';
import { createFileProbe } from '../../core/library/file-facts.ts';
import { MetadataIndex } from '../../core/library/index/metadata-index.ts';
import type { FaultyFile } from '../../core/library/quarantine.ts';
import { canMake } from '../../core/pyramids/maker.ts';
import { createTileReader } from '../../core/render/tiles/tile-reader.ts';
import { fingerprintOf } from '../../core/storage/storage.ts';
import type { Storages } from '../../core/storage/storages.ts';
import { folderPathOf } from '../common/folder-walk.ts';
import { bytesText, counted, durationText, messageOf, printable } from '../common/text.ts';
import { pagesWithSlowness, pixelsOf, type SampleOptions, type SlowImage, withSample } from '../pyramid/slow-images.ts';

/** Maximum number of images or files that each report names; the others are counted. */
const maxNamed = 20;

/** Collects slow images in bounded memory. */
export class SlowImages {
  readonly named: SlowImage[] = [];
  count = 0;
  pixels = 0;

  /** Adds the pages of a file that are slow to cut. */
  add(file: string, pages: readonly Resolution[]): void {
    for (const page of pagesWithSlowness(file, pages)) {
      if (page.kind !== 'slow') continue;
      this.count++;
      this.pixels += pixelsOf(page.source);
      if (this.named.length < maxNamed) this.named.push(page);
    }
  }
}

const optionsWith = (storages: Storages): SampleOptions => ({
  storages,
  quality: 85,
  deadlineMs: 10 * 60_000,
  maxMemoryBytes: maxMakerBytes(),
  signal: new AbortController().signal,
  probe: createFileProbe(storages),
});

/** The shortest of three runs in ms: other work of the machine affects it least. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run++) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return Math.min(...times);
}

/** Time to cut a tile from a file, in ms: the last whole one, for which a file without tiles is read almost to its end. */
async function tileMs(resolution: Resolution, source: Resolution, storages: Storages): Promise<number> {
  const { width, height } = pyramidTile(source);
  const size = { width: Math.min(width, source.width), height: Math.min(height, source.height) };
  const start = (side: number, tile: number): number => Math.max(0, Math.floor(side / tile) - 1) * tile;
  const region = { x: start(source.width, width), y: start(source.height, height), ...size };
  const plan = planPart(resolution, region, size, 'jpeg');
  const tile = passTile(plan, resolution.levels[0]);
  if ('reason' in tile) {
    // libvips is loaded where it is needed: this module is a part of every command.
    const { execute } = await import('../../core/render/execute.ts');
    return timed(() => execute(plan));
  }
  const tiles = createTileReader((file) => storages.handle(file));
  return timed(() => tiles.read(tile));
}

const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;

/** Makes the pyramid of one image, and describes its cost and gain and the cost of all pyramids. */
async function measured({ shown, source }: SlowImage, pixels: number, storages: Storages): Promise<string> {
  const options = optionsWith(storages);
  const before = await storages
    .handle(source.file)
    .withLocalCopy((file) => tileMs({ ...source, file }, source, storages));
  const made = await withSample(source, options, async ({ path, bytes, seconds }) => {
    const [pyramid] = await options.probe(path);
    const after = pyramid === undefined ? Number.NaN : await tileMs(pyramid, source, storages);
    return { kind: 'measured' as const, bytes, seconds, after };
  });
  await storages.handle(source.file).requireCurrent();
  if (made.kind === 'failed') return `No pyramid could be made of ${shown}: ${made.reason}`;
  const share = pixels / pixelsOf(source);
  return `Measured on ${shown}: a tile takes ${milliseconds(before)} now and ${milliseconds(made.after)} from a pyramid, made in ${durationText(made.seconds)}. All pyramids would take about ${bytesText(made.bytes * share)}.`;
}

/** The lines of the report; none where no image is slow. */
export async function slowReport(images: SlowImages, storages: Storages): Promise<readonly string[]> {
  const { count, named, pixels } = images;
  const [largest] = [...named].sort((one, other) => pixelsOf(other.source) - pixelsOf(one.source));
  if (largest === undefined) return [];
  const lines = [
    `${counted(count, 'image is', 'images are')} slow to cut tiles from; the server makes a pyramid of each when it is used, lectern pyramid makes them ahead:`,
    ...named.map(({ shown, reason }) => `  ${shown}: ${reason}`),
    ...(count > named.length ? [`  and ${(count - named.length).toLocaleString('en')} more`] : []),
  ];
  if (!canMake()) return lines;
  const measurement = await measured(largest, pixels, storages).catch(messageOf);
  return [...lines, measurement];
}

/** Collects JPEG 2000 files in bounded memory. */
export class Jpeg2000Files {
  readonly named: string[] = [];
  count = 0;
  slow = 0;

  /** Adds a file, which has one page where it is of this format; `file` is the path that is printed. */
  add(file: string, [page]: readonly Resolution[]): void {
    if (page?.jpeg2000 === undefined) return;
    this.count++;
    const faults = slowShape(page);
    if (faults.length === 0) return;
    this.slow++;
    if (this.named.length < maxNamed) this.named.push(`  ${printable(file)}: ${faults.join('; ')}`);
  }
}

/** The lines of the report; none where there are no such files. */
export function jpeg2000Report({ named, count, slow }: Jpeg2000Files): readonly string[] {
  if (count === 0) return [];
  const files = counted(count, 'JPEG 2000 file', 'JPEG 2000 files');
  const decoder = `${files} ${count === 1 ? 'is' : 'are'} decoded by ${decoderName()}.`;
  if (slow === 0) return [decoder];
  return [
    decoder,
    `${slow.toLocaleString('en')} of ${files} ${slow === 1 ? 'has' : 'have'} a shape that makes them slow to decode until they have a pyramid:`,
    ...named,
    ...(slow > named.length ? [`  and ${(slow - named.length).toLocaleString('en')} more`] : []),
    ...encoderSettings,
  ];
}

const isInside = (root: string, file: string): boolean => {
  const relative = path.relative(root, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
};

async function isUnchanged({ path: file, fingerprint }: FaultyFile, storages: Storages): Promise<boolean> {
  try {
    return fingerprintOf(await storages.of(file).lstat(file)) === fingerprint;
  } catch {
    return false;
  }
}

/** Where servers keep the index, unless a settings file names another place. */
const indexDirectory = (): string =>
  process.env['LECTERN_INDEX__DIRECTORY'] ?? path.join(userCacheDirectory(), 'index');

/** A line for each file below the folders that is put aside and has not changed since. */
export async function quarantineReport(folders: readonly string[], storages: Storages): Promise<readonly string[]> {
  const index = new MetadataIndex({ directory: indexDirectory(), maxBytes: 2 ** 24, onFault: () => undefined });
  const locations = folders.map(folderPathOf);
  const roots = [...locations, ...(await Promise.all(locations.map((folder) => storages.of(folder).realPath(folder))))];
  const lines: string[] = [];
  for (const file of await index.faultyFiles()) {
    const [fault] = file.faults;
    const isBelow = roots.some((root) => isInside(root, file.path));
    if (fault === undefined || !isBelow || !(await isUnchanged(file, storages))) continue;
    lines.push(`${file.path}: put aside until it changes: ${sentenceOf(fault.kind)}.`);
  }
  await index.close();
  return lines;
}
