/** What the HTML of a page says, within a time that a page may take, and the error where it can't be shown. */
import { setTimeout } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { arrangingMs } from '../../core/folder-descriptions/arranged-folders.ts';
import type { Callers } from '../../core/http/callers.ts';
import { statusOf } from '../../core/http/error-responses.ts';
import type { WorkRules } from '../../core/http/request-context.ts';
import { pageLanguageOf, type WordKey } from '../../core/http/words.ts';
import { type LanguageMap, parseLanguages, textFor } from '../../core/image/folder/folder-metadata.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import type { DescribePage } from './describe-page.ts';
import type { PageDescription, PagePlace, PageSite } from './pages/description.ts';
import type { SiteFooter } from './pages/footer.ts';
import { emptyContent, type PageContent, pageContent, undescribedContent, unlistedContent } from './pages/page.ts';

export interface OutcomeParts {
  readonly callers: Pick<Callers, 'callerOf'>;
  readonly contextPath: string;
  readonly iiifSlash: string;
  /** Whether people can sign in. */
  readonly signsIn: boolean;
  readonly describePage: DescribePage;
  /** What the site says at the end of its pages. */
  readonly footer: SiteFooter;
  /** The name of the library by language; empty where it has none that everyone may know. */
  readonly libraryName: () => Promise<LanguageMap>;
  readonly pay?: WorkRules['pay'];
}

export interface Outcome {
  readonly content: PageContent;
  /** The name of the library by language. */
  readonly name: LanguageMap;
  readonly error?: unknown;
}

/** Nobody learns from the page of a closed image that there is one. */
const reasonOf = (error: unknown): WordKey => {
  if (!(error instanceof ImageError)) return 'not-now';
  if (error.code === 'denied' || error.code === 'login-needed') return 'closed';
  return statusOf(error) < 500 ? 'not-found' : 'not-now';
};

/** A page waits this long for its description, in ms: longer only where a disk is very slow, and then the scripts ask. */
const descriptionMs = 500;

/** The result, or undefined where it takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  const waiting = setTimeout(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, waiting]);
  } finally {
    timer.abort();
  }
}

type Described = { readonly page: PageDescription | undefined } | { readonly error: unknown };

async function describe(
  { describePage, callers, pay }: OutcomeParts,
  place: PagePlace,
  request: FastifyRequest,
  languages: readonly string[],
): Promise<Described> {
  const describing = async (): Promise<PageDescription> =>
    describePage(place, await callers.callerOf(request.raw), languages);
  const isArranged = place.kind === 'folder' && place.wish !== undefined;
  try {
    if (isArranged) await pay?.(request.raw, { ms: arrangingMs });
    return { page: await within(descriptionMs, describing()) };
  } catch (error) {
    return { error };
  }
}

export interface AskedPage {
  /** What its HTML describes; undefined for pages that describe nothing. */
  readonly place?: PagePlace | undefined;
  /** Present for a page that is one of very many of what it shows, with the address below the base that stands for all of them. */
  readonly unlisted?: { readonly canonical?: string };
}

export async function outcomeOf(
  parts: OutcomeParts,
  { place, unlisted }: AskedPage,
  request: FastifyRequest,
): Promise<Outcome> {
  const languages = parseLanguages(request.headers['accept-language'] ?? '');
  const language = pageLanguageOf(languages);
  const [name, described] = await Promise.all([
    parts.libraryName(),
    place && describe(parts, place, request, languages),
  ]);
  const base = `${request.origin}${parts.contextPath}/`;
  const { signsIn, iiifSlash, contextPath, footer } = parts;
  const here = request.originalUrl.slice(contextPath.length + 1);
  const signIn = signsIn ? `sign-in?to=${encodeURIComponent(here)}` : undefined;
  const site: PageSite = { base, name: textFor(name, languages).join(' '), iiifSlash, signIn, footer };
  const listed = (content: PageContent): PageContent =>
    unlisted === undefined ? content : unlistedContent(content, unlisted.canonical && base + unlisted.canonical);
  if (described === undefined) return { name, content: listed(emptyContent('needs-script', site, language)) };
  if ('error' in described) {
    const { error } = described;
    const reason = reasonOf(error);
    // What fails for the moment stays in the lists of search engines.
    const content = reason === 'not-now' ? undescribedContent(site, language) : emptyContent(reason, site, language);
    return { name, content, error };
  }
  const { page } = described;
  const content = page === undefined ? undescribedContent(site, language) : pageContent(page, site, language);
  return { name, content: listed(content) };
}
