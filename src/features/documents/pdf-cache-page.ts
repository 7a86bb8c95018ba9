/** What PDFCache sends while there is no document: a page for people that reloads itself, or digilib's JSON. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { page } from '../../core/http/html.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import { setAllHeaders } from '../../core/http/send.ts';
import { escapeHtml } from '../../core/text/markup.ts';
import type { DocumentWord } from './document-words.ts';
import { type PdfCacheState, pdfCacheStates } from './pdf-cache.ts';

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
