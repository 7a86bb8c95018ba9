/** The page of the reading room, which reads its own address: the built page with facts about this server. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { About } from '../../core/http/about.ts';
import type { Callers } from '../../core/http/callers.ts';
import { beginErrorPage, nothingHere, sendTextError } from '../../core/http/error-responses.ts';
import { page, sendPage } from '../../core/http/html.ts';
import { basePathOf } from '../../core/http/origin.ts';
import { privateCacheControl, tagOf } from '../../core/http/representation.ts';
import { sendRepresentation, setAllHeaders } from '../../core/http/send.ts';
import { targetOf } from '../../core/http/target.ts';
import type { Limits } from '../../core/image/model/answer-limits.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { escapeHtml } from '../../core/parsing/markup.ts';
import { oldViewerPlace } from './old-viewers.ts';
import { type AskedPage, type OutcomeParts, outcomeOf } from './page-outcome.ts';
import type { AccentColors } from './pages/accent.ts';
import { withContent } from './pages/page.ts';
import type { PaperColors } from './pages/paper.ts';
import type { ReadingRoomSettings } from './reading-room-settings.ts';
import type { NamedAsset, WebAssets } from './web-assets.ts';

export interface PageParts extends OutcomeParts {
  readonly about: About;
  readonly callers: Pick<Callers, 'tokenCookie' | 'callerOf'>;
  /** Whether there are rules of access, so that pages differ from caller to caller. */
  readonly guarded: boolean;
  /** Whether what can be decoded of truncated images is shown. */
  readonly showsTruncated: boolean;
  /** Whether people can sign in. */
  readonly signsIn: boolean;
  readonly limits: Limits;
  readonly webAssets: WebAssets;
  readonly logo: NamedAsset | undefined;
  /** The site's typefaces for titles and for all else. */
  readonly headings: NamedAsset | undefined;
  readonly text: NamedAsset | undefined;
  readonly accent: AccentColors | undefined;
  readonly paper: PaperColors | undefined;
  /** The pages that may embed the viewer, as sources of a Content-Security-Policy. */
  readonly embedAncestors: readonly string[];
  /** Viewers of other sites that the reading room links to. */
  readonly viewers: readonly { readonly name: string; readonly address: string }[];
  /** The hosts of which manifests and images may be loaded, as sources of a Content-Security-Policy. */
  readonly manifests: readonly string[];
  /** The map below images that have a place on it; undefined for none. */
  readonly baseMap: ReadingRoomSettings['readingRoom']['baseMap'];
}

const addressOf = (asset: NamedAsset | undefined): string | null => (asset === undefined ? null : `room/${asset.name}`);

/** The facts about the server that the page needs for the addresses that it makes; null for a bound that there is none of. */
const factsOf = ({
  about,
  callers,
  iiifSlash,
  showsTruncated,
  signsIn,
  limits,
  logo,
  headings,
  text,
  footer,
  accent,
  paper,
  viewers,
  manifests,
  baseMap,
}: PageParts) => ({
  version: about.version,
  iiifSlash,
  tokenCookie: callers.tokenCookie,
  showsTruncated,
  signsIn,
  logo: addressOf(logo),
  typefaces: { headings: addressOf(headings), text: addressOf(text) },
  footer,
  accent: accent ?? null,
  paper: paper ?? null,
  viewers,
  manifests,
  ...(baseMap !== undefined && { baseMap }),
  maxArea: limits.maxArea,
  maxWidth: limits.maxWidth ?? null,
  maxHeight: limits.maxHeight ?? limits.maxWidth ?? null,
});

/** Adds to a built page, whose addresses are relative to the base, what differs from server to server. */
function withFacts(built: string, basePath: string, facts: object): string {
  const base = `<base href="${escapeHtml(basePath)}" />`;
  const meta = `<meta name="lectern" content="${escapeHtml(JSON.stringify(facts))}" />`;
  return built.replace(/<head[^>]*>/, (head) => `${head}\n    ${base}\n    ${meta}`);
}

/** The host of the tiles of the map, as a source; nothing where there is none. */
const tileHost = ({ baseMap }: PageParts): readonly string[] =>
  baseMap === undefined ? [] : [new URL(baseMap.tiles.replace(/[{}]/g, '')).origin];

/** Nothing but what this server sends is loaded, and manifests, images and tiles of the hosts that the settings allow. */
const contentSecurityPolicy = (
  ancestors: readonly string[],
  hosts: readonly string[],
  tiles: readonly string[],
): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Pictures that the page draws or colors itself have `blob:` and `data:` addresses.
    ["img-src 'self' blob: data:", ...new Set([...hosts, ...tiles])].join(' '),
    ["connect-src 'self'", ...hosts].join(' '),
    ["media-src 'self'", ...hosts].join(' '),
    "font-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`,
  ].join('; ');

const html = 'text/html; charset=utf-8';

export interface PageOptions extends AskedPage {
  /** Whether it is the page that other pages embed. */
  readonly isEmbedded?: boolean;
  readonly link?: string;
}

export async function sendReadingRoom(
  parts: PageParts,
  { isEmbedded = false, link, ...asked }: PageOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { webAssets, contextPath, embedAncestors, guarded } = parts;
  const built = isEmbedded ? webAssets.embedded : webAssets.page;
  if (built === undefined) {
    const message = 'The reading room has not been built; npm run build makes it.';
    return sendTextError(new ImageError('unsupported', message), request, reply);
  }
  const { content, name, error } = await outcomeOf(parts, asked, request);
  const described = withContent(built, content);
  const basePath = basePathOf(request.origin, contextPath);
  const body = Buffer.from(withFacts(described, basePath, { ...factsOf(parts), name }));
  const representation = {
    mediaType: html,
    etag: tagOf(html, body),
    cacheControl: guarded ? privateCacheControl : 'no-cache',
    vary: 'Accept-Language',
    contentSecurityPolicy: contentSecurityPolicy(
      isEmbedded ? embedAncestors : ["'self'"],
      parts.manifests,
      tileHost(parts),
    ),
    link,
  };
  if (error === undefined) return sendRepresentation(representation, body, request, reply);
  setAllHeaders(reply, representation);
  beginErrorPage(error, request, reply);
  return reply.removeHeader('etag').send(body);
}

const isBrowser = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').includes('text/html');

/** Sends an error of an address that is not read: as a page to browsers, as text to programs. */
export function sendPageError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!isBrowser(request)) return sendTextError(error, request, reply);
  const message = beginErrorPage(error, request, reply);
  const body = `<h1>This can’t be shown</h1>\n<p class="lead">${escapeHtml(message)}</p>`;
  return sendPage(page({ title: 'Error – Lectern', body, style: '' }), 'no-store', request, reply);
}

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
