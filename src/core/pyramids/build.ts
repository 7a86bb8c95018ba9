/** Builds the pyramid of a source in the store: by one maker, verified, and moved to its name only when it is complete. */
import { rm, stat } from 'node:fs/promises';
import { ImageError, isNoAnswer } from '../image/model/errors.ts';
import type { Resolution } from '../image/model/image-set.ts';
import { pyramidTile } from '../image/plan/slow-sources.ts';
import { codeOf, isSystemError } from '../storage/file-errors.ts';
import { uniqueToken } from '../storage/layout.ts';
import type { Storages } from '../storage/storages.ts';
import { withoutStoreTime } from '../storage/store-time.ts';
import { type MakerOptions, makeInProcess } from './maker.ts';
import { nameFor, type PyramidStore, workName } from './pyramid-store.ts';

/** The result of a build; each reason is a sentence. */
export type Outcome =
  | { readonly kind: 'made'; readonly name: string; readonly bytes: number; readonly peakBytes: number }
  | { readonly kind: 'exists'; readonly name: string }
  /** Another maker is building it. */
  | { readonly kind: 'busy' }
  /** The source was replaced meanwhile. */
  | { readonly kind: 'changed' }
  /** There is no space for the pyramid or for a copy of its source, or the disk of either can’t be used. */
  | { readonly kind: 'no-space'; readonly reason: string }
  /** The object store of the source or of the pyramids failed, or a disk hangs. */
  | { readonly kind: 'no-answer'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'given-up' };

export interface BuildOptions extends MakerOptions {
  readonly store: PyramidStore;
  readonly quality: number;
  /** Those that have the sources and the pyramids. */
  readonly storages: Storages;
  /** Names of pyramids that are not evicted for this one. */
  readonly keep?: ReadonlySet<string>;
}

/** The bytes of a pyramid for each pixel of its source, for scans at quality 85. */
const bytesPerPixel = 0.4;

/** The approximate bytes of an image's pyramid. */
const estimatedBytes = ({ width, height }: Resolution): number => Math.ceil(width * height * bytesPerPixel);

/** The bytes of temporary files while a pyramid is made: up to twice the image's samples. */
const workBytes = ({ width, height, orientation, bits, samples, jpeg2000 }: Resolution): number =>
  orientation !== 1 || bits > 8 || samples || jpeg2000 ? width * height * 6 : 0;

const isCurrent = ({ file }: Resolution, { storages }: BuildOptions): Promise<boolean> =>
  storages
    .handle(file)
    .requireCurrent()
    .then(
      () => true,
      () => false,
    );

/** Makes and verifies the file, then moves it to its name. */
async function makeAndCommit(source: Resolution, name: string, work: string, options: BuildOptions): Promise<Outcome> {
  const { store, quality, keep, storages, ...makerOptions } = options;
  const lackOfSpace = await store.makeSpace(estimatedBytes(source), workBytes(source), keep);
  if (lackOfSpace !== undefined) return { kind: 'no-space', reason: lackOfSpace };
  const made = await withoutStoreTime(() =>
    storages.handle(source.file).withLocalCopy((file) => {
      const job = { source: { ...source, file }, target: work, tile: pyramidTile(source), quality };
      return makeInProcess(job, makerOptions);
    }),
  );
  if (!(await isCurrent(source, options))) return { kind: 'changed' };
  if (options.signal.aborted) return { kind: 'given-up' };
  if (made.kind === 'failed') {
    const reason = await store.makeSpace(0, 0, keep);
    return reason === undefined ? made : { kind: 'no-space', reason };
  }
  const { size: bytes } = await stat(work);
  const excess = await store.makeSpace(bytes, 0, keep);
  if (excess !== undefined) return { kind: 'no-space', reason: excess };
  await store.commit(name, work);
  return { kind: 'made', name, bytes, peakBytes: made.peakBytes };
}

/** Deletes the temporary files of a build, also those of `make.ts`. */
const removeWork = (work: string): Promise<unknown> =>
  Promise.all(['', '.colors', '.turned'].map((end) => rm(`${work}${end}`, { force: true }).catch(() => undefined)));

/** Builds the pyramid of a source where there is none. Rejects only with errors of the program. */
export async function buildPyramid(source: Resolution, options: BuildOptions): Promise<Outcome> {
  const { store, quality, storages } = options;
  const name = await nameFor(source, quality, storages);
  if (name === undefined) return { kind: 'changed' };
  let release: (() => Promise<void>) | undefined;
  try {
    await store.prepare();
    await store.refresh();
    if (await store.has(name, 'atLeisure')) return { kind: 'exists', name };
    release = await store.lock(name);
    if (release === undefined) return { kind: 'busy' };
    // The previous holder of the lock may have made it.
    await store.refresh();
    if (await store.has(name, 'atLeisure')) return { kind: 'exists', name };
    const work = store.workPathOf(workName(name, uniqueToken()));
    try {
      return await makeAndCommit(source, name, work, options);
    } finally {
      await removeWork(work);
    }
  } catch (error) {
    if (isNoAnswer(error)) return { kind: 'no-answer', reason: error.message };
    if (error instanceof ImageError && error.code === 'no-space') return { kind: 'no-space', reason: error.message };
    if (!isSystemError(error)) throw error;
    return { kind: 'no-space', reason: `The store can’t be written to (${codeOf(error)}).` };
  } finally {
    await release?.().catch(() => undefined);
  }
}
