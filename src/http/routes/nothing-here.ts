/** Addresses without a route: links to old viewers below any path open the reading room; browsers get a link to the library. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { nothingHere, sendTextError } from '../errors.ts';
import { escapeHtml, page, sendPage } from '../html.ts';
import { oldViewerPaths } from '../old-viewers.ts';
import { basePathOf, type PageParts, sendReadingRoom } from '../reading-room-page.ts';
import { targetOf } from '../target.ts';

/** Sites have moved their viewers to other folders, so that only the last names of the path count. */
const isOldViewer = (path: string): boolean => oldViewerPaths.some((old) => path.endsWith(old));

const isBrowser = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').includes('text/html');

const notFoundPage = (library: string) =>
  page({
    title: 'Nothing here – Lectern',
    body: `<h1>There is nothing at this address</h1>
<p class="lead">It may have been cut off, or what was here has moved. <a href="${escapeHtml(library)}">Look for it in the library</a>.</p>
<p class="lead" lang="de">Unter dieser Adresse ist nichts. <a href="${escapeHtml(library)}">Suchen Sie in der Bibliothek</a>.</p>`,
    style: 'p.lead { margin-top: 1rem; }\n',
  });

export function sendNothingHere(parts: PageParts, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isOldViewer(targetOf(request.raw).path)) return sendReadingRoom(parts, {}, request, reply);
  if (isBrowser(request)) {
    const library = basePathOf(request.origin, parts.contextPath);
    return sendPage(notFoundPage(library), 'no-store', request, reply.code(404));
  }
  return sendTextError(nothingHere(), request, reply);
}
