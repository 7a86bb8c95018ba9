/** What is answered where no route is: links to old viewers below any path are opened, and people are led to the library. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ImageError } from '../../image/model/errors.ts';
import { sendTextError } from '../errors.ts';
import { escapeHtml, page, sendPage } from '../html.ts';
import { oldViewerPaths } from '../old-viewers.ts';
import { targetOf } from '../origin.ts';
import { sendShell } from '../send-shell.ts';
import type { Service } from '../service.ts';
import { basePathOf } from '../web-page.ts';

/** Sites have moved their viewers about; what is before the last names says nothing that matters. */
const isOldViewer = (path: string): boolean => oldViewerPaths.some((old) => path.endsWith(old));

const isBrowser = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').includes('text/html');

const lostPage = (library: string) =>
  page({
    title: 'Nothing here – Lectern',
    body: `<h1>There is nothing at this address</h1>
<p class="lead">It may have been cut off, or what was here has moved. <a href="${escapeHtml(library)}">Look for it in the library</a>.</p>
<p class="lead" lang="de">Unter dieser Adresse ist nichts. <a href="${escapeHtml(library)}">Suchen Sie in der Bibliothek</a>.</p>`,
    style: 'p.lead { margin-top: 1rem; }\n',
  });

/** Answers for an address that no route has. */
export function sendNothingHere(service: Service, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isOldViewer(targetOf(request.raw).path)) return sendShell(service, false, request, reply);
  if (isBrowser(request)) {
    return sendPage(lostPage(basePathOf(request.origin, service.contextPath)), reply.code(404), 'no-store');
  }
  const error = new ImageError('not-found', 'There is nothing at this address.');
  return sendTextError(error, request, reply);
}
