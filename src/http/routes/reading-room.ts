/** The reading room: its page at every address of the library and of old viewers, and the parts that it loads. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ImageError } from '../../image/model/errors.ts';
import { sendTextError } from '../errors.ts';
import { preferredCoding } from '../negotiation.ts';
import { oldViewerPaths } from '../old-viewers.ts';
import { descriptionPath } from '../openapi/server-operations.ts';
import { pathBehind, targetOf } from '../origin.ts';
import { namesTag } from '../send-document.ts';
import { sendShell } from '../send-shell.ts';
import type { Service } from '../service.ts';
import { elementName, type WebAsset } from '../web-assets.ts';
import { sendSitePage } from './webapp.ts';

/** Where the page is shown inside of others. */
const embedPath = '/embed/*';

/** Where the page answers below the context path, beside the start page and the old viewers. */
const roomPaths: readonly string[] = ['/browse', '/browse/*', '/view/*', embedPath];

/** The parts are hashed by their names, so that they never change. */
const forever = 'public, max-age=31536000, immutable';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

async function sendFile(
  file: WebAsset | undefined,
  cacheControl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (file === undefined)
    return sendTextError(new ImageError('not-found', 'There is nothing at this address.'), request, reply);
  const coding = preferredCoding(file.codings, request.headers['accept-encoding']);
  // Each form has a tag of its own, since their bytes differ.
  const etag = coding === 'identity' ? file.etag : file.etag.replace(/"$/, `-${coding}"`);
  reply.header('etag', etag).header('cache-control', cacheControl).header('vary', 'Accept-Encoding');
  if (namesTag(request, etag)) return reply.code(304).send();
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.header('content-type', file.mediaType).send(file.bytesIn(coding));
}

/** What a part is called below `room/`; a name that is no UTF-8 is the name of none. */
function assetNamed(request: FastifyRequest, { webAssets: room, contextPath }: Service): WebAsset | undefined {
  const rawName = pathBehind(targetOf(request.raw).path, contextPath.split('/').length);
  try {
    return room.assets.get(decodeURIComponent(rawName));
  } catch {
    return undefined;
  }
}

/** Adds the routes; the base without its slash leads to the start page, since the page's addresses begin behind it. */
export function roomRoutes(server: FastifyInstance, base: string, service: Service): void {
  const add = (url: string, handler: Handler): void =>
    void server.route({ method: ['GET', 'HEAD'], url: base + url, handler });
  const shell = (isEmbedded: boolean): Handler => {
    return async (request, reply) => sendShell(service, isEmbedded, request, reply);
  };
  for (const url of roomPaths) add(url, shell(url === embedPath));
  for (const url of oldViewerPaths) {
    add(url, async (request, reply) =>
      (await sendSitePage(service, request, reply)) ? reply : sendShell(service, false, request, reply),
    );
  }
  add('/', async (request, reply) => {
    if (await sendSitePage(service, request, reply)) return reply;
    // Where the API is described (RFC 8631).
    reply.header('link', `<${request.origin}${base}${descriptionPath}>; rel="service-desc"`);
    return sendShell(service, false, request, reply);
  });
  add('/room/*', (request, reply) => sendFile(assetNamed(request, service), forever, request, reply));
  const { element } = service.webAssets;
  if (element !== undefined) add(`/${elementName}`, (request, reply) => sendFile(element, 'no-cache', request, reply));
  if (base !== '') add('', async (_request, reply) => reply.redirect(`${base}/`, 303));
}
