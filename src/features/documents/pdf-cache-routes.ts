/** digilib's PDFCache: a form begins a document, and its id leads to it, or says how far it is (digilib-pdf-text.md). */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../core/access/policy.ts';
import { whenAbandoned } from '../../core/http/abandoned-responses.ts';
import { isPassing, sendTextError, statusOf } from '../../core/http/error-responses.ts';
import { hasTooManyParameters, tooManyParameters } from '../../core/http/query-pairs.ts';
import { retryWhileReplaced } from '../../core/http/send.ts';
import { targetOf } from '../../core/http/target.ts';
import { pageLanguageOf } from '../../core/http/words.ts';
import { servletPaths } from '../../core/image/addresses/servlets.ts';
import { parseLanguages } from '../../core/image/folder/folder-metadata.ts';
import { parsePageNumbers } from '../../core/image/folder/page-labels.ts';
import { badRequest, ImageError } from '../../core/image/model/errors.ts';
import { documentWords } from './document-request.ts';
import { type DocumentRoutesParts, headOf } from './document-routes.ts';
import type { PreparedDocument } from './documents.ts';
import {
  BegunDocuments,
  type PdfCacheAnswer,
  type PdfCacheRequest,
  parsePdfCacheRequest,
  pdfCacheFileName,
  readRequestText,
  requestText,
  sendPdfCacheAnswer,
  wantsJson,
} from './pdf-cache.ts';
import { dispositionOf, makeDocument, openFolderOf, pdfType, sendKept } from './send-document-file.ts';

/** Who has begun a document comes back within this time, in ms; otherwise it is abandoned. */
const returnMs = 5 * 60_000;

/** The largest form, and the largest text in an id, in bytes. */
const maxFormBytes = 32 * 1024;

/** An id has to fit into an address. */
const maxIdLength = 6000;

function idOf(request: PdfCacheRequest): string {
  const id = deflateRawSync(requestText(request)).toString('base64url');
  if (id.length > maxIdLength) throw badRequest('The title, the author or another text of the document is too long.');
  return id;
}

function requestOf(id: string): PdfCacheRequest | undefined {
  if (!/^[\w-]{4,6000}$/.test(id)) return undefined;
  try {
    const text = inflateRawSync(Buffer.from(id, 'base64url'), { maxOutputLength: maxFormBytes });
    return readRequestText(text.toString('utf8'));
  } catch {
    return undefined;
  }
}

const wordsOf = ({ headers }: FastifyRequest) =>
  documentWords(pageLanguageOf(parseLanguages(headers['accept-language'] ?? '')));

interface PdfCacheParts extends DocumentRoutesParts {
  readonly begun: BegunDocuments;
}

/** The document that a form asked for, as the caller may have it now. Throws ImageError where it can't be made. */
async function prepare(
  asked: PdfCacheRequest,
  parts: PdfCacheParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ readonly document: PreparedDocument; readonly caller: Caller }> {
  const pages = parsePageNumbers(asked.pgs);
  if (pages === undefined) throw badRequest('“pgs” must name pages, such as 1-5,9,12-; they count the images from 1.');
  const languages = [asked.language];
  const head = await headOf(parts, languages);
  const heading = [asked.headerTitle || head.heading[0], asked.headerSubtitle || head.heading[1]];
  const { title, author, date, reference, onlineUrl: address } = asked;
  const query = {
    path: asked.fn,
    pages,
    languages,
    size: { kind: 'pixels', width: asked.dw, height: asked.dh } as const,
    sheet: 'a4' as const,
    words: documentWords(pageLanguageOf(languages)),
    head: { ...head, heading: heading.filter((line) => line !== undefined && line !== '') as string[] },
    base: undefined,
    own: { title, author, date, reference, address },
  };
  const caller = await parts.callers.callerOf(request.raw);
  const document = await parts.documents.prepare(query, caller, whenAbandoned(request.raw, reply.raw));
  request.openFolder = openFolderOf(document.selection);
  return { document, caller };
}

/** What an error is called in digilib's words: what is not there, what the caller may not see, and all others. */
function answerFor(error: unknown, docid: string): PdfCacheAnswer | undefined {
  if (!(error instanceof ImageError)) return undefined;
  const { code, message } = error;
  const status = statusOf(error);
  if (isPassing(status)) return undefined;
  if (code === 'not-found') return { state: 'NONEXISTENT', docid, message };
  if (code === 'denied' || code === 'login-needed') return { state: 'ERROR', docid, message, status };
  return status < 500 ? { state: 'ERROR', docid, message } : undefined;
}

const isOfDisk = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

function failure(error: unknown, docid: string): PdfCacheAnswer {
  const message = error instanceof ImageError ? error.message : 'The document could not be written.';
  return { state: isOfDisk(error) ? 'IOERROR' : 'ERROR', docid, message };
}

/** A document with how far it is. */
interface Found {
  readonly document: PreparedDocument;
  readonly progress: Progress;
}

/**
 * The document of a docid: as the folder is now, or the one that was begun before a file of the folder changed. Where that one
 * can't be had, since it failed or a page of it is not shown any more, the document of now is begun in its place.
 */
async function findDocument(
  asked: PdfCacheRequest,
  docid: string,
  parts: PdfCacheParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Found> {
  const { documentStore, begun } = parts;
  const { document, caller } = await prepare(asked, parts, request, reply);
  const progress = await documentStore.progress(document.key);
  const earlier = progress.kind === 'none' ? begun.earlier(docid, caller, document) : undefined;
  if (earlier === undefined) return { document, progress };
  const before = await documentStore.progress(earlier.document.key);
  // Nobody has waited for it, or it was kept until others needed its space.
  if (before.kind === 'none') return { document, progress };
  if (earlier.isVisible && before.kind !== 'failed') return { document: earlier.document, progress: before };
  (await makeDocument(document, parts, request)).waitFor(returnMs);
  begun.remember(docid, caller, document);
  return { document, progress: await documentStore.progress(document.key) };
}

/** How far a document is, where it is not done. */
function stateOf(
  { document, progress }: Found,
  docid: string,
  parts: PdfCacheParts,
): PdfCacheAnswer | { readonly kept: Extract<Progress, { kind: 'done' }> } {
  switch (progress.kind) {
    case 'done':
      return { kept: progress };
    case 'making': {
      parts.documentStore.waitFor(document.key, returnMs);
      const pages = { made: progress.pages, of: progress.of };
      return { state: 'WIP', docid, message: `${pages.made} of ${pages.of} pages are made.`, pages };
    }
    case 'failed':
      return failure(progress.error, docid);
    case 'none':
      return { state: 'NONEXISTENT', docid, message: 'No such document is being made; the form begins it.' };
  }
}

type Progress = Awaited<ReturnType<DocumentRoutesParts['documentStore']['progress']>>;

async function get(parts: PdfCacheParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { path, query } = targetOf(request.raw);
  const docid = new URLSearchParams(query).get('docid') ?? '';
  const asked = requestOf(docid);
  if (asked === undefined) {
    const message = `There is no valid docid in the address; a form that is sent to ${path} begins a document.`;
    return sendPdfCacheAnswer({ state: 'ERROR', docid, message }, wordsOf(request), request, reply);
  }
  request.imageName = asked.fn;
  const words = documentWords(pageLanguageOf([asked.language]));
  try {
    const found = await findDocument(asked, docid, parts, request, reply);
    const { document } = found;
    const state = stateOf(found, docid, parts);
    if (!('kept' in state)) return sendPdfCacheAnswer(state, words, request, reply);
    if (wantsJson(request)) {
      return sendPdfCacheAnswer({ state: 'DONE', docid, message: 'The document is made.' }, words, request, reply);
    }
    return await sendKept(
      { ...document, vary: 'Accept' },
      state.kept,
      pdfType,
      dispositionOf(pdfCacheFileName(asked), 'inline'),
      parts,
      request,
      reply,
    );
  } catch (error) {
    const answer = answerFor(error, docid);
    if (answer === undefined) throw error;
    return sendPdfCacheAnswer(answer, words, request, reply);
  }
}

async function post(parts: PdfCacheParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { path, query } = targetOf(request.raw);
  const form = typeof request.body === 'string' ? request.body : '';
  if (hasTooManyParameters(form)) throw tooManyParameters();
  const pairs = new URLSearchParams(`${form}&${query}`);
  const words = wordsOf(request);
  try {
    const asked = parsePdfCacheRequest(pairs, words.language);
    const docid = idOf(asked);
    request.imageName = asked.fn;
    const { document, caller } = await prepare(asked, parts, request, reply);
    parts.begun.remember(docid, caller, document);
    const progress = await parts.documentStore.progress(document.key);
    if (progress.kind === 'done' && !wantsJson(request)) {
      return await sendKept(
        { ...document, vary: 'Accept' },
        progress,
        pdfType,
        dispositionOf(pdfCacheFileName(asked), 'inline'),
        parts,
        request,
        reply,
      );
    }
    if (progress.kind !== 'done') (await makeDocument(document, parts, request)).waitFor(returnMs);
    return reply.header('cache-control', 'no-store').redirect(`${request.origin}${path}?docid=${docid}`, 302);
  } catch (error) {
    const answer = answerFor(error, '');
    if (answer === undefined) throw error;
    return sendPdfCacheAnswer(answer, words, request, reply);
  }
}

export const pdfCachePaths = servletPaths('PDFCache');

export const pdfCacheRoutes: FastifyPluginCallback<DocumentRoutesParts> = (server, options, done) => {
  const parts: PdfCacheParts = { ...options, begun: new BegunDocuments() };
  const answer =
    (handler: typeof get) =>
    (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      retryWhileReplaced(() => handler(parts, request, reply));
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxFormBytes },
    (_request, body, parsed) => parsed(null, body),
  );
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendTextError(
      isOfForm(error) ? badRequest('The form is too long, or of a type that is not read here.') : error,
      request,
      reply,
    );
  for (const url of pdfCachePaths) {
    server.route({ method: ['GET', 'HEAD'], url, prefixTrailingSlash: 'slash', handler: answer(get) });
    server.route({
      method: 'POST',
      url,
      prefixTrailingSlash: 'slash',
      config: { acceptsForms: true },
      handler: answer(post),
      errorHandler,
    });
  }
  done();
};

/** What Fastify refuses of a body: its length, or its type. */
const isOfForm = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^FST_ERR_CTP_/.test(String(error.code));
