/** From a source to its pyramid in the store: one writer, room made, verified, and only then there under its name. */
import { randomBytes } from 'node:crypto';
import { realpath, rm, stat } from 'node:fs/promises';
import type { Resolution, SourceFile } from '../image/model/image-set.ts';
import { pyramidTile } from '../image/plan/slow-sources.ts';
import { codeOf, isSystemError } from '../storage/file-errors.ts';
import { makeInProcess } from './maker.ts';
import { contentKey, pyramidName, workName } from './names.ts';
import type { PyramidStore } from './store.ts';

/** What came of it; each reason is a sentence. */
export type Outcome =
  | { readonly kind: 'made'; readonly name: string; readonly bytes: number; readonly peakBytes: number }
  | { readonly kind: 'exists'; readonly name: string }
  /** Somebody else is making it. */
  | { readonly kind: 'busy' }
  /** The source was replaced meanwhile. */
  | { readonly kind: 'changed' }
  /** There is no room, or the store can't be written to. */
  | { readonly kind: 'no-room'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'given-up' };

export interface BuildOptions {
  readonly store: PyramidStore;
  readonly quality: number;
  /** The facts of each page of an image file; none where it can't be read. */
  readonly probe: (path: string) => Promise<readonly Resolution[]>;
  /** Throws where the file is no longer the one that its facts were read from. */
  readonly requireCurrent: (file: SourceFile) => Promise<void>;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Names of pyramids that don't go for this one. */
  readonly keep?: ReadonlySet<string>;
}

/** A pyramid of scans has about so many bytes for each pixel of the source, at quality 85. */
const bytesPerPixel = 0.4;

/** About how many bytes the pyramid of an image takes. */
export const estimatedBytes = ({ width, height }: Resolution): number => Math.ceil(width * height * bytesPerPixel);

/** What lies beside the pyramid while it is made: up to twice the image's samples. */
const workBytes = ({ width, height, orientation, bits, samples }: Resolution): number =>
  orientation !== 1 || bits > 8 || samples ? width * height * 6 : 0;

/** The name that the pyramid of a source has; undefined where the source is gone. */
export async function nameFor(source: Resolution, quality: number): Promise<string | undefined> {
  const real = await realpath(source.file.path).catch(() => undefined);
  return real === undefined ? undefined : pyramidName(contentKey(source, quality), real);
}

/** What an error of the store's disk means; other errors are thrown on. */
function diskOutcome(error: unknown): Outcome {
  if (!isSystemError(error)) throw error;
  return { kind: 'no-room', reason: `The store can’t be written to (${codeOf(error)}).` };
}

async function isCurrent(source: Resolution, { requireCurrent }: BuildOptions): Promise<boolean> {
  return requireCurrent(source.file).then(
    () => true,
    () => false,
  );
}

/** Makes and verifies the file, then gives it its name. */
async function makeAndCommit(source: Resolution, name: string, work: string, options: BuildOptions): Promise<Outcome> {
  const { store, quality, probe, deadlineMs, signal, keep } = options;
  const lack = await store.makeRoom(estimatedBytes(source), { workBytes: workBytes(source), keep });
  if (lack !== undefined) return { kind: 'no-room', reason: lack };
  const job = { source, target: work, tile: pyramidTile(source), quality };
  const made = await makeInProcess(job, { probe, deadlineMs, signal });
  if (!(await isCurrent(source, options))) return { kind: 'changed' };
  if (signal.aborted) return { kind: 'given-up' };
  if (made.kind === 'failed') {
    const full = await store.makeRoom(0, { workBytes: 0, keep });
    return full === undefined ? made : { kind: 'no-room', reason: full };
  }
  const { size: bytes } = await stat(work);
  const excess = await store.makeRoom(bytes, { workBytes: 0, keep });
  if (excess !== undefined) return { kind: 'no-room', reason: excess };
  await store.commit(name, work);
  return { kind: 'made', name, bytes, peakBytes: made.peakBytes };
}

/** Deletes what was written under a name of work that was given up. */
const removeWork = (work: string): Promise<unknown> =>
  Promise.all(['', '.colors', '.turned'].map((end) => rm(`${work}${end}`, { force: true }).catch(() => undefined)));

/** Makes the pyramid of a source where there is none. Throws only what nobody foresaw. */
export async function buildPyramid(source: Resolution, options: BuildOptions): Promise<Outcome> {
  const { store, quality } = options;
  const name = await nameFor(source, quality);
  if (name === undefined) return { kind: 'changed' };
  let release: (() => Promise<void>) | undefined;
  try {
    await store.prepare();
    await store.refresh();
    if (store.has(name)) return { kind: 'exists', name };
    release = await store.lock(name);
    if (release === undefined) return { kind: 'busy' };
    // Whoever had the lock before may have made it.
    await store.refresh();
    if (store.has(name)) return { kind: 'exists', name };
    const work = store.workPathOf(workName(name, randomBytes(8).toString('hex')));
    try {
      return await makeAndCommit(source, name, work, options);
    } finally {
      await removeWork(work);
    }
  } catch (error) {
    return diskOutcome(error);
  } finally {
    await release?.().catch(() => undefined);
  }
}
