/** The reading room: its page at every address of the library and of old viewers, and the files that it loads. */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { descriptionPath } from '../../core/http/about.ts';
import { addRoutes, type Handler } from '../../core/http/add-routes.ts';
import { nothingHere, sendTextError } from '../../core/http/error-responses.ts';
import { preferredCoding } from '../../core/http/negotiation.ts';
import { forever } from '../../core/http/picture-versions.ts';
import { sendRepresentation } from '../../core/http/send.ts';
import { pathBehind, segmentsOf, type Target, targetOf } from '../../core/http/target.ts';
import { parseWish } from '../../core/image/folder/folder-wish.ts';
import { percentDecoded } from '../../core/parsing/parse.ts';
import { folderPlace, imagePlace, oldViewerPaths, oldViewerPlace } from './old-viewers.ts';
import type { PagePlace } from './pages/description.ts';
import { type PageOptions, type PageParts, sendPageError, sendReadingRoom } from './reading-room-page.ts';
import { elementName, type WebAsset } from './web-assets.ts';
import { type SiteParts, sendSitePage } from './webapp-route.ts';

export type ReadingRoomParts = PageParts & SiteParts;

const comparePath = '/compare';
const deskPath = '/desk';
const lightTablePath = '/light-table';
const embedPaths = ['/embed', '/embed/*'];

async function sendAsset(
  asset: WebAsset | undefined,
  cacheControl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (asset === undefined) return sendTextError(nothingHere(), request, reply);
  const { mediaType, etag } = asset;
  const coding = preferredCoding(asset.codings, request.headers['accept-encoding']);
  const representation = { mediaType, cacheControl, vary: 'Accept-Encoding' };
  // Each coding has a tag of its own, since the bytes differ.
  const coded = coding === 'identity' ? { etag } : { etag: etag.replace(/"$/, `-${coding}"`), contentEncoding: coding };
  return sendRepresentation({ ...representation, ...coded }, asset.bytesIn(coding), request, reply);
}

/** The file that a request names below `room/`; undefined also for a name that is not UTF-8. */
function assetOf(request: FastifyRequest, { webAssets, contextPath, ...parts }: PageParts): WebAsset | undefined {
  const name = percentDecoded(pathBehind(targetOf(request.raw).path, segmentsOf(contextPath) + 1));
  if (name === undefined) return undefined;
  const own = [parts.logo, parts.headings, parts.text].find((asset) => asset?.name === name);
  return own?.asset ?? webAssets.assets.get(name);
}

type PlaceOf = (target: Target) => PagePlace | undefined;

/** Whether a query names a manifest of another host or a content state, which only the scripts of the page open. */
const namesOthers = (query: string): boolean => /(?:^|&)(?:manifest|iiif-content)=[^&]/.test(query);

/** Whether a query asks for a search, an order or a choice, or a light table: of one folder there are more of them than anyone can list. */
const isOneOfMany = (query: string): boolean => {
  const pairs = new URLSearchParams(query);
  const isArranged = parseWish((name) => pairs.get(name)) !== undefined;
  return isArranged || (pairs.get('q') ?? '') !== '' || pairs.get('layout') === 'table';
};

/** The decoded path behind the first segment below the base; a path that is not UTF-8 names nothing. */
const pathBelow = ({ path }: Target, { contextPath }: PageParts): string =>
  percentDecoded(pathBehind(path, segmentsOf(contextPath) + 1)) ?? '\uFFFD';

const browsedPlace =
  (parts: PageParts): PlaceOf =>
  (target) =>
    folderPlace(pathBelow(target, parts), target.query);

const viewedPlace =
  (parts: PageParts): PlaceOf =>
  (target) => {
    const path = pathBelow(target, parts);
    return path === '' && namesOthers(target.query) ? undefined : imagePlace(path, target.query);
  };

/** Adds the routes; the context path without its slash redirects to the start page, since relative addresses need it. */
export const readingRoomRoutes: FastifyPluginCallback<ReadingRoomParts> = (server, parts, done) => {
  const { contextPath, webAssets } = parts;
  const add = (url: string, handler: Handler): void => addRoutes(server, [url], handler, sendPageError);
  const page =
    (options: PageOptions): Handler =>
    async (request, reply) =>
      sendReadingRoom(parts, options, request, reply);
  const sitePageOr =
    (next: Handler): Handler =>
    async (request, reply) =>
      (await sendSitePage(parts, request, reply)) ? reply : next(request, reply);

  const placed =
    (placeOf: PlaceOf, link?: string): Handler =>
    (request, reply) => {
      const target = targetOf(request.raw);
      const unlisted = isOneOfMany(target.query) && { unlisted: {} };
      return page({ place: placeOf(target), ...unlisted, ...(link !== undefined && { link: link }) })(request, reply);
    };
  for (const url of ['/browse', '/browse/*']) add(url, placed(browsedPlace(parts)));
  for (const url of ['/view', '/view/*']) add(url, placed(viewedPlace(parts)));
  for (const path of [comparePath, deskPath, lightTablePath])
    add(path, page({ unlisted: { canonical: path.slice(1) } }));
  for (const url of embedPaths) add(url, page({ isEmbedded: true }));
  for (const url of oldViewerPaths) add(url, sitePageOr(placed(oldViewerPlace)));
  // The start page leads programs to the description of the API (RFC 8631).
  add(
    '/',
    sitePageOr((request, reply) => {
      const link = `<${request.origin}${contextPath}${descriptionPath}>; rel="service-desc"`;
      return placed(({ query }) => (namesOthers(query) ? undefined : folderPlace('', query)), link)(request, reply);
    }),
  );
  add('/room/*', (request, reply) => sendAsset(assetOf(request, parts), forever, request, reply));
  const { element } = webAssets;
  if (element !== undefined) {
    add(`/${elementName}`, (request, reply) => sendAsset(element, 'no-cache', request, reply));
  }
  if (contextPath !== '') add('', async (_request, reply) => reply.redirect(`${contextPath}/`, 303));
  done();
};
