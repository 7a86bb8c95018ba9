/** Sends an image answer: conditional requests and HEAD before anything is rendered, then the body. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import contentDisposition from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ImageError } from '../image/model/errors.ts';
import { outputFormats, stemOf } from '../image/model/formats.ts';
import type { ImageAnswer } from '../service/images.ts';
import { namesTag } from './send-document.ts';

/** The file name that a saved copy gets. */
function fileNameOf({ plan, fileName }: ImageAnswer): string {
  if (plan.kind === 'send-file') return fileName;
  const format = plan.kind === 'send-tile' ? 'jpeg' : plan.format;
  return `${stemOf(fileName)}.${outputFormats[format].extension}`;
}

/** The header that names the answer's file. */
export function dispositionOf(answer: ImageAnswer): string {
  const name = fileNameOf(answer);
  // Clients that read only `filename` differ in how they decode what is not ASCII, `%` and `\`.
  const fallback = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return contentDisposition(name, { type: answer.attachment ? 'attachment' : 'inline', fallback });
}

/** Whether the client already has this answer (RFC 9110, section 13.1.2 and 13.1.3). */
function isKnown(request: FastifyRequest, answer: ImageAnswer): boolean {
  const named = namesTag(request, answer.etag);
  if (named !== undefined) return named;
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  return Number.isFinite(since) && Math.floor(answer.lastModifiedMs / 1000) * 1000 <= since;
}

/** What is to be done when a connection ends: one listener for all answers that wait in line on it. */
const endings = new WeakMap<Socket, Set<() => void>>();

function endingsOf(socket: Socket): Set<() => void> {
  const known = endings.get(socket);
  if (known !== undefined) return known;
  const added = new Set<() => void>();
  endings.set(socket, added);
  socket.once('close', () => {
    for (const end of added) end();
  });
  return added;
}

/**
 * A signal that is given when the client goes away before the answer is complete, or has gone already. It is the socket that
 * tells: of answers that wait in line behind others on it, Node never says that they are closed.
 */
export function whenAbandoned({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (socket.destroyed) {
    controller.abort();
    return controller.signal;
  }
  const ends = endingsOf(socket);
  const leave = (): void => {
    ends.delete(leave);
    if (!response.writableFinished) controller.abort();
  };
  ends.add(leave);
  response.once('close', leave);
  return controller.signal;
}

function destroyWhen(signal: AbortSignal, stream: NodeJS.ReadableStream): void {
  const destroy = (): void => void (stream as Readable).destroy();
  if (signal.aborted) destroy();
  else signal.addEventListener('abort', destroy, { once: true });
}

/** A client that takes nothing of a body is cut off after once or twice this time: Node asks whether anything moved since. */
export const stalledAfterMs = 12_000;

/** Closes the connection where the client stops taking the answer. */
export const cutOffWhenStalled = (reply: FastifyReply): void =>
  void reply.raw.setTimeout(stalledAfterMs, () => reply.raw.destroy());

const attempts = 5;

/** Answers anew while the source's file is being replaced, so that headers and body speak of the same one. */
export async function answerUnchanged<T>(answer: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await answer();
    } catch (error) {
      if (!(error instanceof ImageError) || error.code !== 'changed' || attempt === attempts) throw error;
    }
  }
}

/** Sends the answer, or its headers alone for HEAD, or 304 where the client has it already. */
export async function sendImage(
  answer: ImageAnswer,
  cacheControl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply
    .header('etag', answer.etag)
    .header('last-modified', new Date(answer.lastModifiedMs).toUTCString())
    .header('cache-control', cacheControl);
  if (isKnown(request, answer)) return reply.code(304).send();
  reply.type(answer.mediaType).header('content-disposition', dispositionOf(answer));
  if (request.method === 'HEAD') return reply.send();
  const signal = whenAbandoned(request.raw, reply.raw);
  const body = await answer.body(signal);
  if (body.kind === 'stream') destroyWhen(signal, body.stream);
  cutOffWhenStalled(reply);
  return body.kind === 'bytes' ? reply.send(body.bytes) : reply.header('content-length', body.length).send(body.stream);
}
