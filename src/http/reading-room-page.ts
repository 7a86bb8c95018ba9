/** The page of the reading room, which reads its own address: the built page with facts about this server. */
import { setTimeout } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LanguageMap } from '../image/folder/folder-metadata.ts';
import { parseLanguages, textFor } from '../image/folder/languages.ts';
import { ImageError } from '../image/model/errors.ts';
import type { Limits } from '../image/model/limits.ts';
import type { AccentColors } from '../pages/accent.ts';
import { bodyOfNothing } from '../pages/body.ts';
import type { PageDescription, PagePlace, PageSite } from '../pages/description.ts';
import { escapeHtml, joined } from '../pages/markup.ts';
import { emptyContent, type PageContent, pageContent, withContent } from '../pages/page.ts';
import { siteName } from '../pages/texts.ts';
import { type PageLanguage, pageLanguageOf, type WordKey } from '../pages/words.ts';
import type { DescribePage } from '../service/describe-page.ts';
import type { About } from './about.ts';
import type { Callers } from './callers.ts';
import { beginErrorPage, sendTextError, statusOf } from './errors.ts';
import { privateCacheControl, tagOf } from './representation.ts';
import { sendRepresentation, setAllHeaders } from './send.ts';
import type { NamedAsset, WebAssets } from './web-assets.ts';

export interface PageParts {
  readonly about: About;
  readonly callers: Pick<Callers, 'tokenCookie' | 'callerOf'>;
  readonly describePage: DescribePage;
  /** The name of the library by language; empty where it has none that everyone may know. */
  readonly libraryName: () => Promise<LanguageMap>;
  /** Whether there are rules of access, so that pages differ from caller to caller. */
  readonly guarded: boolean;
  readonly iiifSlash: string;
  /** Whether what can be decoded of truncated images is shown. */
  readonly showsTruncated: boolean;
  readonly limits: Limits;
  readonly contextPath: string;
  readonly webAssets: WebAssets;
  readonly logo: NamedAsset | undefined;
  readonly accent: AccentColors | undefined;
  /** The pages that may embed the viewer, as sources of a Content-Security-Policy. */
  readonly embedAncestors: readonly string[];
}

/** The facts about the server that the page needs for the addresses that it makes; null for a bound that there is none of. */
const factsOf = ({ about, callers, iiifSlash, showsTruncated, limits, logo, accent }: PageParts) => ({
  version: about.version,
  iiifSlash,
  tokenCookie: callers.tokenCookie,
  showsTruncated,
  logo: logo === undefined ? null : `room/${logo.name}`,
  accent: accent ?? null,
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
  /** What its HTML describes; undefined for pages that describe nothing. */
  readonly place?: PagePlace | undefined;
}

/** A page without what it shows, in which the scripts ask for it. */
const undescribed = (site: PageSite, language: PageLanguage): PageContent => ({
  language,
  title: siteName(site),
  head: joined([]),
  body: bodyOfNothing('not-now', site, language),
});

/** What is said of a place, and the error where it can't be shown. */
interface Outcome {
  readonly content: PageContent;
  readonly error?: unknown;
}

/** Nobody learns from the page of a closed image that there is one. */
const reasonOf = (error: unknown): WordKey => {
  if (!(error instanceof ImageError)) return 'not-now';
  if (error.code === 'denied' || error.code === 'login-needed') return 'closed';
  return statusOf(error) < 500 ? 'not-found' : 'not-now';
};

/** A page waits this long for its description, in ms: longer where a disk is very slow, and then the scripts ask. */
const descriptionMs = 500;

async function describe(
  parts: PageParts,
  place: PagePlace,
  request: FastifyRequest,
  site: PageSite,
  languages: readonly string[],
): Promise<Outcome> {
  const language = pageLanguageOf(languages);
  const timer = new AbortController();
  const describing = async (): Promise<PageDescription> =>
    parts.describePage(place, await parts.callers.callerOf(request.raw), languages);
  const waiting = setTimeout(descriptionMs, undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    const page = await Promise.race([describing(), waiting]);
    return { content: page === undefined ? undescribed(site, language) : pageContent(page, site, language) };
  } catch (error) {
    return { content: emptyContent(reasonOf(error), site, language), error };
  } finally {
    timer.abort();
  }
}

export async function sendReadingRoom(
  parts: PageParts,
  { isEmbedded = false, link, place }: PageOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { webAssets, contextPath, embedAncestors, iiifSlash, guarded } = parts;
  const built = isEmbedded ? webAssets.embedded : webAssets.page;
  if (built === undefined) {
    const message = 'The reading room has not been built; npm run build makes it.';
    return sendTextError(new ImageError('unsupported', message), request, reply);
  }
  const languages = parseLanguages(request.headers['accept-language'] ?? '');
  const name = await parts.libraryName();
  const site = {
    base: `${request.origin}${contextPath}/`,
    name: textFor(name, languages).join(' '),
    iiifSlash,
  };
  const outcome: Outcome =
    place === undefined
      ? { content: undescribed(site, pageLanguageOf(languages)) }
      : await describe(parts, place, request, site, languages);
  const basePath = basePathOf(request.origin, contextPath);
  const described = withContent(built, outcome.content);
  const body = Buffer.from(withFacts(described, basePath, { ...factsOf(parts), name }));
  const representation = {
    mediaType: html,
    etag: tagOf(html, body),
    cacheControl: guarded ? privateCacheControl : 'no-cache',
    vary: 'Accept-Language',
    contentSecurityPolicy: contentSecurityPolicy(isEmbedded ? embedAncestors : ["'self'"]),
    link,
  };
  if (outcome.error === undefined) return sendRepresentation(representation, body, request, reply);
  setAllHeaders(reply, representation);
  beginErrorPage(outcome.error, request, reply);
  return reply.removeHeader('etag').send(body);
}
