/** Sends a JSON document, or 304 where the client has it already. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whether `If-None-Match` names this tag; undefined where the request has no such condition (RFC 9110, section 13.1.2). */
export function namesTag(request: Pick<IncomingMessage, 'headers'>, etag: string): boolean | undefined {
  const tags = request.headers['if-none-match']?.trim();
  if (!tags) return undefined;
  return tags === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** A strong tag: equal for equal bytes of one media type. */
export const tagOf = (mediaType: string, body: Buffer): string =>
  `"${createHash('sha256').update(mediaType).update(body).digest('base64url')}"`;

/** The document with a strong tag from its bytes; what it is written in depends on what the client accepts. */
export function sendDocument(
  body: Buffer,
  mediaType: string,
  cacheControl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const etag = tagOf(mediaType, body);
  reply.header('etag', etag).header('vary', 'Accept').header('cache-control', cacheControl);
  if (namesTag(request, etag)) return reply.code(304).send();
  return reply.header('content-type', mediaType).send(body);
}
