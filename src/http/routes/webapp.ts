/** A site's own static pages below the context path, beside the APIs, whose addresses win (setting `webapp`). */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import send from '@fastify/send';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formatIdentifier, type Identifier, parseIdentifier } from '../../image/model/identifier.ts';
import { pathBehind, targetOf } from '../origin.ts';
import { cutOffWhenStalled } from '../send-image.ts';
import type { Service } from '../service.ts';
import type { Site } from '../site.ts';
import { sendNothingHere } from './nothing-here.ts';

// The library's own table is older than RFC 9239.
send.mime.define({ 'text/javascript': ['js', 'mjs'] }, true);

/** What a servlet container keeps to itself, in any spelling that a disk could take for it; and the sources of its pages. */
function isHidden(name: string): boolean {
  const plain = name.normalize('NFKC').toLowerCase();
  return /^\.|^(?:web|meta)-inf(?:$|[^a-z0-9])|\.(?:jsp|tag)[a-z0-9]*(?:$|[^a-z0-9])/.test(plain);
}

/** The place that a decoded path names inside the pages; undefined where it can name none that is shown. */
function placeOf(decodedPath: string): Identifier | undefined {
  const place = parseIdentifier(decodedPath);
  return place?.segments.some(isHidden) ? undefined : place;
}

function decoded(rawPath: string): string | undefined {
  try {
    return decodeURIComponent(rawPath);
  } catch {
    return undefined;
  }
}

type Found =
  /** The file's path inside of the real folder of the pages, which has no links and nothing hidden in it. */
  { readonly kind: 'file'; readonly root: string; readonly inside: string } | { readonly kind: 'folder' };

async function realOf(place: string): Promise<string | undefined> {
  try {
    return await realpath(place);
  } catch {
    return undefined;
  }
}

const isInside = (place: string, folder: string): boolean =>
  place === folder || place.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);

/** What a place is when all links are followed; undefined where there is nothing to show, or it is outside or hidden. */
async function find(site: Site, place: Identifier): Promise<Found | undefined> {
  const root = await realOf(site.folder);
  const real = root && (await realOf(path.join(root, ...place.segments)));
  if (root === undefined || real === undefined) return undefined;
  for (const closed of await Promise.all(site.closed.map(realOf)))
    if (closed && isInside(real, closed)) return undefined;
  const inside = path.relative(root, real);
  if (path.isAbsolute(inside) || placeOf(inside.split(path.sep).join('/')) === undefined) return undefined;
  const stats = await stat(real).catch(() => undefined);
  if (stats?.isDirectory()) return { kind: 'folder' };
  return stats?.isFile() ? { kind: 'file', root, inside } : undefined;
}

/**
 * Sends a file with its type, tag and date, or the part that is asked for, or 304, as @fastify/send decides it. Says whether
 * there was one; a reply itself is not given back, since to wait for one is to wait for the end of the answer.
 */
async function sendFile(
  { root, inside }: Extract<Found, { kind: 'file' }>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const encoded = inside.split(path.sep).map(encodeURIComponent).join('/');
  const { statusCode, headers, stream, type } = await send(request.raw, encoded, { root, index: false });
  if (type === 'error' && statusCode !== 412 && statusCode !== 416) return false;
  reply.code(statusCode).headers(headers);
  if (request.method === 'HEAD') {
    stream.destroy();
    void reply.send();
    return true;
  }
  cutOffWhenStalled(reply);
  void reply.send(stream);
  return true;
}

/** Sends the page at a decoded path, and says whether there was one. A folder's page is its index.html. */
async function sendPage(
  site: Site,
  decodedPath: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const place = placeOf(decodedPath);
  const found = place && (await find(site, place));
  if (place === undefined || found === undefined) return false;
  const asFolder = decodedPath === '' || decodedPath.endsWith('/');
  if (found.kind === 'file') return !asFolder && sendFile(found, request, reply);
  const index = placeOf(`${formatIdentifier(place)}/index.html`);
  const page = index && (await find(site, index));
  if (page?.kind !== 'file') return false;
  if (asFolder) return sendFile(page, request, reply);
  // Relative, so that it holds behind any proxy; with a dot before it, so that a name with a colon is no scheme.
  const { path: rawPath, query } = targetOf(request.raw);
  void reply.redirect(`./${rawPath.split('/').at(-1)}/${query === '' ? '' : `?${query}`}`, 301);
  return true;
}

/** Sends the site's own page at the address that was asked for, and says whether there is a site with one. */
export async function sendSitePage(
  { webapp, contextPath }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const prefixSegments = contextPath.split('/').length - 1;
  const decodedPath = decoded(pathBehind(targetOf(request.raw).path, prefixSegments));
  return webapp !== undefined && decodedPath !== undefined && sendPage(webapp, decodedPath, request, reply);
}

/** Adds the route for all addresses that no other route has. */
export function webappRoute(server: FastifyInstance, base: string, service: Service): void {
  if (service.webapp === undefined) return;
  server.route({
    method: ['GET', 'HEAD'],
    url: `${base}/*`,
    async handler(request, reply) {
      if (await sendSitePage(service, request, reply)) return reply;
      return sendNothingHere(service, request, reply);
    },
  });
}
