/** Puts a page's own HTML into the page that the build made, whose scripts and styles stay as they are. */

import type { PageLanguage, WordKey } from '../../../core/http/words.ts';
import { joined, type Markup, textMarkup } from '../../../core/text/markup.ts';
import { bodyOf, bodyOfNothing } from './body.ts';
import type { PageDescription, PageSite } from './description.ts';
import { headOf, headOfNothing } from './head.ts';
import { siteName, titleOf } from './visible-texts.ts';

/** What differs from page to page. */
export interface PageContent {
  readonly language: PageLanguage;
  readonly title: string;
  readonly head: Markup;
  /** For readers without scripts. */
  readonly body: Markup;
}

export const pageContent = (page: PageDescription, site: PageSite, language: PageLanguage): PageContent => ({
  language,
  title: titleOf(page, site, language),
  head: headOf(page, site, language),
  body: bodyOf(page, site, language),
});

/** The content of a page that shows nothing to its caller: the same for all images and folders. */
export const emptyContent = (reason: WordKey, site: PageSite, language: PageLanguage): PageContent => ({
  language,
  title: siteName(site),
  head: headOfNothing(),
  body: bodyOfNothing(reason, site, language),
});

/** The content of a page of which nothing is known in time; the scripts ask for it. */
export const undescribedContent = (site: PageSite, language: PageLanguage): PageContent => ({
  ...emptyContent('not-now', site, language),
  head: joined([]),
});

/** The marks around what the head says of one page: the scripts replace it when they show another one. */
const headStart = '<meta name="lectern-page" content="start" />';
const headEnd = '<meta name="lectern-page" content="end" />';

/**
 * At the end of the head, so that browsers find scripts and styles first. `replace` takes functions, since `$` has a meaning in
 * replacement texts.
 */
export const withContent = (built: string, { language, title, head, body }: PageContent): string =>
  built
    .replace(/<html lang="[^"]*"/, () => `<html lang="${language}"`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${textMarkup(title)}</title>`)
    .replace('</head>', () => `${[headStart, head, headEnd, '</head>'].filter((part) => part !== '').join('\n')}`)
    .replace(/<noscript id="plain">[\s\S]*?<\/noscript>/, () => `<noscript id="plain">${body}</noscript>`);
