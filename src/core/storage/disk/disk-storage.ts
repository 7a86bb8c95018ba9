/** The file systems of this machine as a storage: links are followed and pinned, devices and pipes never waited for. */
import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PQueue from 'p-queue';
import { ifReadable } from '../file-errors.ts';
import type {
  FileStats,
  FileVersion,
  FolderState,
  FollowedPath,
  IoLoad,
  SourceHandle,
  Storage,
  StoredEntry,
  StoredFile,
  StoredKind,
} from '../storage.ts';
import { type DiskAccess, DiskHandle } from './disk-handle.ts';
import { IoLimiter } from './io-limiter.ts';
import { KnownStats, LocalDisks } from './known-stats.ts';
import { folderStateOf, isOnLocalDisk } from './mount-table.ts';
import { useAtOnce, useInThreads } from './open-file.ts';
import { OpenFiles } from './open-files.ts';
import { hasDescriptorPaths, isSamePath, pinPath, withPinnedPath } from './pinned-path.ts';

const statDeadlineMs = 10_000;

/** Reading a folder or a header may take longer than a stat. */
const readDeadlineMs = 30_000;

/** Reading a single byte takes no longer, in ms, on a disk that answers. */
const briefDeadlineMs = 5000;

/** The longest time of a timer, in ms: 24 days. */
const noDeadlineMs = 2 ** 31 - 1;

/**
 * Reads of large files that are under way at once for each limited directory, so that stats and headers of other requests
 * never wait behind many of them: a further one would only wait in the disk's own queue.
 */
const largeReads = { concurrency: 2 } as const;

/** Number of entries of a folder that are handled before other requests have a turn. */
const entriesPerTurn = 10_000;

const kindOf = (entry: Pick<Dirent, 'isFile' | 'isDirectory'>): StoredKind =>
  entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : undefined;

const notThere = (code: string): Error => Object.assign(new Error(`${code}: the path leads elsewhere`), { code });

async function linkEntry(file: string, name: string): Promise<StoredEntry> {
  const target = await ifReadable(withPinnedPath(file, async (pinned) => pinned));
  return { name, kind: target && kindOf(target.stats), link: { target: target?.real } };
}

/** Rejects as where nothing is there where the path leads elsewhere by now. */
async function entriesOf(directory: string): Promise<readonly StoredEntry[]> {
  const pinned = await pinPath(directory);
  try {
    if (!isSamePath(pinned.real, directory)) throw notThere('ENOENT');
    if (!pinned.stats.isDirectory()) throw notThere('ENOTDIR');
    const entries: StoredEntry[] = [];
    for (const entry of await readdir(pinned.readPath, { withFileTypes: true })) {
      const { name } = entry;
      const isLink = entry.isSymbolicLink();
      const stored = isLink ? await linkEntry(path.join(pinned.readPath, name), name) : { name, kind: kindOf(entry) };
      if (entries.push(stored) % entriesPerTurn === 0) await nextTurn();
    }
    return entries;
  } finally {
    await pinned.close();
  }
}

interface DiskParts {
  readonly disks: LocalDisks;
  readonly openFiles: OpenFiles;
}

function createParts(): DiskParts {
  const disks = new LocalDisks();
  return { disks, openFiles: new OpenFiles({ disks }) };
}

/** Methods reject with ImageError `disk-late` where a disk hangs. */
export class DiskStorage implements Storage {
  readonly #parts: DiskParts;
  readonly #limiter: IoLimiter;
  readonly #known: KnownStats;
  readonly #access: DiskAccess;
  readonly #turns = new Map<string, PQueue>();

  /** `directories` are those that are limited, each of which may lie on a disk of its own. */
  constructor(directories: readonly string[] = [], onNoAnswer?: () => void, parts: DiskParts = createParts()) {
    this.#parts = parts;
    this.#limiter = new IoLimiter(directories, { onNoAnswer });
    this.#known = new KnownStats(parts.disks);
    parts.disks.add(directories);
    this.#access = {
      storage: this,
      openFiles: parts.openFiles,
      isAtHand: (file) => this.#known.lstat(file)?.isSymbolicLink() === false,
      run: (file, operation) => this.#limiter.run(file, operation, readDeadlineMs),
      runBriefly: (file, operation) => this.#limiter.run(file, operation, briefDeadlineMs),
      runInTurn: (file, operation) => this.#turnsOf(file).add(() => this.#limiter.run(file, operation, readDeadlineMs)),
    };
  }

  limited(directories: readonly string[], onNoAnswer: () => void): DiskStorage {
    return new DiskStorage(directories, onNoAnswer, this.#parts);
  }

  directoryOf(file: string): string | undefined {
    return this.#limiter.directoryOf(file);
  }

  load(): readonly IoLoad[] {
    return this.#limiter.load();
  }

  knownStats(file: string, now?: 'now'): FileStats | undefined {
    return this.#known.lstat(file, now);
  }

  async lstat(file: string): Promise<FileStats> {
    const stats = await this.#limiter.run(file, () => lstat(file, { bigint: true }), statDeadlineMs, 'stat');
    this.#known.remember(file, stats);
    return stats;
  }

  follow(file: string): Promise<FollowedPath> {
    const follow = () => withPinnedPath(file, async ({ real, stats }) => ({ real, stats }));
    return this.#limiter.run(file, follow, statDeadlineMs, 'stat');
  }

  /** By it a disk is asked whether it answers, so that it waits with those that read. */
  realPath(file: string, atLeisure?: 'atLeisure'): Promise<string> {
    return this.#limiter.run(file, () => realpath(file), atLeisure ? noDeadlineMs : statDeadlineMs, 'read');
  }

  async *list(directory: string): AsyncIterable<readonly StoredEntry[]> {
    const entries = await this.#limiter.run(directory, () => entriesOf(directory), readDeadlineMs);
    for (let from = 0; from < entries.length; from += entriesPerTurn) {
      if (from > 0) await nextTurn();
      yield entries.slice(from, from + entriesPerTurn);
    }
  }

  /** A file that the system most likely has in memory is read without a thread. */
  async use<T>(file: string, work: (file: StoredFile) => Promise<T>, stats = this.knownStats(file)): Promise<T> {
    const reads = stats?.isFile() ? this.#parts.disks.readsOf(file, stats) : undefined;
    return hasDescriptorPaths && reads?.areAllowed
      ? useAtOnce(file, reads, work)
      : this.#limiter.run(file, () => useInThreads(file, work), readDeadlineMs);
  }

  handle<File extends FileVersion>(file: File): SourceHandle<File> {
    return new DiskHandle(file, this.#access);
  }

  stateOf(folder: string): FolderState {
    return folderStateOf(folder);
  }

  mayHang(file: string): boolean {
    return !isOnLocalDisk(file);
  }

  /** What a disk has is found when it is read. */
  async check(): Promise<void> {}

  async close(): Promise<void> {
    this.#parts.openFiles.close();
  }

  #turnsOf(file: string): PQueue {
    const directory = this.#limiter.directoryOf(file) ?? '';
    const turns = this.#turns.get(directory) ?? new PQueue(largeReads);
    this.#turns.set(directory, turns);
    return turns;
  }
}
