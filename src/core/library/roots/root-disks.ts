/** The folders that the library is made of, and whether their disks answer. */
import { setTimeout as pause } from 'node:timers/promises';
import { ImageError } from '../../image/model/errors.ts';
import type { FolderState } from '../../storage/storage.ts';

/** A folder of the settings; `link` is the path at which the library shows a virtual folder. */
interface ConfiguredRoot {
  readonly folder: string;
  readonly link?: string;
}

export interface RootState extends ConfiguredRoot {
  /** `missing` where its disk answers, but has no such folder that may be read, as where nothing is mounted. */
  readonly state: 'answers' | 'hanging' | 'missing';
  /** Since when it hangs, in ms since 1970. */
  readonly sinceMs?: number;
}

export interface RootDisksParts {
  /** The state of a folder at the start, within some seconds. */
  readonly stateOf: (folder: string) => FolderState;
  /** The path of a folder without links; undefined where there is none. Waits as long as the disk takes. */
  readonly resolve: (folder: string) => Promise<string | undefined>;
  /** Called when a root that did not answer at start lies elsewhere than it seemed then. */
  readonly onMoved: () => void;
  readonly onHanging: ((folder: string) => void) | undefined;
  readonly onAnswering: ((folder: string) => void) | undefined;
}

/** A root, as far as it is known. */
interface Root extends ConfiguredRoot {
  /** Undefined where there is no such folder. */
  real: string | undefined;
  /** Whether `real` could not be checked yet. */
  isAssumed: boolean;
  isMissing: boolean;
  hangingSinceMs: number | undefined;
  /** The pending question to the disk. */
  asking: Promise<void> | undefined;
}

/** A disk that does not answer within this time, in ms, hangs. */
export const answerWithinMs = 2000;

/** How often a disk that hangs is asked again where it does not even take the question, in ms. */
const askAgainMs = 1000;

export class RootDisks {
  readonly #parts: RootDisksParts;
  readonly #roots: readonly Root[];
  #checking: Promise<readonly RootState[]> | undefined;

  /** The folders are absolute paths. Waits at most some seconds for each disk that hangs. */
  constructor(roots: readonly ConfiguredRoot[], parts: RootDisksParts) {
    this.#parts = parts;
    this.#roots = roots.map((root) => {
      const state = parts.stateOf(root.folder);
      const isHanging = state.kind === 'hanging';
      const real = state.kind === 'none' ? undefined : state.real;
      return { ...root, real, isAssumed: isHanging, isMissing: false, hangingSinceMs: undefined, asking: undefined };
    });
  }

  /** The path of a configured folder without links; undefined where there is none. */
  realPathOf(folder: string): string | undefined {
    return this.#roots.find((root) => root.folder === folder)?.real;
  }

  /** Reports the roots that hang at start. */
  watchHanging(): void {
    for (const root of this.#roots) if (root.isAssumed) this.#setHanging(root, Date.now());
  }

  /** The states as they are known. */
  states(): readonly RootState[] {
    return this.#roots.map(({ folder, link, isMissing, hangingSinceMs: sinceMs }) => ({
      folder,
      ...(link === undefined ? {} : { link }),
      ...(sinceMs === undefined ? { state: isMissing ? 'missing' : 'answers' } : { state: 'hanging', sinceMs }),
    }));
  }

  /** Asks all disks, each by one question at a time; resolves within 2 s. */
  check(): Promise<readonly RootState[]> {
    this.#checking ??= this.#askAll().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #askAll(): Promise<readonly RootState[]> {
    const askedMs = Date.now();
    const late = new AbortController();
    const all = Promise.all(this.#roots.map((root) => this.#ask(root)));
    await Promise.race([all, pause(answerWithinMs, undefined, { signal: late.signal })]);
    late.abort();
    for (const root of this.#roots) if (root.asking !== undefined) this.#setHanging(root, askedMs);
    return this.states();
  }

  /** Never rejects. */
  #ask(root: Root): Promise<void> {
    root.asking ??= Promise.resolve(root.folder)
      .then(this.#parts.resolve)
      .then(
        (real) => {
          root.asking = undefined;
          this.#setAnswering(root, real);
        },
        // The disk fails, which requests report, or has so many operations that hang that it can’t even be asked.
        async (error: unknown) => {
          if (error instanceof ImageError) this.#setHanging(root, Date.now());
          await pause(askAgainMs, undefined, { ref: false });
          root.asking = undefined;
        },
      );
    return root.asking;
  }

  #setHanging(root: Root, sinceMs: number): void {
    if (root.hangingSinceMs !== undefined) return;
    root.hangingSinceMs = sinceMs;
    this.#parts.onHanging?.(root.folder);
    void this.#untilAnswer(root);
  }

  async #untilAnswer(root: Root): Promise<void> {
    while (root.hangingSinceMs !== undefined) await this.#ask(root);
  }

  #setAnswering(root: Root, real: string | undefined): void {
    if (root.hangingSinceMs !== undefined) this.#parts.onAnswering?.(root.folder);
    root.hangingSinceMs = undefined;
    root.isMissing = real === undefined;
    const isMoved = root.isAssumed && real !== undefined && real !== root.real;
    root.isAssumed &&= real === undefined;
    if (!isMoved) return;
    root.real = real;
    this.#parts.onMoved();
  }
}
