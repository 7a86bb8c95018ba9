/** Makes one pyramid in a process of its own, which runs at low priority and is always ended afterwards. */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Size } from '../image/model/geometry.ts';
import type { Level, Resolution } from '../image/model/image-set.ts';
import { limitedBy, mallocSettings } from '../render/process/start-process.ts';

const sameSize = (one: Size, other: Size): boolean => one.width === other.width && one.height === other.height;

const halved = ({ width, height }: Size): Size => ({
  width: Math.max(1, Math.floor(width / 2)),
  height: Math.max(1, Math.floor(height / 2)),
});

/** The sizes that the levels must have: halved until the image fits into one tile. */
function levelSizes(full: Size, tile: Size): readonly Size[] {
  const sizes = [full];
  for (let last = full; last.width > tile.width || last.height > tile.height; ) {
    last = halved(last);
    sizes.push(last);
  }
  return sizes;
}

const isRightLevel = (level: Level, size: Size | undefined, tile: Size): boolean =>
  size !== undefined &&
  sameSize(level, size) &&
  level.tile !== undefined &&
  sameSize(level.tile, tile) &&
  level.stored?.kind === 'jpeg';

/** The first fault of a pyramid's header, as a sentence; undefined where there is none. */
export function headerFault(pyramid: Resolution, source: Resolution, tile: Size): string | undefined {
  const { levels, format, orientation, profile, bits, alpha } = pyramid;
  if (format !== 'tiff' || orientation !== 1 || profile || bits !== 8 || alpha) {
    return 'The pyramid’s header is not that of an upright TIFF of 8 bits without profile and transparency.';
  }
  const sizes = levelSizes(source, tile);
  if (levels.length !== sizes.length)
    return `The pyramid has ${levels.length} levels, and should have ${sizes.length}.`;
  const wrong = levels.findIndex((level, index) => !isRightLevel(level, sizes[index], tile));
  return wrong < 0 ? undefined : `Level ${wrong + 1} of the pyramid has another size or other tiles than it should.`;
}

/** One pyramid to make. */
export interface PyramidJob {
  readonly source: Resolution;
  /** The file to write; temporary files have its name with a suffix, and are left for the caller to delete. */
  readonly target: string;
  readonly tile: Size;
  /** JPEG quality, 1 to 100. */
  readonly quality: number;
}

/** What the process is sent, as plain data: first the job, then the facts of its file, if that could be read. */
export type Order =
  | { readonly kind: 'make'; readonly job: PyramidJob }
  /** Compares the pyramid with its source, and adds its checksums. */
  | { readonly kind: 'finish'; readonly source: Resolution; readonly pyramid: Resolution };

/** The result of a job, and the answer to each order; the reason is a sentence. */
export type Made =
  | { readonly kind: 'made'; readonly peakBytes: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** What a process that makes a pyramid does at present. */
export type BuildStage = 'writing' | 'comparing';

export interface MakerOptions {
  /** Reads the facts of each page of an image file; none where it can't be read. Rejects where the disk fails. */
  readonly probe: (path: string) => Promise<readonly Resolution[]>;
  /** The process is ended after this time. */
  readonly deadlineMs: number;
  /** Bytes of memory that the process may have. */
  readonly maxMemoryBytes: number;
  readonly signal: AbortSignal;
  /** Called when a stage begins. */
  readonly onStage?: ((stage: BuildStage) => void) | undefined;
}

/** The compiled program, also where the server runs from its sources, as in tests. */
const program = import.meta.url.endsWith('.ts') ? '../../../dist/core/pyramids/make-process.js' : './make-process.js';
const file = fileURLToPath(new URL(program, import.meta.url));

/** Whether pyramids can be made: only the compiled program makes them. */
export const canMake = (): boolean => existsSync(file);

/**
 * The `nice` value: above nightly jobs, and so far below render processes (5) that beside one that is busy it has a tenth of a processor, which
 * ends a load that lasts until the pyramid is there.
 */
const lowPriority = 15;

function start({ maxMemoryBytes }: MakerOptions, signal: AbortSignal): ChildProcess {
  const { execArgv = [], ...limited } = limitedBy(maxMemoryBytes);
  const child = fork(file, [String(maxMemoryBytes)], {
    ...limited,
    serialization: 'json',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { PATH: process.env['PATH'] ?? '', UV_THREADPOOL_SIZE: '4', ...mallocSettings },
    execArgv: [...execArgv, '--expose-gc'],
    signal,
    killSignal: 'SIGKILL',
  });
  // An error that is emitted between two orders, such as that of the signal, is noticed by the next order.
  child.on('error', () => undefined);
  try {
    if (child.pid !== undefined) setPriority(child.pid, lowPriority);
  } catch {
    // The system has no priorities, or the process has ended.
  }
  return child;
}

/** Sends an order; resolves to its answer. */
function send(child: ChildProcess, order: Order): Promise<Made> {
  return new Promise((resolve) => {
    const failed = (reason: string): void => resolve({ kind: 'failed', reason });
    const ended = (): void => failed('The process that makes pyramids ended.');
    child.once('exit', ended);
    child.once('error', () => failed('The process that makes pyramids could not be started.'));
    child.once('message', (made) => {
      child.off('exit', ended);
      resolve(made as Made);
    });
    child.send(order, (error) => error && ended());
  });
}

/** Ends the process; resolves when it has ended, so that it writes no more. */
function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

async function makeAndCheck(child: ChildProcess, job: PyramidJob, { probe, onStage }: MakerOptions): Promise<Made> {
  onStage?.('writing');
  const made = await send(child, { kind: 'make', job });
  if (made.kind === 'failed') return made;
  const [pyramid] = await probe(job.target);
  const fault = pyramid ? headerFault(pyramid, job.source, job.tile) : 'The file that was written can’t be read.';
  if (!pyramid || fault !== undefined) return { kind: 'failed', reason: fault ?? '' };
  onStage?.('comparing');
  return send(child, { kind: 'finish', source: job.source, pyramid });
}

/** Writes the file of the job, and verifies its header and pixels against its source. */
export async function makeInProcess(job: PyramidJob, options: MakerOptions): Promise<Made> {
  const stop = AbortSignal.any([options.signal, AbortSignal.timeout(options.deadlineMs)]);
  const child = start(options, stop);
  try {
    const made = await makeAndCheck(child, job, options);
    if (made.kind === 'failed' && stop.aborted && !options.signal.aborted) {
      return { kind: 'failed', reason: `It took longer than ${Math.ceil(options.deadlineMs / 1000)} s.` };
    }
    return made;
  } finally {
    await end(child);
  }
}
