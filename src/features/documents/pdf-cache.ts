/** The parameters of digilib's PDFCache, and the id of a document, which holds all of them (digilib-pdf-text.md). */

/** What a form asks for; texts are as they were sent. */
export interface PdfCacheRequest {
  readonly fn: string;
  readonly pgs: string;
  /** The largest width and height of each picture in pixels; 0: free. */
  readonly dw: number;
  readonly dh: number;
  readonly headerTitle: string;
  readonly headerSubtitle: string;
  readonly title: string;
  readonly author: string;
  readonly date: string;
  readonly reference: string;
  readonly onlineUrl: string;
  /** The language of the words that the document adds, a tag in lower case. */
  readonly language: string;
}

const defaultHeight = 500;

const numberOf = (text: string | null, otherwise: number): number => {
  const number = Number((text ?? '').trim() || Number.NaN);
  return Number.isInteger(number) && number >= 0 && number <= 100_000 ? number : otherwise;
};

/** Reads the pairs of a form, or of a query. */
export function parsePdfCacheRequest(pairs: URLSearchParams, language: string): PdfCacheRequest {
  const text = (name: string): string => (pairs.get(name) ?? '').trim();
  return {
    fn: text('fn'),
    pgs: text('pgs'),
    dw: numberOf(pairs.get('dw'), 0),
    dh: numberOf(pairs.get('dh'), defaultHeight),
    headerTitle: text('header-title'),
    headerSubtitle: text('header-subtitle'),
    title: text('title'),
    author: text('author'),
    date: text('date'),
    reference: text('reference'),
    onlineUrl: text('online-url'),
    language,
  };
}

/** The values in the order that ids have. */
const texts = [
  'fn',
  'pgs',
  'headerTitle',
  'headerSubtitle',
  'title',
  'author',
  'date',
  'reference',
  'onlineUrl',
  'language',
] as const satisfies readonly (keyof PdfCacheRequest)[];

/** The members of a request as one text, which `readRequestText` reads back. */
export const requestText = (request: PdfCacheRequest): string =>
  JSON.stringify([request.dw, request.dh, ...texts.map((name) => request[name])]);

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 100_000;

/** Undefined where it is no such text. */
export function readRequestText(text: string): PdfCacheRequest | undefined {
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(values) || values.length !== texts.length + 2) return undefined;
  const [dw, dh, ...rest] = values as readonly unknown[];
  if (!isSize(dw) || !isSize(dh) || !rest.every((value) => typeof value === 'string')) return undefined;
  const members = Object.fromEntries(texts.map((name, index) => [name, rest[index]]));
  return { dw, dh, ...members } as PdfCacheRequest;
}

/** The name of the saved document. */
export const pdfCacheFileName = ({ fn, pgs }: PdfCacheRequest): string =>
  `digilib_${fn.replaceAll('/', '-')}_pgs${pgs}.pdf`;

/** digilib's words for the state of a document, with their status. */
export const pdfCacheStates = {
  DONE: 200,
  WIP: 202,
  NONEXISTENT: 404,
  IOERROR: 404,
  ERROR: 400,
} as const;

export type PdfCacheState = keyof typeof pdfCacheStates;
