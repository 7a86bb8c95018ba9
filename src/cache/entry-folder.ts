/** The folder of entries on disk: puts them in whole or not at all, and removes the least used ones to keep its bound. */
import path from 'node:path';
import { codeOf } from '../storage/file-errors.ts';
import type { Candidate, DiskIndex } from './disk-index.ts';
import { fileBytesOf, writeEntry } from './entry-file.ts';
import type { FileSystem } from './file-system.ts';
import { type Address, cacheTag, type Layout } from './layout.ts';

export interface EntryFolderParts {
  readonly files: FileSystem;
  readonly layout: Layout;
  readonly maxBytes: number;
  readonly index: DiskIndex;
}

/** Where there is no room, the least used files go until this part of the bound is left. */
const roomyPart = 0.95;

/** Another process may have removed the file before. */
const ignoreAbsent = (error: unknown): void => {
  if (codeOf(error) !== 'ENOENT') throw error;
};

export class EntryFolder {
  readonly #parts: EntryFolderParts;
  #isPrepared = false;
  #wasRemoved = false;
  #evictions = 0;

  constructor(parts: EntryFolderParts) {
    this.#parts = parts;
  }

  get evictions(): number {
    return this.#evictions;
  }

  /** Whether the folder was removed since this was asked last, so that the index is wrong. */
  takeWasRemoved(): boolean {
    const wasRemoved = this.#wasRemoved;
    this.#wasRemoved = false;
    return wasRemoved;
  }

  /** Makes room, then writes the entry, unless `isGivenUp` says before the last step that it should not be there. */
  async put(address: Address, payload: Buffer, isGivenUp: () => boolean): Promise<void> {
    const { files, layout, index } = this.#parts;
    const fileBytes = fileBytesOf(address, payload);
    await this.makeRoom(fileBytes);
    const temporary = layout.temporaryFor(address.name);
    try {
      await this.#whenPrepared(() => writeEntry(files, temporary, address, payload));
      if (isGivenUp()) return await files.unlink(temporary);
      await this.#moveIn(temporary, layout.entry(address.name));
    } catch (error) {
      await files.unlink(temporary).catch(() => undefined);
      throw error;
    }
    index.use(address.name, fileBytes);
  }

  /** Removes the least used entries where there would not be room for a file of this length within the bound. */
  async makeRoom(fileBytes: number): Promise<void> {
    const { index, maxBytes } = this.#parts;
    if (index.totals().bytes + fileBytes <= maxBytes) return;
    await this.#evictDownTo(Math.min(maxBytes * roomyPart, maxBytes - fileBytes));
  }

  /** Makes some room where the disk has none: it is smaller than the bound, or others have filled it. */
  async giveWay(): Promise<void> {
    await this.#evictDownTo(this.#parts.index.totals().bytes * roomyPart);
  }

  /** Keeps the last use in the file’s modification time, for the next start. */
  async touch(name: string): Promise<void> {
    const { files, layout, index } = this.#parts;
    try {
      await files.setModified(layout.entry(name), Date.now());
    } catch (error) {
      // Elsewhere it stays as it is: a time that can’t be set does no harm.
      if (codeOf(error) === 'ENOENT') index.delete(name);
    }
  }

  async #whenPrepared(write: () => Promise<void>): Promise<void> {
    if (!this.#isPrepared) await this.#prepare();
    try {
      await write();
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      this.#wasRemoved = true;
      await this.#prepare();
      await write();
    }
  }

  async #prepare(): Promise<void> {
    const { files, layout } = this.#parts;
    await files.makeFolder(layout.temporary);
    await files.createText(layout.tag, cacheTag.text).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    this.#isPrepared = true;
  }

  async #moveIn(temporary: string, target: string): Promise<void> {
    const { files } = this.#parts;
    try {
      await files.rename(temporary, target);
    } catch (error) {
      ignoreAbsent(error);
      await files.makeFolder(path.dirname(target));
      await files.rename(temporary, target);
    }
  }

  async #evictDownTo(bytes: number): Promise<void> {
    const { index } = this.#parts;
    for (let over = index.totals().bytes - bytes; over > 0; over = index.totals().bytes - bytes) {
      for (const candidate of await index.leastUsed(over)) await this.#evict(candidate);
    }
  }

  async #evict(candidate: Candidate): Promise<void> {
    const { files, layout, index } = this.#parts;
    if (!index.isUnusedSince(candidate)) return;
    await files.unlink(layout.entry(candidate.name)).catch(ignoreAbsent);
    index.delete(candidate.name);
    this.#evictions++;
  }
}
