/** Finds the images below folders that are slow to cut, and measures a sample of them. */

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Resolution } from '../../core/image/model/image-set.ts';
import { pyramidTile, slownessOf } from '../../core/image/plan/slow-sources.ts';
import type { BuildOptions } from '../../core/pyramids/build.ts';
import { type Made, makeInProcess } from '../../core/pyramids/maker.ts';
import { FolderWalk, type WalkOptions } from '../common/folder-walk.ts';
import { messageOf, printable } from '../common/text.ts';

/** One page of a file that is slow to cut. */
export interface SlowImage {
  /** The path as it is printed. */
  readonly shown: string;
  readonly source: Resolution;
  /** Why tiles of it are slow to cut, as the end of a sentence. */
  readonly reason: string;
}

/** The result of a search. */
export interface Findings {
  /** Number of pages in all image files that can be read. */
  readonly images: number;
  readonly slow: readonly SlowImage[];
  /** Images that are slow and can't have a pyramid. */
  readonly unfit: readonly string[];
  /** Lines of the form `path: sentence`. */
  readonly faults: readonly string[];
}

/** The pages of a file, each with how slow it is to cut; `file` is the path that is printed. */
export const pagesWithSlowness = (file: string, pages: readonly Resolution[]) =>
  pages.map((source, index) => {
    const shown = printable(pages.length > 1 ? `${file}, page ${index + 1}` : file);
    return { shown, source, ...slownessOf(source) };
  });

const byName = (one: SlowImage, other: SlowImage): number =>
  one.shown < other.shown ? -1 : one.shown > other.shown ? 1 : 0;

/** Searches folders for images that are slow to cut, until the signal is aborted. */
export async function findSlowImages(
  roots: readonly string[],
  rules: Pick<WalkOptions, 'followLinksOutside' | 'orientation' | 'storages' | 'signal'>,
): Promise<Findings> {
  const slow: SlowImage[] = [];
  const unfit: string[] = [];
  const faults: string[] = [];
  let images = 0;
  const onFault = async (shown: string, sentence: string): Promise<void> =>
    void faults.push(`${printable(shown)}: ${sentence}`);
  for (const root of roots) {
    const walk = new FolderWalk(root, { ...rules, sentenceFor: (_, error) => messageOf(error), onFault });
    for await (const folder of walk.folders()) {
      for await (const batch of walk.images(folder)) {
        const pages = batch.flatMap((image) => pagesWithSlowness(image.shown, image.pages));
        images += pages.length;
        slow.push(...pages.filter(({ kind }) => kind === 'slow'));
        unfit.push(...pages.filter(({ kind }) => kind === 'unfit').map(({ shown, reason }) => `${shown}: ${reason}`));
      }
    }
  }
  return { images, slow: slow.sort(byName), unfit, faults };
}

export type SampleOptions = Pick<
  BuildOptions,
  'storages' | 'probe' | 'quality' | 'deadlineMs' | 'maxMemoryBytes' | 'signal'
>;

/** Builds one pyramid to be measured; it is deleted after `use` has run. */
export async function withSample<T>(
  source: Resolution,
  options: SampleOptions,
  use: (pyramid: { readonly path: string; readonly bytes: number; readonly seconds: number }) => Promise<T>,
): Promise<T | Exclude<Made, { readonly kind: 'made' }>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lectern-sample-'));
  try {
    const target = path.join(folder, 'sample.tif');
    const begunMs = performance.now();
    const made = await options.storages.handle(source.file).withLocalCopy((file) => {
      const local = { ...source, file };
      return makeInProcess({ source: local, target, tile: pyramidTile(source), quality: options.quality }, options);
    });
    if (made.kind === 'failed') return made;
    const { size } = await stat(target);
    return await use({ path: target, bytes: size, seconds: (performance.now() - begunMs) / 1000 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The cost of pyramids per pixel of their sources. */
interface Rates {
  readonly bytesPerPixel: number;
  readonly secondsPerPixel: number;
}

const maxSamples = 3;

/** Samples of all sizes: small, medium and large sources. */
export function chooseSamples<T>(items: readonly T[], pixels: (item: T) => number): readonly T[] {
  const sorted = [...items].sort((one, other) => pixels(one) - pixels(other));
  const count = Math.min(maxSamples, sorted.length);
  const indexes = Array.from({ length: count }, (_, index) => Math.floor(((index + 0.5) * sorted.length) / count));
  return indexes.flatMap((index) => sorted[index] ?? []);
}

export const pixelsOf = ({ width, height }: Resolution): number => width * height;

/** The mean cost of the samples; undefined if none could be built. */
export async function measureRates(sources: readonly Resolution[], options: SampleOptions): Promise<Rates | undefined> {
  let [pixels, bytes, seconds] = [0, 0, 0];
  for (const source of sources) {
    const made = await withSample(source, options, async (pyramid) => ({ kind: 'measured' as const, ...pyramid }));
    if (made.kind === 'failed') continue;
    pixels += pixelsOf(source);
    bytes += made.bytes;
    seconds += made.seconds;
  }
  return pixels === 0 ? undefined : { bytesPerPixel: bytes / pixels, secondsPerPixel: seconds / pixels };
}
