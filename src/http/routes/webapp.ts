/** A site's own static pages below the context path, beside the APIs, whose addresses win (setting `webapp`). */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import send from '@fastify/send';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { formatIdentifier, type Identifier, parseIdentifier } from '../../image/model/identifier.ts';
import { percentDecoded } from '../../text/parse.ts';
import type { PageParts } from '../reading-room-page.ts';
import { pathBehind, segmentsOf, targetOf } from '../target.ts';
import { addRoutes } from './add-routes.ts';
import { sendNothingHere } from './nothing-here.ts';

export interface Site {
  /** The folder of the pages, as an absolute path. */
  readonly folder: string;
  /** Folders of images to which rules of access apply: no file in them is sent as a page. */
  readonly closed: readonly string[];
}

export interface SiteParts {
  readonly webapp: Site | undefined;
  readonly contextPath: string;
}

// The library's own table is older than RFC 9239.
send.mime.define({ 'text/javascript': ['js', 'mjs'] }, true);

/** What a servlet container never sends, in any spelling that a file system could accept for it, and the sources of its pages. */
function isHidden(name: string): boolean {
  const plain = name.normalize('NFKC').toLowerCase();
  return /^\.|^(?:web|meta)-inf(?:$|[^a-z0-9])|\.(?:jsp|tag)[a-z0-9]*(?:$|[^a-z0-9])/.test(plain);
}

/** The path inside of the folder; undefined for one that leads out of it or to something hidden. */
function shownPath(decodedPath: string): Identifier | undefined {
  const identifier = parseIdentifier(decodedPath);
  return identifier?.segments.some(isHidden) ? undefined : identifier;
}

type Found =
  /** The file's path inside of the real folder of the pages, which has no links and nothing hidden in it. */
  { readonly kind: 'file'; readonly root: string; readonly inside: string } | { readonly kind: 'folder' };

const realPathOf = (name: string): Promise<string | undefined> => realpath(name).catch(() => undefined);

const isInside = (file: string, folder: string): boolean =>
  file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);

/** What a path leads to when all links are followed; undefined where there is nothing, or it is outside or hidden. */
async function find(site: Site, { segments }: Identifier): Promise<Found | undefined> {
  const root = await realPathOf(site.folder);
  const real = root && (await realPathOf(path.join(root, ...segments)));
  if (root === undefined || real === undefined) return undefined;
  for (const closed of await Promise.all(site.closed.map(realPathOf)))
    if (closed && isInside(real, closed)) return undefined;
  const inside = path.relative(root, real);
  if (path.isAbsolute(inside) || shownPath(inside.split(path.sep).join('/')) === undefined) return undefined;
  const stats = await stat(real).catch(() => undefined);
  if (stats?.isDirectory()) return { kind: 'folder' };
  return stats?.isFile() ? { kind: 'file', root, inside } : undefined;
}

/**
 * Sends a file with its type, tag and date, or the requested range, or 304, as @fastify/send decides it. Returns whether
 * there was one, not the reply: to await a reply is to wait for the end of the response.
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
  void reply.send(stream);
  return true;
}

/** Sends the page at a decoded path; returns whether there was one. A folder's page is its index.html. */
async function sendPage(
  site: Site,
  decodedPath: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const shown = shownPath(decodedPath);
  const found = shown && (await find(site, shown));
  if (shown === undefined || found === undefined) return false;
  const asFolder = decodedPath === '' || decodedPath.endsWith('/');
  if (found.kind === 'file') return !asFolder && sendFile(found, request, reply);
  const index = shownPath(`${formatIdentifier(shown)}/index.html`);
  const page = index && (await find(site, index));
  if (page?.kind !== 'file') return false;
  if (asFolder) return sendFile(page, request, reply);
  // Relative, so that it holds behind any proxy; with a dot before it, so that a name with a colon is no scheme.
  const { path: rawPath, query } = targetOf(request.raw);
  void reply.redirect(`./${rawPath.split('/').at(-1)}/${query === '' ? '' : `?${query}`}`, 301);
  return true;
}

/** Sends the site's own page at the requested address; returns whether there is a site with one. */
export async function sendSitePage(
  { webapp, contextPath }: SiteParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const decodedPath = percentDecoded(pathBehind(targetOf(request.raw).path, segmentsOf(contextPath)));
  return webapp !== undefined && decodedPath !== undefined && sendPage(webapp, decodedPath, request, reply);
}

/** Adds the route for all addresses that no other route has. */
export const webappRoute: FastifyPluginCallback<SiteParts & PageParts> = (server, parts, done) => {
  if (parts.webapp !== undefined) {
    addRoutes(server, ['/*'], async (request, reply) =>
      (await sendSitePage(parts, request, reply)) ? reply : sendNothingHere(parts, request, reply),
    );
  }
  done();
};
