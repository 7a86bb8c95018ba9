/**
 * What requests for documents, archives and texts of a folder ask for, from their addresses, and the words of
 * documents.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type PageLanguage, pageLanguageOf } from '../../core/http/words.ts';
import { parseLanguages } from '../../core/image/folder/folder-metadata.ts';
import { type PageRange, parsePageNumbers } from '../../core/image/folder/page-labels.ts';
import { badRequest, ImageError } from '../../core/image/model/errors.ts';
import { percentDecoded } from '../../core/parsing/parse.ts';
import type { PictureSize } from './page-image.ts';
import type { SelectionQuery } from './selection.ts';

/** The decoded path of the folder in an address such as `herbal/leaves.pdf`. Throws ImageError `not-found` for another ending. */
export function folderOf(rawPath: string, extension: string): string {
  const path = percentDecoded(rawPath);
  if (path === undefined || !path.endsWith(`.${extension}`)) {
    throw new ImageError('not-found', `The address of a folder here ends in .${extension}.`);
  }
  return path.slice(0, -extension.length - 1);
}

interface AskedPages extends Pick<SelectionQuery, 'pages' | 'at' | 'typed'> {
  readonly pages: readonly PageRange[] | undefined;
}

/** Numbers as the parameters count them; anything else are labels of pages, whichever parameter has them. */
function pagesIn(query: URLSearchParams): AskedPages {
  const [pages, at] = ['pages', 'at'].map((name) => query.get(name) || undefined);
  const [numbers, positions] = [pages, at].map((text) => (text === undefined ? undefined : parsePageNumbers(text)));
  const typed = [at, pages].find((text) => text !== undefined && parsePageNumbers(text) === undefined);
  return { pages: numbers, at: positions, ...(typed !== undefined && { typed }) };
}

function numberIn(query: URLSearchParams, name: string, largest: number): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const number = /^[0-9]{1,6}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > largest) throw badRequest(`“${name}” must be a whole number from 1 to ${largest}.`);
  return number;
}

/** The size of the pictures: `size` in pixels of the longer side, or `dpi`; that of the originals without. */
function sizeIn(query: URLSearchParams): PictureSize {
  const dpi = numberIn(query, 'dpi', 2400);
  if (dpi !== undefined) return { kind: 'dpi', dpi };
  const side = numberIn(query, 'size', 100_000);
  return side === undefined ? { kind: 'original' } : { kind: 'pixels', width: side, height: side };
}

export interface DocumentRequest extends SelectionQuery {
  readonly size: PictureSize;
  readonly words: Readonly<Record<DocumentWord, string>> & { readonly language: string };
}

/** The reader's languages: those of the parameter `lang`, or else of the browser. */
export const languagesOf = (query: URLSearchParams, headers: IncomingHttpHeaders): readonly string[] =>
  parseLanguages(query.get('lang') || headers['accept-language'] || '');

/** Throws ImageError for a malformed request. */
export function parseDocumentRequest(
  path: string,
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
): DocumentRequest {
  const languages = languagesOf(query, headers);
  return {
    path,
    ...pagesIn(query),
    languages,
    size: sizeIn(query),
    words: documentWords(pageLanguageOf(languages)),
  };
}

const words = {
  en: {
    rights: 'Rights',
    address: 'Address',
    made: 'As of',
    pages: 'Pages',
    author: 'Author',
    date: 'Date',
    reference: 'Reference',
    missingPage: 'The picture of this page can’t be made.',
    waiting: 'The PDF is being made',
    waitingNote: 'This page shows it as soon as it is ready.',
    progress: 'pages',
    failed: 'The PDF could not be made',
    none: 'There is no such PDF',
  },
  de: {
    rights: 'Rechte',
    address: 'Adresse',
    made: 'Stand',
    pages: 'Seiten',
    author: 'Verfasser',
    date: 'Datum',
    reference: 'Zitat',
    missingPage: 'Das Bild dieser Seite kann nicht erzeugt werden.',
    waiting: 'Das PDF wird erzeugt',
    waitingNote: 'Diese Seite zeigt es, sobald es fertig ist.',
    progress: 'Seiten',
    failed: 'Das PDF konnte nicht erzeugt werden',
    none: 'Dieses PDF gibt es nicht',
  },
  fr: {
    rights: 'Droits',
    address: 'Adresse',
    made: 'État au',
    pages: 'Pages',
    author: 'Auteur',
    date: 'Date',
    reference: 'Référence',
    missingPage: 'L’image de cette page ne peut pas être produite.',
    waiting: 'Le PDF est en cours de création',
    waitingNote: 'Cette page l’affichera dès qu’il sera prêt.',
    progress: 'pages',
    failed: 'Le PDF n’a pas pu être créé',
    none: 'Ce PDF n’existe pas',
  },
} as const satisfies Readonly<Record<PageLanguage, Readonly<Record<string, string>>>>;

export type DocumentWord = keyof (typeof words)['en'];

/** All words in a language, with its tag (BCP 47). */
export const documentWords = (
  language: PageLanguage,
): Readonly<Record<DocumentWord, string>> & { readonly language: PageLanguage } => ({ ...words[language], language });
