/** The storages that are open: opened from addresses in one place, and handed down to all who read files. */
import path from 'node:path';
import { DiskStorage } from './disk/disk-storage.ts';
import { storageKinds } from './kinds.ts';
import type {
  AddressUse,
  FileVersion,
  IoLoad,
  OpenedStorage,
  SourceHandle,
  Storage,
  StorageKind,
  StorageOptions,
  UsedAddress,
} from './storage.ts';

/** The kind of storage that an address is one of. */
export function kindOf(address: string): StorageKind {
  const kind = storageKinds.find((one) => one.has(address));
  if (kind === undefined) throw new TypeError(`no storage has ${address}`);
  return kind;
}

/** The path in this process of an absolute address. */
export const storagePathOf = (address: string, use: AddressUse = 'library'): string =>
  kindOf(address).pathOf(address, use);

export class Storages {
  readonly #opened: readonly OpenedStorage[];
  /** Without those of the system, whose paths have no common root. */
  readonly #rooted: readonly (OpenedStorage & { readonly prefix: string })[];
  readonly #system: Storage;
  readonly #onClose: (() => Promise<void>) | undefined;

  /** By default the disks alone. */
  constructor(
    opened: readonly OpenedStorage[] = [{ root: '', storage: new DiskStorage(), name: 'disk' }],
    onClose?: () => Promise<void>,
  ) {
    this.#opened = opened;
    this.#onClose = onClose;
    this.#rooted = opened.filter(({ root }) => root !== '').map((one) => ({ ...one, prefix: `${one.root}/` }));
    this.#system = opened.find(({ root }) => root === '')?.storage ?? new DiskStorage();
  }

  /** Whether requests may wait for a storage that is none of the system. */
  get areAwaited(): boolean {
    return this.#rooted.length > 0;
  }

  /** Whether there are storages that find files by their names. */
  get findByName(): boolean {
    return this.#opened.some(({ storage }) => storage.byName !== undefined);
  }

  /** The storage that has a path. Throws as where nothing is there where it is none that is open. */
  of(file: string): Storage {
    for (const { root, prefix, storage } of this.#rooted) if (file.startsWith(prefix) || file === root) return storage;
    if (!path.isAbsolute(file)) throw Object.assign(new Error('ENOENT: no storage has the path'), { code: 'ENOENT' });
    return this.#system;
  }

  handle<File extends FileVersion>(file: File): SourceHandle<File> {
    return this.of(file.path).handle(file);
  }

  /**
   * The same storages for a library of these directories, which are absolute paths without links, each of which may lie on a
   * disk of its own. `onNoAnswer` is called whenever a disk does not answer.
   */
  limited(directories: readonly string[], onNoAnswer: () => void): Storages {
    const opened = this.#opened.map((one) => ({
      ...one,
      storage: one.storage.limited?.(directories, onNoAnswer) ?? one.storage,
    }));
    return new Storages(opened);
  }

  /** The directory that holds a path, of those that are limited; undefined elsewhere. */
  directoryOf(file: string): string | undefined {
    for (const { storage } of this.#opened) {
      const directory = storage.directoryOf?.(file);
      if (directory !== undefined) return directory;
    }
    return undefined;
  }

  load(): readonly IoLoad[] {
    return this.#opened.flatMap(({ storage }) => storage.load?.() ?? []);
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map(({ storage }) => storage.close()));
    await this.#onClose?.();
  }
}

/** A storage that can’t be used, and why: `problem` is a sentence, undefined for a fault that may pass. */
interface StorageFault {
  readonly name: string;
  readonly error: unknown;
  readonly problem: string | undefined;
}

/** The storages of these addresses, which close the catalogue too, and those of them that fail. */
export async function openStorages(addresses: readonly UsedAddress[], options: StorageOptions) {
  const opened: OpenedStorage[] = [];
  const faults: StorageFault[] = [];
  for (const kind of storageKinds) {
    const storages = await kind.open(
      addresses.filter(({ address }) => kindOf(address) === kind),
      options,
    );
    opened.push(...storages);
    const checks = storages.map(({ name, storage }) =>
      storage.check().catch((error: unknown) => {
        faults.push({ name, error, problem: kind.problemOf?.(name, error) });
      }),
    );
    await Promise.all(checks);
  }
  return { storages: new Storages(opened, async () => options.catalogue?.close()), faults };
}
