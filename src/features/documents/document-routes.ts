/** Folders to take along: `/pdf/{folder}.pdf`, `/zip/{folder}.zip` and `/txt/{folder}.txt`, and the progress of a PDF. */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { whenAbandoned } from '../../core/http/abandoned-responses.ts';
import { addRoutes, type ErrorSender, type Handler } from '../../core/http/add-routes.ts';
import type { Callers } from '../../core/http/callers.ts';
import { sendJsonError } from '../../core/http/error-responses.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import { releaseWhenSent } from '../../core/http/outgoing.ts';
import { privateCacheControl } from '../../core/http/representation.ts';
import { retryWhileReplaced, sendDocument, setAllHeaders } from '../../core/http/send.ts';
import { pathBehind, segmentsOf, targetOf } from '../../core/http/target.ts';
import { type LanguageMap, textFor } from '../../core/image/folder/folder-metadata.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { type CoverHead, rightsText } from './describe-document.ts';
import { folderOf, parseDocumentRequest } from './document-request.ts';
import type { DocumentQuery, Documents, PreparedDocument } from './documents.ts';
import {
  dispositionOf,
  makeDocument,
  openFolderOf,
  pagesFor,
  type SendingParts,
  sendDocumentFile,
} from './send-document-file.ts';
import type { TakeAlong } from './take-along.ts';
import { pageMs } from './work-estimate.ts';

export interface DocumentRoutesParts extends SendingParts {
  readonly documents: Documents;
  readonly takeAlong: TakeAlong;
  readonly callers: Callers;
  readonly contextPath: string;
  /** The logo and the heading of covers, as far as the settings name them. */
  readonly coverHead: CoverHead;
  /** The name of the library, in place of a heading. */
  readonly libraryName: () => Promise<LanguageMap>;
}

/** The answer of `/api/pdf.json`: how far a PDF document is. */
export interface DocumentState {
  /** `none`: nobody has begun it. */
  readonly state: 'none' | 'making' | 'done' | 'failed';
  /** How many pages are made. */
  readonly pages: number;
  /** How many pages it will have, without the cover. */
  readonly of: number;
  /** How long it is until now. */
  readonly bytes: number;
  /** Why it could not be made. */
  readonly message?: string;
}

/** Below the context path. */
export const pdfProgressPath = '/api/pdf.json';

const behind = ({ raw }: FastifyRequest, contextPath: string): string =>
  pathBehind(targetOf(raw).path, segmentsOf(contextPath) + 1);

const queryOf = ({ raw }: FastifyRequest): URLSearchParams => new URLSearchParams(targetOf(raw).query);

/** The head of covers: what the settings say, or else the name of the library. */
export async function headOf(
  { coverHead, libraryName }: Pick<DocumentRoutesParts, 'coverHead' | 'libraryName'>,
  languages: readonly string[],
): Promise<CoverHead> {
  if (coverHead.heading.length > 0) return coverHead;
  const name = textFor(await libraryName(), languages).join(' ');
  return { ...coverHead, heading: name === '' ? [] : [name] };
}

/** The document that a request asks for. Throws ImageError where the caller may not have it. */
async function prepare(
  path: string,
  parts: DocumentRoutesParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PreparedDocument> {
  const asked = parseDocumentRequest(path, queryOf(request), request.headers);
  const query: DocumentQuery = {
    ...asked,
    sheet: 'original',
    head: await headOf(parts, asked.languages),
    base: `${request.origin}${parts.contextPath}/`,
  };
  const caller = await parts.callers.callerOf(request.raw);
  const document = await parts.documents.prepare(query, caller, whenAbandoned(request.raw, reply.raw));
  request.openFolder = openFolderOf(document.selection);
  return document;
}

/** Without `lang` in the query, the browser says the languages of labels. */
const languageVary = (query: URLSearchParams) => (query.get('lang') ? {} : { vary: 'Accept-Language' });

const partIn = (query: URLSearchParams): string | null => query.get('at') ?? query.get('pages');

/** The name of a saved file: that of the folder, with the pages where they are not all. */
function fileNameOf(path: string, pages: string | null, extension: string): string {
  const name = path.split('/').at(-1) || 'library';
  return pages
    ? `${name} ${pages.replace(/[^\p{L}\p{N},–-]/gu, '').slice(0, 60)}.${extension}`
    : `${name}.${extension}`;
}

const pdf =
  (parts: DocumentRoutesParts): Handler =>
  async (request, reply) => {
    const path = folderOf(behind(request, parts.contextPath), 'pdf');
    request.imageName = path;
    const document = await prepare(path, parts, request, reply);
    const query = queryOf(request);
    const name = fileNameOf(path, partIn(query), 'pdf');
    const sent = { ...document, ...languageVary(query) };
    return sendDocumentFile(sent, dispositionOf(name, 'inline'), parts, request, reply);
  };

/** Who has begun a document by asking how far it is asks again within this time, in ms; otherwise it is abandoned. */
const askAgainMs = 10_000;

const failureOf = (error: unknown): string =>
  error instanceof ImageError ? error.message : 'The document could not be written.';

/** How far the PDF of the same query is; with `make=1` it is begun, and made as long as somebody goes on asking. */
const progress =
  (parts: DocumentRoutesParts): Handler =>
  async (request, reply) => {
    const query = queryOf(request);
    const document = await prepare(query.get('fn') ?? '', parts, request, reply);
    const before = await parts.documentStore.progress(document.key);
    const isWanted = query.get('make') === '1' && (before.kind === 'none' || before.kind === 'making');
    if (isWanted) (await makeDocument(document, parts, request)).waitFor(askAgainMs);
    const state = isWanted ? await parts.documentStore.progress(document.key) : before;
    const answer: DocumentState = {
      state: state.kind,
      pages: state.kind === 'making' ? state.pages : state.kind === 'done' ? document.pages : 0,
      of: document.pages,
      bytes: 'bytes' in state ? state.bytes : 0,
      ...(state.kind === 'failed' && { message: failureOf(state.error) }),
    };
    return sendDocument(Buffer.from(JSON.stringify(answer)), plainJson, 'no-store', request, reply);
  };

/** The pages that a request names, as its caller may see them, and the name of the saved file. */
async function selectPages(
  extension: 'zip' | 'txt',
  parts: DocumentRoutesParts,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const path = folderOf(behind(request, parts.contextPath), extension);
  request.imageName = path;
  const query = queryOf(request);
  const asked = parseDocumentRequest(path, query, request.headers);
  const signal = whenAbandoned(request.raw, reply.raw);
  const takes = extension === 'txt' ? ('words' as const) : ('pictures' as const);
  const selection = await parts.takeAlong.select(
    { ...asked, takes },
    await parts.callers.callerOf(request.raw),
    signal,
  );
  request.openFolder = openFolderOf(selection);
  return { asked, selection, signal, name: fileNameOf(path, partIn(query), extension) };
}

const zip =
  (parts: DocumentRoutesParts): Handler =>
  async (request, reply) => {
    const { asked, selection, signal, name } = await selectPages('zip', parts, request, reply);
    const largestBytes = parts.takeAlong.largestPicture(selection.pages, asked.size);
    const contentDisposition = dispositionOf(name, 'attachment');
    const representation = { mediaType: 'application/zip', cacheControl: 'no-store', contentDisposition };
    if (request.method === 'HEAD') return setAllHeaders(reply, representation).send();
    await parts.pay?.(request.raw, { ms: parts.takeAlong.work(selection.pages, asked.size) });
    // One picture at a time is in memory.
    releaseWhenSent(await reply.server.outgoing.reserve(largestBytes, signal), reply.raw);
    const { size, words } = asked;
    const archive = await parts.takeAlong.archive(selection.pages, {
      ...{ ...pagesFor(parts, request), size, signal, words },
      rights: rightsText(selection, words),
    });
    return setAllHeaders(reply, representation).send(archive);
  };

const txt =
  (parts: DocumentRoutesParts): Handler =>
  async (request, reply) => {
    const { selection, signal, name } = await selectPages('txt', parts, request, reply);
    await parts.pay?.(request.raw, { ms: selection.pages.length * pageMs });
    const text = await parts.takeAlong.text(selection.pages, signal);
    if (text === undefined) throw new ImageError('not-found', 'None of these pages has a text.');
    const cacheControl = selection.isOpen ? parts.cacheControl : privateCacheControl;
    const contentDisposition = dispositionOf(name, 'inline');
    request.cacheSubject = selection.path;
    const vary = languageVary(queryOf(request));
    setAllHeaders(reply, { mediaType: 'text/plain; charset=utf-8', cacheControl, contentDisposition, ...vary });
    return request.method === 'HEAD' ? reply.send() : reply.send(text);
  };

export const documentRoutes: FastifyPluginCallback<DocumentRoutesParts> = (server, parts, done) => {
  const add = (url: string, handler: Handler, sendError?: ErrorSender): void =>
    addRoutes(server, [url], (request, reply) => retryWhileReplaced(async () => handler(request, reply)), sendError);
  add('/pdf/*', pdf(parts));
  add('/zip/*', zip(parts));
  add('/txt/*', txt(parts));
  add(pdfProgressPath, progress(parts), sendJsonError);
  done();
};
