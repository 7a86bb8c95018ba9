/** Sends an image answer: conditional requests and HEAD before anything is rendered, then the body. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ImageError } from '../image/errors.ts';
import { outputFormats, stemOf } from '../image/formats.ts';
import type { SourceFile } from '../image/image-set.ts';
import type { ImageAnswer } from '../service/images.ts';

const isTokenCharacter = /[^\x20-\x7e]|["\\%]/g;

/** The header of RFC 6266, with a plain name for old clients and the exact one in UTF-8. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(isTokenCharacter, '_');
  const exact = encodeURIComponent(Buffer.from(name).toString()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return plain === name ? `${kind}; filename="${name}"` : `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`;
}

function fileNameOf({ plan, fileName }: ImageAnswer): string {
  return plan.kind === 'render' ? `${stemOf(fileName)}.${outputFormats[plan.format].extension}` : fileName;
}

/** Whether the client already has this answer (RFC 9110, section 13.1.2 and 13.1.3). */
function isKnown(request: FastifyRequest, answer: ImageAnswer): boolean {
  const tags = request.headers['if-none-match'];
  if (tags !== undefined) {
    return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === answer.etag);
  }
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  return Number.isFinite(since) && Math.floor(answer.lastModifiedMs / 1000) * 1000 <= since;
}

/** A signal that is given when the client goes away before the answer is complete. */
function whenAbandoned(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Streams a file that must still be the one that was planned with. */
async function sendFile(reply: FastifyReply, file: SourceFile): Promise<FastifyReply> {
  const handle = await open(file.path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
    throw new ImageError('not-found', 'The image’s file is gone or may not be read.', { cause });
  });
  const stats = await handle.stat({ bigint: true });
  if (`${stats.size}-${stats.mtimeNs}-${stats.ino}` !== file.fingerprint) {
    await handle.close();
    throw new ImageError('not-found', 'The image’s file has just been replaced; ask again.');
  }
  reply.header('content-length', file.bytes);
  return reply.send(handle.createReadStream({ end: Math.max(0, file.bytes - 1) }));
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
  reply
    .type(answer.mediaType)
    .header('content-disposition', contentDisposition(answer.attachment ? 'attachment' : 'inline', fileNameOf(answer)));
  if (request.method === 'HEAD') return reply.send();
  const body = await answer.body(whenAbandoned(reply));
  return body.kind === 'file' ? sendFile(reply, body.file) : reply.send(body.bytes);
}
