/** Files whose decoder crashed, starved or outlasted a render process: such pictures of them are refused until they change. */
import { LRUCache } from 'lru-cache';
import { type FaultKind, ImageError, sentenceOf } from '../image/model/errors.ts';
import type { LevelLocation } from '../image/model/image-set.ts';
import { type Cost, costOf } from '../image/plan/cost.ts';
import type { Render } from '../image/plan/plan-types.ts';

/** A rendering that failed: of which level, and what it was estimated to cost. */
export interface StoredFault extends Cost {
  readonly kind: FaultKind;
  readonly location: LevelLocation;
}

/** A file that was put aside; the path is the host's. */
export interface FaultyFile {
  readonly path: string;
  readonly fingerprint: string;
  readonly faults: readonly StoredFault[];
}

/** A store of faults that outlasts the process. */
export interface FaultStore {
  /** The faults of the file with this fingerprint; undefined where there are none, or they can't be trusted. */
  faultsOf(path: string, fingerprint: string): Promise<readonly StoredFault[] | undefined>;
  storeFaults(path: string, fingerprint: string, faults: readonly StoredFault[]): void;
  faultyFiles(): Promise<readonly FaultyFile[]>;
}

const maxFiles = 1000;
const maxFaults = 8;

/** A rendering is of the same kind as one that failed where it is estimated to cost this part of it or more. */
const alike = 1 / 2;

/** Whether a rendering does what failed: reads the same level, and takes about as much. A crash counts for all of a level. */
function isAlike({ kind, location, bytes, ms }: StoredFault, plan: Render): boolean {
  if (JSON.stringify(location) !== JSON.stringify(plan.location)) return false;
  if (kind === 'crash') return true;
  const cost = costOf(plan);
  return kind === 'memory' ? cost.bytes >= bytes * alike : cost.ms >= ms * alike;
}

export class Quarantine {
  readonly #store: FaultStore | undefined;
  /** The least recently used ones are dropped from memory first. */
  readonly #files = new LRUCache<string, FaultyFile>({ max: maxFiles });

  /** Without a store, faults are known until the process ends. */
  constructor(store?: FaultStore) {
    this.#store = store;
  }

  /** Throws ImageError `put-aside` where such a rendering of the file has failed, and the file has not changed since. */
  async requireUsable(plan: Render): Promise<void> {
    const fault = (await this.#faultsOf(plan.file)).find((each) => isAlike(each, plan));
    if (fault === undefined) return;
    throw new ImageError(
      'put-aside',
      `This picture is not tried again until the image’s file changes: ${sentenceOf(fault.kind)}.`,
    );
  }

  /** Puts the file of a rendering aside. */
  async add(plan: Render, kind: FaultKind): Promise<void> {
    const { path, fingerprint } = plan.file;
    const faults = [{ kind, location: plan.location, ...costOf(plan) }, ...(await this.#faultsOf(plan.file))];
    const file = { path, fingerprint, faults: faults.slice(0, maxFaults) };
    this.#files.set(path, file);
    this.#store?.storeFaults(path, fingerprint, file.faults);
  }

  /** Number of files that were put aside, or found so, since the start. */
  size(): number {
    return this.#files.size;
  }

  async #faultsOf({ path, fingerprint }: Render['file']): Promise<readonly StoredFault[]> {
    const known = this.#files.get(path);
    if (known?.fingerprint === fingerprint) return known.faults;
    const faults = await this.#store?.faultsOf(path, fingerprint);
    if (faults === undefined) return [];
    this.#files.set(path, { path, fingerprint, faults });
    return faults;
  }
}
