/** Sends responses through Fastify: the body, its headers alone for HEAD, or 304 where the client has it already. */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ImageError } from '../image/model/errors.ts';
import type { ImageAnswer } from '../service/images.ts';
import { cutOffWhenStalled } from './abandoned-responses.ts';
import {
  contentHeaders,
  documentRepresentation,
  type HeaderList,
  isNotModified,
  metadataHeaders,
  type Representation,
} from './representation.ts';
import { bodyOptionsOf, type WorkRules } from './request-context.ts';

export function setHeaders(reply: FastifyReply, headers: HeaderList): FastifyReply {
  for (let index = 0; index < headers.length; index += 2) reply.header(headers[index] ?? '', headers[index + 1]);
  return reply;
}

const setAllHeaders = (reply: FastifyReply, representation: Representation): FastifyReply =>
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
  return setAllHeaders(reply, representation).send(body);
}

/** Sends a document with a tag made from its bytes; its media type depends on what the client accepts. */
export const sendDocument = (
  body: Buffer,
  mediaType: string,
  cacheControl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => sendRepresentation(documentRepresentation(body, mediaType, cacheControl), body, request, reply);

function destroyOnAbort(stream: NodeJS.ReadableStream, signal: AbortSignal): void {
  const destroy = (): void => void (stream as Readable).destroy();
  if (signal.aborted) destroy();
  else signal.addEventListener('abort', destroy, { once: true });
}

/** Sends a picture, which is made only where its bytes are to be sent. */
export async function sendPicture(
  answer: ImageAnswer,
  representation: Representation,
  rules: WorkRules,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (isNotModified(request.headers, representation)) return sendNotModified(representation, reply);
  if (request.method === 'HEAD') return setAllHeaders(reply, representation).send();
  const options = bodyOptionsOf(request.raw, reply.raw, rules);
  const body = await answer.body(options);
  setAllHeaders(reply, representation);
  cutOffWhenStalled(reply.raw);
  if (body.kind === 'bytes') return reply.send(body.bytes);
  destroyOnAbort(body.stream, options.signal);
  return reply.header('content-length', body.length).send(body.stream);
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
