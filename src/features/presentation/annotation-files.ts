/**
 * Files of annotations that lie beside the images of a folder, those with georeferences among them: which pages have some, what they say,
 * and their faults.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { FolderMetadata } from '../../core/image/folder/folder-metadata.ts';
import { stemOf } from '../../core/image/model/formats.ts';
import type { Size } from '../../core/image/model/geometry.ts';
import { formatIdentifier, type Identifier, joinPage } from '../../core/image/model/identifier.ts';
import type { FilesOfPage } from '../../core/ports.ts';
import { type CanvasAnnotation, canvasAnnotations } from './model/web-annotations.ts';

export interface AnnotationSource {
  metadataOf(folder: Identifier): Promise<FolderMetadata>;
  /** The names in a folder that end with `.json`. */
  jsonFilesOf(folder: Identifier): Promise<ReadonlySet<string>>;
  /** The text of a file by its name alone; undefined where there is none that may be read. */
  readText(folder: Identifier, name: string): Promise<string | undefined>;
}

export interface AnnotationFilesParts {
  readonly source: AnnotationSource;
  /** Called once for each version of a file that can't be used. */
  readonly onFault: (fault: FolderFileFault) => void;
  /** Whether they have annotations of any kind, or georeferences, which metadata does not name. */
  readonly kind: 'annotations' | 'georef';
}

/** In characters: parsing a longer text would hold up other requests. */
const maxLength = 5 * 1024 * 1024;

/** How many are read before other requests have their turn. */
const annotationsPerTurn = 1000;

const tooLong = `The file is longer than ${maxLength / 1024 / 1024} MiB, so it is ignored.`;
const noJson = 'The file holds no JSON, so it is ignored.';

export interface AnnotationFiles {
  /** Tells which files each page of a folder has, without reading them; undefined where no page can have any. */
  filesIn(folder: Identifier): Promise<FilesOfPage | undefined>;
  /** What these files say about a page of `size` pixels. */
  read(folder: Identifier, files: readonly string[], size: Size): Promise<readonly CanvasAnnotation[]>;
}

/** Whether any of the names can be a file of annotations. */
const hasAny = (names: ReadonlySet<string>, ending: string): boolean =>
  [...names].some((name) => name.endsWith(ending));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

export function createAnnotationFiles({ source, onFault, kind }: AnnotationFilesParts): AnnotationFiles {
  const report = onceEach(onFault);
  const ending = `.${kind}.json`;

  async function readOne(folder: Identifier, file: string, size: Size): Promise<readonly CanvasAnnotation[]> {
    const text = await source.readText(folder, file);
    if (text === undefined) return [];
    const json = text.length > maxLength ? undefined : parseJson(text);
    if (json === undefined) report(folder, file, text.length, text.length > maxLength ? tooLong : noJson);
    const annotations: CanvasAnnotation[] = [];
    for (const annotation of canvasAnnotations(json, size))
      if (annotations.push(annotation) % annotationsPerTurn === 0) await nextTurn();
    return annotations;
  }

  return {
    async filesIn(folder) {
      const [names, metadata] = await Promise.all([source.jsonFilesOf(folder), source.metadataOf(folder)]);
      const named = kind === 'annotations' ? metadata.annotations : undefined;
      if (named === undefined && !hasAny(names, ending)) return undefined;
      return (file, page = 1) => {
        const own = joinPage(file, page);
        const beside = [own, ...(page === 1 ? [stemOf(file)] : [])].map((name) => name + ending);
        const listed = named?.get(own) ?? (page === 1 ? named?.get(file) : undefined) ?? [];
        return [...new Set([...beside, ...listed])].filter((name) => names.has(name));
      };
    },
    async read(folder, files, size) {
      const lists = await Promise.all(files.map((file) => readOne(folder, file, size)));
      const known = new Set<string>();
      return lists.flat().filter(({ id }) => id === '' || (!known.has(id) && known.add(id) !== undefined));
    },
  };
}

/** A file in a folder that is ignored because of a fault. */
export interface FolderFileFault {
  readonly folder: string;
  readonly file: string;
  readonly message: string;
}

export type ReportFault = (folder: Identifier, file: string, length: number, message: string) => void;

/** Reports each file once, and again when the length of its text has changed. */
export function onceEach(onFault: (fault: FolderFileFault) => void): ReportFault {
  const reported = new LRUCache<string, true>({ max: 10_000 });
  return (identifier, file, length, message) => {
    const folder = formatIdentifier(identifier);
    const key = JSON.stringify([folder, file, length]);
    if (reported.has(key)) return;
    reported.set(key, true);
    onFault({ folder, file, message });
  };
}
