/** Addresses without a route: links to old viewers below any path open the reading room; browsers get a link to the library. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { nothingHere, sendTextError } from '../../core/http/errors.ts';
import { page, sendPage } from '../../core/http/html.ts';
import { targetOf } from '../../core/http/target.ts';
import { escapeHtml } from '../../core/text/markup.ts';
import { oldViewerPlace } from './old-viewers.ts';
import { basePathOf, type PageParts, sendReadingRoom } from './reading-room-page.ts';

const isBrowser = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').includes('text/html');

const notFoundPage = (library: string) =>
  page({
    title: 'Nothing here – Lectern',
    body: `<h1>There is nothing at this address</h1>
<p class="lead">It may have been cut off, or what was here has moved. <a href="${escapeHtml(library)}">Look for it in the library</a>.</p>
<p class="lead" lang="de">Unter dieser Adresse ist nichts. <a href="${escapeHtml(library)}">Suchen Sie in der Bibliothek</a>.</p>
<p class="lead" lang="fr">Il n’y a rien à cette adresse. <a href="${escapeHtml(library)}">Cherchez dans la bibliothèque</a>.</p>`,
    style: 'p.lead { margin-top: 1rem; }\n',
  });

export async function sendNothingHere(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const place = oldViewerPlace(targetOf(request.raw));
  if (place !== undefined) return sendReadingRoom(parts, { place }, request, reply);
  if (isBrowser(request)) {
    const library = basePathOf(request.origin, parts.contextPath);
    return sendPage(notFoundPage(library), 'no-store', request, reply.code(404));
  }
  return sendTextError(nothingHere(), request, reply);
}
