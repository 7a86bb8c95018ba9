/** Builds the pyramids of a few images in a temporary folder, to estimate the cost of all. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Resolution } from '../../core/image/model/image-set.ts';
import { pyramidTile } from '../../core/image/plan/slow-sources.ts';
import type { BuildOptions } from '../../core/pyramids/build.ts';
import { type Made, makeInProcess } from '../../core/pyramids/maker.ts';
import { remoteStorageOf } from '../../core/storage/storage.ts';

export type SampleOptions = Pick<BuildOptions, 'probe' | 'quality' | 'deadlineMs' | 'maxMemoryBytes' | 'signal'>;

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
    const file = (await remoteStorageOf(source.file.path)?.localCopy(source.file)) ?? source.file;
    const local = { ...source, file };
    const made = await makeInProcess(
      { source: local, target, tile: pyramidTile(source), quality: options.quality },
      options,
    );
    if (made.kind === 'failed') return made;
    const { size } = await stat(target);
    return await use({ path: target, bytes: size, seconds: (performance.now() - begunMs) / 1000 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The cost of pyramids per pixel of their sources. */
export interface Rates {
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
