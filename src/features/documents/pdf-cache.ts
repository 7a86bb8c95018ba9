/**
 * digilib's PDFCache: its parameters, the id that holds them, the documents that were begun, and what is sent while
 * there is none.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../core/access/policy.ts';
import { page } from '../../core/http/html.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import { setAllHeaders } from '../../core/http/send.ts';
import { escapeHtml } from '../../core/parsing/markup.ts';
import type { DocumentWord } from './document-request.ts';
import type { PreparedDocument } from './documents.ts';

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

/** What is remembered of a document that was begun. */
interface Begun {
  readonly key: string;
  readonly pages: number;
  /** As `PreparedDocument.shows`. */
  readonly shows: ReadonlySet<string>;
}

/** The pages and texts of all documents that are remembered, which bounds memory to about 10 MB. */
const maxNames = 100_000;

/** How long a document is remembered after it was last asked for, in ms. */
const rememberedMs = 60 * 60_000;

/** Callers of the same roles may see the same pages. */
const idFor = (docid: string, { roles }: Caller): string => JSON.stringify([docid, [...roles].sort()]);

export class BegunDocuments {
  readonly #begun = new LRUCache<string, Begun>({
    maxSize: maxNames,
    // Also those of few pages have an id and a key.
    sizeCalculation: ({ shows }, id) => shows.size + Math.ceil(id.length / 100) + 5,
    ttl: rememberedMs,
    updateAgeOnGet: true,
  });

  /** The document that a docid begins now for callers of these roles. */
  remember(docid: string, caller: Caller, document: PreparedDocument): void {
    const { key, pages, shows } = document;
    this.#begun.set(idFor(docid, caller), { key, pages, shows });
  }

  /**
   * The document that was begun for callers of these roles, where its files have changed since; `now` is what the docid means
   * now. `isVisible` says whether the caller may see each of its pages and their texts still. Undefined where nothing else was begun.
   */
  earlier(docid: string, caller: Caller, now: PreparedDocument) {
    const begun = this.#begun.get(idFor(docid, caller));
    if (begun === undefined || begun.key === now.key) return undefined;
    const isVisible = [...begun.shows].every((name) => now.shows.has(name));
    return { document: { ...now, ...begun }, isVisible };
  }
}

export interface PdfCacheAnswer {
  readonly state: PdfCacheState;
  readonly docid: string;
  /** A sentence, or how far the document is. */
  readonly message: string;
  /** Made pages and all pages. */
  readonly pages?: { readonly made: number; readonly of: number };
  /** Where the state is not that of the document: it is one of access. */
  readonly status?: number;
}

/** Whether the client wants digilib's JSON: only exactly this header does (digilib-pdf-text.md). */
export const wantsJson = ({ headers }: FastifyRequest): boolean => headers.accept === 'application/json';

/** After how many seconds a page asks again. */
const reloadAfterS = 2;

const style = `
main { max-width: 40rem; padding-top: 18vh; }
progress { width: 100%; height: .6rem; accent-color: var(--accent); margin: 1.6rem 0 .4rem; }
p { margin: .3rem 0; color: var(--soft); }
`;

type Words = Readonly<Record<DocumentWord, string>> & { readonly language: string };

function titleOf(state: PdfCacheState, words: Words): string {
  if (state === 'WIP') return words.waiting;
  return state === 'NONEXISTENT' ? words.none : words.failed;
}

function bodyOf({ state, message, pages }: PdfCacheAnswer, words: Words): string {
  const title = `<h1>${escapeHtml(titleOf(state, words))}</h1>`;
  if (state !== 'WIP') return `${title}<p>${escapeHtml(message)}</p>`;
  const { made = 0, of = 0 } = pages ?? {};
  const count = `${made} / ${of} ${words.progress}`;
  const label = escapeHtml(words.waiting);
  const bar = `<progress max="${of}" value="${made}" aria-label="${label}"></progress>`;
  return `${title}<p>${escapeHtml(words.waitingNote)}</p>${bar}<p>${escapeHtml(count)}</p>`;
}

export function sendPdfCacheAnswer(
  answer: PdfCacheAnswer,
  words: Words,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { state, docid, message, status = pdfCacheStates[state] } = answer;
  reply.code(status);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (wantsJson(request)) {
    setAllHeaders(reply, { mediaType: plainJson, cacheControl: 'no-store', vary: 'Accept' });
    return reply.send(JSON.stringify({ docid, status: state, message }));
  }
  const { html, policy } = page({
    title: titleOf(state, words),
    body: bodyOf(answer, words),
    style,
    language: words.language,
  });
  if (state === 'WIP') reply.header('refresh', String(reloadAfterS));
  setAllHeaders(reply, {
    mediaType: 'text/html; charset=utf-8',
    cacheControl: 'no-store',
    vary: 'Accept',
    contentSecurityPolicy: policy,
  });
  return reply.send(html);
}
