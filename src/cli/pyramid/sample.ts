/** Makes the pyramids of a few images in a folder that goes, to tell what all of them will cost. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Resolution } from '../../image/model/image-set.ts';
import { pyramidTile } from '../../image/plan/slow-sources.ts';
import type { BuildOptions } from '../../pyramids/build.ts';
import { type Made, makeInProcess } from '../../pyramids/maker.ts';

export type SampleOptions = Pick<BuildOptions, 'probe' | 'quality' | 'deadlineMs' | 'signal'>;

/** One pyramid that was made to be measured; `use` sees it before it goes. */
export async function withSample<T>(
  source: Resolution,
  options: SampleOptions,
  use: (pyramid: { readonly path: string; readonly bytes: number; readonly seconds: number }) => Promise<T>,
): Promise<T | Exclude<Made, { readonly kind: 'made' }>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lectern-sample-'));
  try {
    const target = path.join(folder, 'sample.tif');
    const begunMs = performance.now();
    const made = await makeInProcess({ source, target, tile: pyramidTile(source), quality: options.quality }, options);
    if (made.kind === 'failed') return made;
    const { size } = await stat(target);
    return await use({ path: target, bytes: size, seconds: (performance.now() - begunMs) / 1000 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What pyramids cost for each pixel of their sources. */
export interface Rates {
  readonly bytesPerPixel: number;
  readonly secondsPerPixel: number;
}

const maxSamples = 3;

/** Sources of the sizes that there are: from the small, the middle and the large ones. */
export function chooseSamples<T>(items: readonly T[], pixels: (item: T) => number): readonly T[] {
  const sorted = [...items].sort((one, other) => pixels(one) - pixels(other));
  const count = Math.min(maxSamples, sorted.length);
  const places = Array.from({ length: count }, (_, index) => Math.floor(((index + 0.5) * sorted.length) / count));
  return places.flatMap((place) => sorted[place] ?? []);
}

export const pixelsOf = ({ width, height }: Resolution): number => width * height;

/** What the samples cost together; undefined where none could be made. */
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
