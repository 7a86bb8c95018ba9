/** The queues of the contract suite, with builds that a test ends itself. */
import type { Resolution } from '../../src/core/image/model/image-set.ts';
import type { Outcome } from '../../src/core/pyramids/build.ts';
import { buildId, contentKey } from '../../src/core/pyramids/pyramid-store.ts';
import { oneAtATime } from '../../src/core/pyramids/pyramids.ts';
import type { Build, BuildQueue } from '../../src/core/pyramids/queue/build-queue.ts';
import { LocalBuildQueue } from '../../src/core/pyramids/queue/local-queue.ts';
import { SharedBuildQueue } from '../../src/core/pyramids/queue/shared-queue.ts';
import { imageOf } from '../unit/core/image/image-builder.ts';

export const quality = 85;

export const made: Outcome = { kind: 'made', name: 'lectern.tif', bytes: 1000, peakBytes: 1000 };

/** The page of a file at this path; all in `/copies` have the same content. */
export function sourceAt(path: string): Resolution {
  const [source] = imageOf({ width: 5000, height: 4000 }).resolutions;
  return { ...source, file: { ...source.file, path, fingerprint: path.replace(/^(\/copies)\/.*/, '$1') } };
}

export const requestFor = (path: string) => {
  const source = sourceAt(path);
  const key = contentKey(source, quality);
  return { id: buildId(key, source), key, source };
};

export interface TestQueue {
  readonly queue: BuildQueue;
  /** The paths whose builds began, in this order. */
  readonly begun: readonly string[];
  readonly faults: readonly string[];
  /** Lets the next builds of a path end so. */
  answer(path: string, outcome: Outcome | Error): void;
  /** Holds all builds back until it is called with `false`. */
  hold(isHeld: boolean): void;
  close(): Promise<void>;
}

interface Parts {
  readonly build: Build;
  readonly signal: AbortSignal;
  readonly onFault: (message: string, path?: string) => void;
}

/** A queue whose builds take no time unless they are held. */
export function testQueue(open: (parts: Parts) => BuildQueue): TestQueue {
  const ending = new AbortController();
  const begun: string[] = [];
  const faults: string[] = [];
  const outcomes = new Map<string, Outcome | Error>();
  let release: (() => void) | undefined;
  let held = Promise.resolve();
  const hold = (isHeld: boolean): void => {
    release?.();
    release = undefined;
    held = isHeld ? new Promise((resolve) => (release = resolve)) : Promise.resolve();
  };
  const givenUp = new Promise<Outcome>((resolve) =>
    ending.signal.addEventListener('abort', () => resolve({ kind: 'given-up' })),
  );
  const build: Build = oneAtATime(async ({ file }) => {
    begun.push(file.path);
    const outcome = held.then(() => outcomes.get(file.path) ?? made);
    const result = await Promise.race([outcome, givenUp]);
    if (result instanceof Error) throw result;
    return result;
  });
  const onFault = (message: string, path?: string): void => void faults.push(path ? `${path}: ${message}` : message);
  const queue = open({ build, signal: ending.signal, onFault });
  return {
    queue,
    begun,
    faults,
    answer: (path, outcome) => void outcomes.set(path, outcome),
    hold,
    async close() {
      ending.abort();
      await queue.close();
    },
  };
}

export const localQueue = (): TestQueue => testQueue((parts) => new LocalBuildQueue(parts));

export interface SharedOptions {
  readonly address: string;
  readonly name: string;
  readonly password?: () => string | undefined;
  readonly isBuilding?: boolean;
  readonly takeoverMs?: number;
  readonly onBuiltByOthers?: () => void;
  /** Called before the file of a job is read. */
  readonly beforeProbe?: () => void;
}

export const sharedQueue = ({
  address,
  name,
  password,
  isBuilding = true,
  takeoverMs = 1000,
  onBuiltByOthers,
  beforeProbe,
}: SharedOptions) => {
  const probe = async (path: string): Promise<readonly Resolution[]> => {
    beforeProbe?.();
    return [sourceAt(path)];
  };
  return testQueue(
    (parts) =>
      new SharedBuildQueue({
        ...parts,
        redis: { address, readPassword: async () => password?.(), prefix: 'test', takeoverMs, retryPauseMs: 20 },
        queueName: async () => name,
        nameOf: async (source) => buildId(contentKey(source, quality), source),
        building: isBuilding ? { build: parts.build, probe, quality, jobs: 1 } : undefined,
        checkIntervalMs: 100,
        ...(onBuiltByOthers && { onBuiltByOthers }),
      }),
  );
};

/** Waits until something holds, at most 20 s. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it never came to this: ${what}`);
}
