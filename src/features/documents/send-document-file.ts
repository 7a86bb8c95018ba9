/** Sends PDF documents and data sets: those that are kept with ranges and tags, documents that are being made as their bytes come. */
import contentDisposition from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { streamedBytes } from '../../core/answers/outgoing-bytes.ts';
import { whenAbandoned } from '../../core/http/abandoned-responses.ts';
import { clientKeyOf, type TrustedProxies } from '../../core/http/origin.ts';
import { releaseWhenSent } from '../../core/http/outgoing.ts';
import {
  isNotModified,
  isRangeOfVersion,
  privateCacheControl,
  type Representation,
} from '../../core/http/representation.ts';
import type { WorkRules } from '../../core/http/request-context.ts';
import { parseByteRange, sendUnsatisfiable, setAllHeaders } from '../../core/http/send.ts';
import { isOfCrowd } from '../../core/image/model/share.ts';
import type { PreparedDocument } from './documents.ts';
import type { PagesFor } from './page-image.ts';
import type { DocumentProgress, DocumentStore, Making } from './pdf/document-store.ts';
import type { Selection } from './selection.ts';

export interface SendingParts {
  readonly documentStore: DocumentStore;
  readonly trusted: TrustedProxies;
  readonly sharesOf?: WorkRules['sharesOf'];
  readonly pay?: WorkRules['pay'];
  /** The `Cache-Control` of what everyone may see. */
  readonly cacheControl: string;
}

export const pdfType = 'application/pdf';

/** A name for a saved file; clients that read only `filename` differ in how they decode anything but plain ASCII. */
export const dispositionOf = (name: string, type: 'inline' | 'attachment'): string =>
  contentDisposition(name, { type, fallback: name.replace(/[^\x20-\x7e]|["\\%/]/g, '_') });

/** What is sent and made of a document; `vary` names the header of requests on which it depends, if it does. */
type Sent = Pick<PreparedDocument, 'selection' | 'key'> & { readonly vary?: string };

const representationOf = (
  { selection, key, vary }: Sent,
  mediaType: string,
  contentDisposition: string,
  kept: Extract<DocumentProgress, { kind: 'done' }> | undefined,
  { cacheControl }: SendingParts,
): Representation => ({
  mediaType,
  // What is being made may end in an error: no cache may take it for the whole.
  cacheControl: kept === undefined ? 'no-store' : selection.isOpen ? cacheControl : privateCacheControl,
  contentDisposition,
  ...(vary !== undefined && { vary }),
  ...(kept && { etag: `"${key.slice(0, 32)}-${kept.version}"` }),
});

/** Sends a document that is kept. */
export async function sendKept(
  document: Sent,
  kept: Extract<DocumentProgress, { kind: 'done' }>,
  mediaType: string,
  disposition: string,
  parts: SendingParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers, method, raw } = request;
  request.cacheSubject = document.selection.path;
  const representation = representationOf(document, mediaType, disposition, kept, parts);
  setAllHeaders(reply, representation).header('accept-ranges', 'bytes');
  if (isNotModified(headers, representation)) return reply.code(304).send();
  if (method === 'HEAD') return reply.header('content-length', kept.bytes).send();
  const range = parseByteRange(isRangeOfVersion(headers, representation) ? headers.range : undefined, kept.bytes);
  if (range.kind === 'unsatisfiable') {
    return sendUnsatisfiable(kept.bytes, reply);
  }
  const { first, last } = range.kind === 'part' ? range : { first: 0, last: kept.bytes - 1 };
  if (range.kind === 'part') reply.code(206).header('content-range', `bytes ${first}-${last}/${kept.bytes}`);
  releaseWhenSent(await reply.server.outgoing.reserve(streamedBytes, whenAbandoned(raw, reply.raw)), reply.raw);
  return reply.header('content-length', last + 1 - first).send(parts.documentStore.read(document.key, first, last));
}

/** For whom the pages of a document are rendered. */
export const pagesFor = ({ trusted, sharesOf }: SendingParts, { raw }: FastifyRequest): PagesFor => {
  const { groups, weight, paysPyramid, onRendered } = sharesOf?.(raw, 'document') ?? {};
  return { client: clientKeyOf(raw, trusted), groups, weight, paysPyramid, onRendered };
};

/** The folder of a selection, where everyone may see these pages; undefined for the library as a whole. */
export const openFolderOf = ({ path, pages }: Pick<Selection, 'path' | 'pages'>): string | undefined =>
  path !== '' && pages.every(({ image }) => image.isOpen) ? path : undefined;

/** A document that nobody waits for gets this part of what a reader gets where both wait, and beside readers what they leave. */
const backgroundWeight = 0.5;

/**
 * Begins to make a document, which is paid from the budgets of the client, or joins those for whom it is made already; `in-background`:
 * whoever asked is told to come again. Rejects with ImageError `overloaded` where too many wait, and `over-budget`.
 */
export async function makeDocument(
  document: Pick<PreparedDocument, 'key' | 'pages' | 'work' | 'make'>,
  parts: SendingParts,
  request: FastifyRequest,
  how: 'awaited' | 'in-background' = 'awaited',
): Promise<Making> {
  const { documentStore, pay } = parts;
  const { key, pages } = document;
  const forPages = pagesFor(parts, request);
  const { client, groups, weight = 1 } = forPages;
  const owner = { name: groups?.at(-1) ?? client, isOfCrowd: isOfCrowd(forPages) };
  if (!documentStore.joins(key, owner)) await pay?.(request.raw, { ms: document.work() });
  const pagesInTurn = how === 'awaited' ? forPages : { ...forPages, weight: Math.min(weight, backgroundWeight) };
  return documentStore.make(key, pages, (signal, onPage) => document.make(pagesInTurn, signal, onPage), owner);
}

/** Sends a document: kept, or as it is being made. */
export async function sendDocumentFile(
  document: PreparedDocument & Sent,
  disposition: string,
  parts: SendingParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const progress = await parts.documentStore.progress(document.key);
  if (progress.kind === 'done') return sendKept(document, progress, pdfType, disposition, parts, request, reply);
  setAllHeaders(reply, representationOf(document, pdfType, disposition, undefined, parts));
  if (request.method === 'HEAD') return reply.send();
  const signal = whenAbandoned(request.raw, reply.raw);
  const making = await makeDocument(document, parts, request);
  making.waitUntil(signal);
  await making.begun;
  releaseWhenSent(await reply.server.outgoing.reserve(streamedBytes, signal), reply.raw);
  return reply.send(making.stream(signal));
}
