/** Sends the reading room's page, which reads its address itself. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ImageError } from '../image/model/errors.ts';
import { sendTextError } from './errors.ts';
import { namesTag, tagOf } from './send-document.ts';
import type { Service } from './service.ts';
import { basePathOf, roomFacts, roomPage, roomPolicy } from './web-page.ts';

const html = 'text/html; charset=utf-8';

/** Sends the page, or the one that other pages show inside of themselves. */
export function sendShell(
  { about, callers, iiifSlash, limits, contextPath, webAssets: room, embedAncestors }: Service,
  isEmbedded: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const built = isEmbedded ? room.embedded : room.page;
  if (built === undefined) {
    const message = 'The reading room has not been built; npm run build makes it.';
    return sendTextError(new ImageError('unsupported', message), request, reply);
  }
  const facts = roomFacts({ version: about.version, iiifSlash, tokenCookie: callers.tokenCookie }, limits);
  const body = Buffer.from(roomPage(built, basePathOf(request.origin, contextPath), facts));
  const etag = tagOf(html, body);
  reply
    .header('etag', etag)
    .header('cache-control', 'no-cache')
    .header('content-security-policy', roomPolicy(isEmbedded ? embedAncestors : ["'self'"]))
    .header('referrer-policy', 'same-origin');
  return namesTag(request, etag) ? reply.code(304).send() : reply.type(html).send(body);
}
