/** `robots.txt` and `llms.txt`, and the sitemap of all pages that everyone may see. */
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { ifAdmitted } from '../../core/access/admit.ts';
import type { CountedFolders } from '../../core/access/counted-folders.ts';
import type { PublicFolders } from '../../core/access/public-folders.ts';
import { addRoutes, type Handler } from '../../core/http/add-routes.ts';
import { nothingHere, sendTextError } from '../../core/http/error-responses.ts';
import { sendRepresentation } from '../../core/http/send.ts';
import { targetOf } from '../../core/http/target.ts';
import { type LanguageMap, textFor } from '../../core/image/folder/folder-metadata.ts';
import type { Ports } from '../../core/ports.ts';
import { countedIndex, countedPart, countedParts, type DatedPart } from './pages/counted-sitemap.ts';
import { KeptParts } from './pages/kept-parts.ts';
import { llmsText } from './pages/llms.ts';
import { type RobotsWish, robotsText } from './pages/robots.ts';
import { type SitemapStart, sitemapIndex, sitemapPart } from './pages/sitemap.ts';
import { type SiteParts, sendSitePage } from './webapp-route.ts';

export interface SitemapParts extends SiteParts {
  readonly publicFolders: PublicFolders;
  /** The same where a catalogue has the whole library. */
  readonly countedFolders: () => CountedFolders | undefined;
  readonly robots: RobotsWish;
  /** The value of `X-Robots-Tag` on all answers. */
  readonly robotsTag: string | undefined;
  readonly hasLlms: boolean;
  readonly iiifPrefix: string;
  readonly iiifSlash: string;
  readonly libraryName: () => Promise<LanguageMap>;
  readonly allPorts: () => Ports;
}

export const robotsPath = '/robots.txt';
export const llmsPath = '/llms.txt';
export const sitemapPath = '/sitemap.xml';
export const sitemapPartPath = '/sitemap-part.xml';

/** An index may be kept for an hour by its header; the protocol has no more than 50,000 parts. */
const keptParts = () =>
  new KeptParts<DatedPart>({
    ...{ freshMs: 600_000, keptMs: 3_600_000, max: 50_000 },
    now: () => performance.now(),
  });

/** The same for everyone; crawlers come a few times a day. */
const cacheControl = 'public, max-age=3600';

async function* none(): AsyncGenerator<never> {}

/** Leaves other requests their turn after each piece; empty pieces would end the stream. */
async function* inTurns(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    if (piece !== '') yield piece;
    await nextTurn();
  }
}

function sendXml(pieces: AsyncIterable<string>, { method }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', cacheControl).type('application/xml; charset=utf-8');
  return method === 'HEAD' ? reply.send() : reply.send(Readable.from(inTurns(pieces)));
}

/** The base of all addresses, as the client sees it. */
const baseOf = ({ origin }: FastifyRequest, { contextPath }: SitemapParts): string => `${origin}${contextPath}/`;

/** Where a part begins; a position that is no whole number from 0 on counts as 0. */
function startIn(query: URLSearchParams): SitemapStart {
  const at = query.get('from') ?? '';
  return { folder: query.get('folder') ?? '', at: /^\d{1,9}$/.test(at) ? Number(at) : 0 };
}

/** The folders from a path on, of which the first is read already. Throws as they do. */
async function begun<Folder>(folders: AsyncGenerator<Folder>): Promise<AsyncIterable<Folder>> {
  const first = await folders.next();
  return (async function* () {
    if (first.done !== true) yield first.value;
    yield* folders;
  })();
}

/** Folders are read before anything is sent, so that there is a status where there are none. */
async function sendIndex(
  parts: SitemapParts,
  kept: KeptParts<DatedPart>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const counted = parts.countedFolders();
  if (counted !== undefined) {
    const known = kept.parts(() => countedParts(counted.from('')));
    return sendXml(countedIndex((await ifAdmitted(begun(known))) ?? none(), baseOf(request, parts)), request, reply);
  }
  const folders = (await ifAdmitted(begun(parts.publicFolders.from('')))) ?? none();
  return sendXml(sitemapIndex(folders, baseOf(request, parts)), request, reply);
}

async function partFrom(start: SitemapStart, parts: SitemapParts, base: string): Promise<AsyncIterable<string>> {
  const counted = parts.countedFolders();
  if (counted === undefined) return sitemapPart(await begun(parts.publicFolders.from(start.folder)), base, start);
  return countedPart(counted, await begun(counted.from(start.folder)), base, start);
}

async function sendPart(parts: SitemapParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const start = startIn(new URLSearchParams(targetOf(request.raw).query));
  const pieces = await ifAdmitted(partFrom(start, parts, baseOf(request, parts)));
  // Closed folders are answered as those that are not there.
  return pieces === undefined ? sendTextError(nothingHere(), request, reply) : sendXml(pieces, request, reply);
}

const plainText = { mediaType: 'text/plain; charset=utf-8', cacheControl };

const sendRobots =
  (parts: SitemapParts): Handler =>
  (request, reply) =>
    sendRepresentation(
      plainText,
      robotsText(parts.robots, { base: baseOf(request, parts), iiifPrefix: parts.iiifPrefix }),
      request,
      reply,
    );

const sendLlms =
  (parts: SitemapParts): Handler =>
  async (request, reply) => {
    const { robots: wish, robotsTag: tag, iiifSlash, libraryName, allPorts } = parts;
    const name = textFor(await libraryName(), ['en']).join(' ');
    const text = llmsText({ wish, tag, name, base: baseOf(request, parts), iiifSlash, ports: allPorts() });
    return sendRepresentation(plainText, text, request, reply);
  };

/** The routes below the context path; a site's own files of these names take precedence. */
export const sitemapRoutes: FastifyPluginCallback<SitemapParts> = (server, parts, done) => {
  const add = (url: string, handler: Handler): void =>
    addRoutes(server, [url], async (request, reply) =>
      (await sendSitePage(parts, request, reply)) ? reply : handler(request, reply),
    );
  add(robotsPath, sendRobots(parts));
  if (parts.hasLlms) add(llmsPath, sendLlms(parts));
  const kept = keptParts();
  add(sitemapPath, (request, reply) => sendIndex(parts, kept, request, reply));
  addRoutes(server, [sitemapPartPath], (request, reply) => sendPart(parts, request, reply));
  done();
};

/** Crawlers ask for `robots.txt` at the root of the host alone (RFC 9309, section 2.3), and for `llms.txt`. */
export const rootRobotsRoute: FastifyPluginCallback<SitemapParts> = (server, parts, done) => {
  addRoutes(server, [robotsPath], sendRobots(parts));
  if (parts.hasLlms) addRoutes(server, [llmsPath], sendLlms(parts));
  done();
};
