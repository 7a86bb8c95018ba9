/** Sends the pages of a site: files of a folder, without those that are hidden or closed. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import send from '@fastify/send';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { streamedBytes } from '../../core/answers/outgoing-bytes.ts';
import { whenAbandoned } from '../../core/http/abandoned-responses.ts';
import { releaseWhenSent } from '../../core/http/outgoing.ts';
import { targetOf } from '../../core/http/target.ts';
import { formatIdentifier, type Identifier, parseIdentifier } from '../../core/image/model/identifier.ts';
import { type PinnedPath, pinPath } from '../../core/storage/disk/pinned-path.ts';

export interface Site {
  /** The folder of the pages, as an absolute path. */
  readonly folder: string;
  /** Folders of images to which rules of access apply: no file in them is sent as a page. */
  readonly closed: readonly string[];
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

/** A page that has to be closed. */
interface FoundFile {
  readonly kind: 'file';
  readonly file: PinnedPath;
}

type Found = FoundFile | { readonly kind: 'folder' };

const realPathOf = (name: string): Promise<string | undefined> => realpath(name).catch(() => undefined);

const isInside = (file: string, folder: string): boolean =>
  file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);

/** Whether a real path lies in the site's folder, is not hidden there, and lies in no folder that is closed. */
async function isShown(site: Site, real: string): Promise<boolean> {
  const [root, ...closed] = await Promise.all([site.folder, ...site.closed].map(realPathOf));
  if (root === undefined || closed.some((folder) => folder !== undefined && isInside(real, folder))) return false;
  const inside = path.relative(root, real);
  return !path.isAbsolute(inside) && shownPath(inside.split(path.sep).join('/')) !== undefined;
}

/**
 * What a path leads to when all links are followed; undefined where there is nothing, or it is outside or hidden. It is opened
 * before it is checked, so that what is sent is what was checked.
 */
async function find(site: Site, { segments }: Identifier): Promise<Found | undefined> {
  const file = await pinPath(path.join(site.folder, ...segments)).catch(() => undefined);
  if (file === undefined) return undefined;
  if (file.stats.isFile() && (await isShown(site, file.real))) return { kind: 'file', file };
  await file.close();
  return file.stats.isDirectory() && (await isShown(site, file.real)) ? { kind: 'folder' } : undefined;
}

const isText = /^(?:text\/|application\/(?:javascript|json)$)/;

/** By the name of the file. */
function mediaTypeOf(file: string): string {
  const type = send.mime.getType(file) ?? 'application/octet-stream';
  return isText.test(type) ? `${type}; charset=utf-8` : type;
}

/**
 * Sends a file with its type, tag and date, or the requested range, or 304, as @fastify/send decides it. Returns whether
 * there was one, not the reply: to await a reply is to wait for the end of the response.
 */
async function sendFile({ file }: FoundFile, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const { dir: root, base: name } = path.parse(file.readPath);
  const options = { root, index: false, dotfiles: 'allow', contentType: false } as const;
  const sent = await send(request.raw, encodeURIComponent(name), options).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  const { statusCode, headers, stream, type } = sent;
  stream.once('close', () => void file.close());
  if (type === 'error' && statusCode !== 412 && statusCode !== 416) {
    stream.destroy();
    return false;
  }
  if (type === 'file' && statusCode !== 304) reply.type(mediaTypeOf(file.real));
  reply.code(statusCode).headers(headers);
  if (request.method === 'HEAD') {
    stream.destroy();
    void reply.send();
    return true;
  }
  const { outgoing } = reply.server;
  const share = await outgoing.reserve(streamedBytes, whenAbandoned(request.raw, reply.raw)).catch((error: unknown) => {
    stream.destroy();
    throw error;
  });
  releaseWhenSent(share, reply.raw);
  void reply.send(stream);
  return true;
}

/** Sends the page at a decoded path; returns whether there was one. A folder's page is its index.html. */
export async function sendPage(
  site: Site,
  decodedPath: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const shown = shownPath(decodedPath);
  const found = shown && (await find(site, shown));
  if (shown === undefined || found === undefined) return false;
  const asFolder = decodedPath === '' || decodedPath.endsWith('/');
  if (found.kind === 'file') {
    if (!asFolder) return sendFile(found, request, reply);
    await found.file.close();
    return false;
  }
  const index = shownPath(`${formatIdentifier(shown)}/index.html`);
  const page = index && (await find(site, index));
  if (page?.kind !== 'file') return false;
  if (asFolder) return sendFile(page, request, reply);
  await page.file.close();
  // Relative, so that it holds behind any proxy; with a dot before it, so that a name with a colon is no scheme.
  const { path: rawPath, query } = targetOf(request.raw);
  void reply.redirect(`./${rawPath.split('/').at(-1)}/${query === '' ? '' : `?${query}`}`, 301);
  return true;
}
