/** The page of the reading room, which reads its own address: the built page with facts about this server. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ImageError } from '../image/model/errors.ts';
import type { Limits } from '../image/model/limits.ts';
import type { About } from './about.ts';
import type { Callers } from './callers.ts';
import { sendTextError } from './errors.ts';
import { escapeHtml } from './html.ts';
import { tagOf } from './representation.ts';
import { sendRepresentation } from './send.ts';
import type { WebAssets } from './web-assets.ts';

export interface PageParts {
  readonly about: About;
  readonly callers: Pick<Callers, 'tokenCookie'>;
  readonly iiifSlash: string;
  /** Whether what can be decoded of truncated images is shown. */
  readonly showsTruncated: boolean;
  readonly limits: Limits;
  readonly contextPath: string;
  readonly webAssets: WebAssets;
  /** The pages that may embed the viewer, as sources of a Content-Security-Policy. */
  readonly embedAncestors: readonly string[];
}

/** The facts about the server that the page needs for the addresses that it makes; null for a bound that there is none of. */
const factsOf = ({ about, callers, iiifSlash, showsTruncated, limits }: PageParts) => ({
  version: about.version,
  iiifSlash,
  tokenCookie: callers.tokenCookie,
  showsTruncated,
  maxArea: limits.maxArea,
  maxWidth: limits.maxWidth ?? null,
  maxHeight: limits.maxHeight ?? limits.maxWidth ?? null,
});

/** The path below which the addresses of a page begin, as the client sees it; with a slash at its end. */
export const basePathOf = (origin: string, contextPath: string): string =>
  `${origin.replace(/^https?:\/\/[^/]*/, '') + contextPath}/`;

/** Adds to a built page, whose addresses are relative to the base, what differs from server to server. */
function withFacts(built: string, basePath: string, facts: object): string {
  const base = `<base href="${escapeHtml(basePath)}" />`;
  const meta = `<meta name="lectern" content="${escapeHtml(JSON.stringify(facts))}" />`;
  return built.replace(/<head[^>]*>/, (head) => `${head}\n    ${base}\n    ${meta}`);
}

/** Nothing but what this server sends is loaded. */
const contentSecurityPolicy = (ancestors: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Pictures that the page draws or colors itself have `blob:` and `data:` addresses.
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`,
  ].join('; ');

const html = 'text/html; charset=utf-8';

export interface PageOptions {
  /** Whether it is the page that other pages embed. */
  readonly isEmbedded?: boolean;
  readonly link?: string;
}

export function sendReadingRoom(
  parts: PageParts,
  { isEmbedded = false, link }: PageOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { webAssets, contextPath, embedAncestors } = parts;
  const built = isEmbedded ? webAssets.embedded : webAssets.page;
  if (built === undefined) {
    const message = 'The reading room has not been built; npm run build makes it.';
    return sendTextError(new ImageError('unsupported', message), request, reply);
  }
  const body = Buffer.from(withFacts(built, basePathOf(request.origin, contextPath), factsOf(parts)));
  const representation = {
    mediaType: html,
    etag: tagOf(html, body),
    cacheControl: 'no-cache',
    contentSecurityPolicy: contentSecurityPolicy(isEmbedded ? embedAncestors : ["'self'"]),
    link,
  };
  return sendRepresentation(representation, body, request, reply);
}
