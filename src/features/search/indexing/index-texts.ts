/** Brings the index of texts up to date with the library: folder by folder, what changed and nothing else. */
import { ifAdmitted } from '../../../core/access/admit.ts';
import { ifAnswering } from '../../../core/access/if-answering.ts';
import { ImageError } from '../../../core/image/model/errors.ts';
import { childOf, formatIdentifier } from '../../../core/image/model/identifier.ts';
import type { Admitted } from '../../../core/image/model/image-set.ts';
import type { Folder } from '../../../core/library/library.ts';
import type { FileTexts, PageTexts } from '../../../core/ports.ts';
import type { PageKey, SearchEngine } from '../engine/search-engine.ts';
import { pathOfFolder } from '../search-texts.ts';
import { fileOfName } from '../visible-pages.ts';
import { type PageReadingParts, pagesOfFiles, type TextOfFile } from './indexed-pages.ts';

export interface IndexingParts extends PageReadingParts {
  readonly texts: Pick<PageTexts, 'textsOfFiles' | 'pageText'>;
  readonly engine: SearchEngine;
}

export interface IndexingProgress {
  /** Folders that were walked. */
  readonly folders: number;
  /** Image files of these folders, so far. */
  readonly images: number;
  /** Those of them that have a text. */
  readonly files: number;
  /** Pages that were written, since they are new or changed. */
  readonly written: number;
  /** Pages that were deleted, since their text is gone. */
  readonly removed: number;
}

export interface IndexingOptions {
  readonly signal?: AbortSignal;
  /** Called after each part of a folder. */
  readonly onProgress?: (progress: IndexingProgress) => void;
}

/** Texts are read and written in parts of this many files. */
const filesAtOnce = 200;

/** Reading goes on while one part is written and the next one is on its way, so that a kill loses at most three parts. */
const mostUnwritten = 2;

/** All folders of the library, each once, by their first path. */
export async function* indexedFolders(
  { admission, caller }: Pick<IndexingParts, 'admission' | 'caller'>,
  signal?: AbortSignal,
): AsyncGenerator<Admitted<Folder> | 'no-answer'> {
  const seen = new Set<string>();
  const waiting: string[] = [''];
  for (let path = waiting.pop(); path !== undefined && signal?.aborted !== true; path = waiting.pop()) {
    const folder = await ifAnswering(ifAdmitted(admission.admitFolder(path, caller)));
    if (folder === 'no-answer') yield folder;
    if (folder === undefined || folder === 'no-answer') continue;
    const canonical = pathOfFolder(folder);
    if (seen.has(canonical)) continue;
    seen.add(canonical);
    yield folder;
    for (const name of folder.folders.toReversed()) waiting.push(formatIdentifier(childOf(folder.identifier, name)));
  }
}

/** Whether some work ended as it should: false where a disk did not answer. */
async function answers(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof ImageError) return false;
    throw error;
  }
}

/** What differs between the index and a folder. */
function differences(
  indexed: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, FileTexts>,
): { readonly changed: readonly TextOfFile[]; readonly gone: readonly string[] } {
  const changed = [...files].flatMap(([file, source]) =>
    indexed.get(file) === source.fingerprint ? [] : [{ file, source }],
  );
  const replaced = new Set(changed.map(({ file }) => file));
  const gone = [...indexed.keys()].filter((name) => {
    const { file } = fileOfName(name);
    return !files.has(file) || replaced.has(file);
  });
  return { changed, gone };
}

/**
 * Walks the library and brings the index up to date. What was written stays where it ends early, so that the next one goes
 * on from there. Rejects with SearchEngineError where the engine can't be used.
 */
export async function indexTexts(parts: IndexingParts, options: IndexingOptions = {}): Promise<IndexingProgress> {
  const { texts, engine, caller } = parts;
  const { signal, onProgress } = options;
  const isStopped = (): boolean => signal?.aborted === true;
  let progress: IndexingProgress = { folders: 0, images: 0, files: 0, written: 0, removed: 0 };
  const report = (more: Partial<IndexingProgress>): void => {
    progress = { ...progress, ...more };
    onProgress?.(progress);
  };
  const walked = new Set<string>();
  const indexedBefore = new Set(await engine.folders());
  let isComplete = true;
  const unwritten: Promise<void>[] = [];

  /** Waits until at most `most` parts are not yet written. Rejects as writing one did. */
  async function waitForWriting(most = 0): Promise<void> {
    while (unwritten.length > most) await unwritten.shift();
  }

  async function removePages(keys: readonly PageKey[], counted: number): Promise<void> {
    if (keys.length === 0) return;
    await waitForWriting();
    await engine.remove(keys);
    if (counted > 0) report({ removed: progress.removed + counted });
  }

  async function indexFolder(folder: Admitted<Folder>): Promise<void> {
    const key = pathOfFolder(folder);
    walked.add(key);
    const [files, indexed] = await Promise.all([
      texts.textsOfFiles(folder, folder.images, caller),
      // The engine answers behind what it writes, so it is not asked for what it can't have.
      indexedBefore.has(key) ? engine.fingerprints(key) : new Map<string, string>(),
    ]);
    const { changed, gone } = differences(indexed, files);
    report({
      images: progress.images + folder.images.length - changed.length,
      files: progress.files + files.size - changed.length,
    });
    for (let from = 0; from < changed.length && !isStopped(); from += filesAtOnce) {
      const part = changed.slice(from, from + filesAtOnce);
      const pages = await pagesOfFiles(folder, part, parts);
      await waitForWriting(mostUnwritten - 1);
      const writing = engine.put(pages);
      // It is awaited later, and rejects then.
      writing.catch(() => undefined);
      unwritten.push(writing);
      const kept = new Set(pages.map(({ name }) => name));
      const files = new Set(part.map(({ file }) => file));
      const stale = gone.filter((name) => files.has(fileOfName(name).file) && !kept.has(name));
      await removePages(
        stale.map((name) => ({ folder: key, name })),
        0,
      );
      report({
        images: progress.images + part.length,
        files: progress.files + part.length,
        written: progress.written + pages.length,
      });
    }
    const vanished = gone.filter((name) => !files.has(fileOfName(name).file));
    await removePages(
      vanished.map((name) => ({ folder: key, name })),
      vanished.length,
    );
    report({ folders: progress.folders + 1 });
  }

  /** Deletes the pages of folders that are gone; where a disk does not answer, nothing is known to be gone. */
  async function removeGoneFolders(): Promise<void> {
    for (const folder of indexedBefore) {
      if (walked.has(folder) || isStopped()) continue;
      const names = [...(await engine.fingerprints(folder)).keys()];
      await removePages(
        names.map((name) => ({ folder, name })),
        names.length,
      );
    }
  }

  for await (const folder of indexedFolders(parts, signal)) {
    if (folder === 'no-answer' || !(await answers(indexFolder(folder)))) isComplete = false;
  }
  await waitForWriting();
  if (isComplete && !isStopped()) await removeGoneFolders();
  return progress;
}

/** The result of a run, with the index as it is then. */
export interface IndexingResult extends IndexingProgress {
  readonly pages: number;
  /** On disk. */
  readonly bytes: number;
}

/** What the process tells the server. */
export type IndexingReport =
  | { readonly kind: 'progress'; readonly progress: IndexingProgress }
  | { readonly kind: 'done'; readonly result: IndexingResult }
  /** A sentence. */
  | { readonly kind: 'failed'; readonly reason: string };
