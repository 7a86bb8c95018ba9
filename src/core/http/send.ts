/** Sends responses through Fastify: the body, its headers alone for HEAD, or 304 where the client has it already. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BodyOptions, ImageAnswer, OriginalAnswer } from '../answers/images.ts';
import { streamedBytes } from '../answers/outgoing-bytes.ts';
import { ImageError } from '../image/model/errors.ts';
import { releaseWhenSent } from './outgoing.ts';
import {
  contentHeaders,
  documentRepresentation,
  failsPrecondition,
  type HeaderList,
  isNotModified,
  isRangeOfVersion,
  metadataHeaders,
  type Representation,
  tagOf,
} from './representation.ts';
import { bodyOptionsOf, serverTimingOf, type WorkRules } from './request-context.ts';

export function setHeaders(reply: FastifyReply, headers: HeaderList): FastifyReply {
  for (let index = 0; index < headers.length; index += 2) reply.header(headers[index] ?? '', headers[index + 1]);
  return reply;
}

export const setAllHeaders = (reply: FastifyReply, representation: Representation): FastifyReply =>
  setHeaders(setHeaders(reply, metadataHeaders(representation)), contentHeaders(representation));

const sendNotModified = (representation: Representation, reply: FastifyReply): FastifyReply =>
  setHeaders(reply.code(304), metadataHeaders(representation)).send();

export function sendRepresentation(
  representation: Representation,
  body: Buffer | string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (isNotModified(request.headers, representation)) return sendNotModified(representation, reply);
  return sendBody(body, setAllHeaders(reply, representation));
}

/** A shorter body is with the system at once, or costs no more than its headers. */
const countedBytes = 16 * 1024;

function sendBody(body: Buffer | string, reply: FastifyReply): FastifyReply {
  if (typeof body === 'string' || body.length < countedBytes) return reply.send(body);
  releaseWhenSent(reply.server.outgoing.hold(body), reply.raw);
  return reply.send(body);
}

/** Sends a document of one media type, with a tag made from its bytes. */
export const sendDocument = (
  body: Buffer,
  mediaType: string,
  cacheControl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => sendRepresentation({ mediaType, cacheControl, etag: tagOf(mediaType, body) }, body, request, reply);

/** The same where the media type depends on what the client accepts. */
export const sendNegotiated = (
  body: Buffer,
  mediaType: string,
  cacheControl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => sendRepresentation(documentRepresentation(body, mediaType, cacheControl), body, request, reply);

/** Leaves other requests their turn after each piece. */
async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await nextTurn();
  }
}

/** Sends a document that is written while it is sent, so that it has neither a length nor a tag. */
export function sendLongDocument(
  pieces: Iterable<string>,
  mediaType: string,
  cacheControl: string,
  { method }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  setAllHeaders(reply, { mediaType, cacheControl, vary: 'Accept' });
  return method === 'HEAD' ? reply.send() : reply.send(Readable.from(inTurns(pieces)));
}

/** Sends a picture, which is made only where its bytes are to be sent, or an original file. */
export async function sendPicture(
  answer: ImageAnswer,
  representation: Representation,
  rules: WorkRules,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (answer.kind === 'original') {
    const file = { bytes: answer.plan.file.bytes, open: (options: BodyOptions) => answer.open(options) };
    return sendFile(file, representation, rules, request, reply);
  }
  if (isNotModified(request.headers, representation)) return sendNotModified(representation, reply);
  if (request.method === 'HEAD') return setAllHeaders(reply, representation).send();
  const body = await answer.body(bodyOptionsOf(request.raw, reply.raw, rules));
  const timing = rules.serverTiming ? serverTimingOf(request.raw) : undefined;
  if (timing !== undefined) reply.header('server-timing', timing);
  return sendBody(body, setAllHeaders(reply, representation));
}

/** The answer to a range behind the end; a cache that kept it would have it for the file. */
export const sendUnsatisfiable = (bytes: number, reply: FastifyReply): FastifyReply =>
  reply.code(416).header('cache-control', 'no-store').header('content-range', `bytes */${bytes}`).send();

/** A file that is not open yet. */
export interface FileToSend {
  readonly bytes: number;
  open(options: BodyOptions): ReturnType<OriginalAnswer['open']>;
}

/** Sends a file, or the range of it that the request names (RFC 9110, section 14). */
export async function sendFile(
  { bytes, open }: FileToSend,
  representation: Representation,
  rules: WorkRules,
  { headers, method, raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (failsPrecondition(headers, representation)) return reply.code(412).header('cache-control', 'no-store').send();
  if (isNotModified(headers, representation)) return sendNotModified(representation, reply);
  const setOriginalHeaders = () => setAllHeaders(reply, representation).header('accept-ranges', 'bytes');
  if (method === 'HEAD') return setOriginalHeaders().header('content-length', bytes).send();
  const range = parseByteRange(isRangeOfVersion(headers, representation) ? headers.range : undefined, bytes);
  if (range.kind === 'unsatisfiable') {
    return sendUnsatisfiable(bytes, setOriginalHeaders());
  }
  const { first, last } = range.kind === 'part' ? range : { first: 0, last: bytes - 1 };
  await rules.pay?.(raw, { bytes: last + 1 - first });
  const options = bodyOptionsOf(raw, reply.raw, rules);
  const share = await reply.server.outgoing.reserve(Math.min(bytes, streamedBytes), options.signal);
  releaseWhenSent(share, reply.raw);
  const file = await open(options).catch((error: unknown) => {
    share.release();
    throw error;
  });
  setOriginalHeaders();
  if (range.kind === 'part') reply.code(206).header('content-range', `bytes ${first}-${last}/${bytes}`);
  const stream = file.stream(first, last);
  if (options.signal.aborted) stream.destroy();
  else options.signal.addEventListener('abort', () => void stream.destroy(), { once: true });
  return reply.header('content-length', last + 1 - first).send(stream);
}

const attempts = 5;

/** Repeats while the source's file is being replaced, so that headers and body are of the same file. */
export async function retryWhileReplaced<T>(respond: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await respond();
    } catch (error) {
      if (!(error instanceof ImageError) || error.code !== 'changed' || attempt === attempts) throw error;
    }
  }
}

type ByteRange =
  | { readonly kind: 'whole' }
  /** Positions in bytes from 0; both are of the part. */
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  /** The part is behind the end of the body. */
  | { readonly kind: 'unsatisfiable' };

const whole: ByteRange = { kind: 'whole' };

/**
 * The range of a body of `length` bytes. As a server may, it sends the whole for several ranges, for units other than bytes
 * and for what is no range.
 */
export function parseByteRange(header: string | undefined, length: number): ByteRange {
  const [, from = '', to = ''] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return whole;
  if (from === '') return part(Math.max(0, length - Number(to)), length - 1);
  if (to !== '' && Number(to) < Number(from)) return whole;
  return part(Number(from), to === '' ? length - 1 : Math.min(Number(to), length - 1));
}

const part = (first: number, last: number): ByteRange =>
  first > last ? { kind: 'unsatisfiable' } : { kind: 'part', first, last };
