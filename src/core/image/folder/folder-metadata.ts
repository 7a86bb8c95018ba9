/** The content of a folder's metadata file, and which of a text's languages is shown to a reader. */

import type { Redactions } from '../model/redaction.ts';

/** The names of a folder's metadata file; where there are several, only the first one is read. */
export const metadataFiles = ['metadata.yaml', 'metadata.yml', 'metadata.csv'] as const;

/** Those in which redactions count; each of them does. */
export const redactionsFiles: readonly string[] = metadataFiles.filter((name) => name !== 'metadata.csv');

export const isRedactionsFile = (name: string): boolean => redactionsFiles.includes(name);

/** Text in one or more languages, each a list of paragraphs; `none` where no language is given (Presentation 3.0, section 4). */
export type LanguageMap = Readonly<Record<string, readonly string[]>>;

/** A label with its value, shown as a pair. */
export interface LabeledText {
  readonly label: LanguageMap;
  readonly value: LanguageMap;
}

/** A page that leads elsewhere. */
export interface Homepage {
  readonly id: string;
  readonly label: LanguageMap;
  /** Media type, `text/html` where none is given. */
  readonly format: string;
}

export type ViewingDirection = 'left-to-right' | 'right-to-left' | 'top-to-bottom' | 'bottom-to-top';

/** A chapter: its pages by file name or number, and chapters inside of it. */
export interface Structure {
  readonly label: LanguageMap;
  /** File names of pages, with extension, in order; each is a page of the folder. */
  readonly pages: readonly string[];
  /** The part of its first page that it is, in percent of the image’s width and height; absent for whole pages. */
  readonly region?: PagePart;
  readonly structures: readonly Structure[];
}

/** An image that is a layer of a page. */
export interface FileLayer {
  /** The file name, with extension. */
  readonly file: string;
  readonly label?: LanguageMap;
}

/** A part of a page, in percent of its width and height. */
export interface PagePart {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What is covered of the pages of a folder. */
export interface FolderRedactions {
  /** Whether something may be covered of any page, and nobody knows what. */
  readonly isUnreadable: boolean;
  /** By file name with extension. */
  readonly byPage: ReadonlyMap<string, Redactions>;
}

export const unreadableRedactions: FolderRedactions = { isUnreadable: true, byPage: new Map() };

/** The content of `metadata.yaml` or `metadata.csv`. A member that no file gives is left out of the manifest, not invented. */
export interface FolderMetadata {
  readonly label?: LanguageMap;
  readonly summary?: LanguageMap;
  readonly metadata?: readonly LabeledText[];
  /** The address of a license or rights statement. */
  readonly rights?: string;
  readonly requiredStatement?: LabeledText;
  readonly homepage?: readonly Homepage[];
  readonly viewingDirection?: ViewingDirection;
  readonly behavior?: readonly string[];
  /** File names of pages outside of the pairs of facing pages, such as inserted leaves. */
  readonly nonPaged?: readonly string[];
  /** File names of images that show both pages of an opening. */
  readonly facingPages?: readonly string[];
  /** Labels of pages, by file name with extension. */
  readonly pageLabels?: ReadonlyMap<string, LanguageMap>;
  /** File names in display order; those that are not named follow in their own order. */
  readonly pageOrder?: readonly string[];
  readonly structures?: readonly Structure[];
  /** The layers of pages, from the first one that is shown, by the file name of the page, which is one of them. */
  readonly layers?: ReadonlyMap<string, readonly FileLayer[]>;
  /** Names of files in the folder with annotations of a page, by the page's file name. */
  readonly annotations?: ReadonlyMap<string, readonly string[]>;
  /** What is covered of pages; only admission uses it. */
  readonly redactions?: FolderRedactions;
}

/** A fault in a metadata file; the rest of the file still counts. */
export interface MetadataFault {
  /** The file's name alone. */
  readonly file: string;
  /** From 1; 0 where the fault has no line. */
  readonly line: number;
  /** A sentence that says what is wrong, and what would be right. */
  readonly message: string;
}

/** The tags of a list such as `de-AT, en;q=0.5`, in their order, in lower case. */
export const parseLanguages = (list: string): readonly string[] =>
  list
    .split(',')
    .map((part) => (part.split(';', 1)[0] ?? '').trim().toLowerCase())
    .filter((tag) => tag !== '' && tag !== '*');

const primaryOf = (tag: string): string => tag.split('-', 1)[0] ?? tag;

/** The paragraphs in the first language that somebody reads, else in English, else in the first that there is. */
export function textFor(text: LanguageMap, languages: readonly string[]): readonly string[] {
  const there = Object.entries(text).filter(([, paragraphs]) => paragraphs.length > 0);
  for (const wanted of [...languages, 'en']) {
    const exact = there.find(([tag]) => tag.toLowerCase() === wanted);
    const near = exact ?? there.find(([tag]) => primaryOf(tag.toLowerCase()) === primaryOf(wanted));
    if (near !== undefined) return near[1];
  }
  return there[0]?.[1] ?? [];
}
