/** Puts a page's own HTML into the page that the build made, whose scripts and styles stay as they are. */
import { type PageLanguage, type WordKey, wordIn } from '../../../core/http/words.ts';
import { folderPagePath, imagePagePath } from '../../../core/image/addresses/folder-address.ts';
import { dataBlock, element, joined, type Markup, textMarkup } from '../../../core/parsing/markup.ts';
import { canonicalAddress, linkedDocuments, neighborAddresses, smallPicture } from './addresses.ts';
import { citationTags } from './citation-tags.ts';
import {
  descriptionOf,
  folderTitle,
  headingOf,
  type PageDescription,
  type PageSite,
  siteName,
  titleOf,
  workTitle,
} from './description.ts';
import { footerMarkup } from './footer.ts';
import { jsonLdOf } from './json-ld.ts';
import { wishForm } from './wish-form.ts';

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

/**
 * The content of a page that is one of very many, such as a search or a comparison: no list has it, and no link of it is followed.
 * `canonical` is the address that stands for all of them, where what the page describes names none.
 */
export const unlistedContent = (content: PageContent, canonical?: string): PageContent => ({
  ...content,
  head: joined([unlisted, link('canonical', canonical), canonical === undefined ? content.head : undefined], '\n'),
});

const unlisted = element('meta', { name: 'robots', content: 'noindex, nofollow' });

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

const meta = (name: string, content: string): Markup | undefined =>
  content === '' ? undefined : element('meta', { name, content });

/** Open Graph (https://ogp.me) has `property` in place of `name`. */
const property = (name: string, content: string | number): Markup | undefined =>
  content === '' ? undefined : element('meta', { property: name, content });

const link = (rel: string, href: string | undefined, type?: string): Markup | undefined =>
  href === undefined ? undefined : element('link', { rel, type, href });

function openGraph(page: PageDescription, site: PageSite, language: PageLanguage): readonly (Markup | undefined)[] {
  const shown = page.kind === 'image' ? page.picture : page.cover;
  const picture = shown && smallPicture(shown, site);
  const title = headingOf(page, site, language);
  return [
    property('og:type', 'website'),
    property('og:site_name', siteName(site)),
    property('og:title', title),
    property('og:description', descriptionOf(page, site, language)),
    property('og:url', canonicalAddress(page, site)),
    ...(picture === undefined
      ? []
      : [
          property('og:image', picture.address),
          property('og:image:type', 'image/jpeg'),
          property('og:image:width', picture.width),
          property('og:image:height', picture.height),
          property('og:image:alt', title),
          meta('twitter:card', 'summary_large_image'),
        ]),
  ];
}

/** The elements for the head of a page that can be shown, besides its title. */
export function headOf(page: PageDescription, site: PageSite, language: PageLanguage): Markup {
  const neighbors = neighborAddresses(page, site);
  const { rights } = page.work;
  return joined(
    [
      meta('description', descriptionOf(page, site, language)),
      link('canonical', canonicalAddress(page, site)),
      link('prev', neighbors.before),
      link('next', neighbors.after),
      link('license', rights ?? undefined),
      // Not `rel="manifest"`, by which browsers would take it for that of a web application.
      ...linkedDocuments(page, site).map(({ address, mediaType }) => link('alternate', address, mediaType)),
      ...openGraph(page, site, language),
      citationTags(page, site, language),
      dataBlock('application/ld+json', jsonLdOf(page, site, language)),
    ],
    '\n',
  );
}

/** For pages that show nothing to this caller: their address is not to be listed anywhere. */
export const headOfNothing = (): Markup => element('meta', { name: 'robots', content: 'noindex' });

interface Shown {
  readonly site: PageSite;
  readonly language: PageLanguage;
}

const anchor = (href: string, text: string, rel?: string): Markup => element('a', { href, rel }, textMarkup(text));

const paragraphs = (texts: readonly string[]): Markup =>
  joined(texts.map((text) => element('p', {}, textMarkup(text))));

function wayHere(page: PageDescription, { site, language }: Shown): Markup | undefined {
  const here = page.kind === 'image' ? [{ path: page.work.path, title: page.work.title }] : [];
  const folders = [...page.work.parents, ...here];
  if (folders.length === 0) return undefined;
  const items = folders.map(({ path, title }) => {
    const name = folderTitle({ path, title }, site, language);
    return element('li', {}, anchor(folderPagePath(path) || './', name));
  });
  return element(
    'nav',
    { 'aria-label': wordIn(language, 'way-here') },
    element('ol', { class: 'plain-way' }, ...items),
  );
}

function pictureOf(page: PageDescription, { site, language }: Shown): Markup | undefined {
  const shown = page.kind === 'image' ? page.picture : page.totalImages > 0 ? undefined : page.cover;
  if (shown === undefined) return undefined;
  const { address, width, height } = smallPicture(shown, { ...site, base: '' });
  const alt = page.kind === 'image' ? headingOf(page, site, language) : '';
  return element('p', { class: 'plain-picture' }, element('img', { src: address, width, height, alt }));
}

function neighbors(page: PageDescription, { site, language }: Shown): Markup | undefined {
  const { before, after } = neighborAddresses(page, { ...site, base: '' });
  if (before === undefined && after === undefined) return undefined;
  const labelOf = (key: 'previous' | 'next'): string => {
    const to = page.kind === 'image' ? (key === 'next' ? page.after : page.before)?.label : undefined;
    return to === undefined ? wordIn(language, key) : `${wordIn(language, key)}: ${to}`;
  };
  return element(
    'nav',
    { class: 'plain-neighbors', 'aria-label': wordIn(language, 'other-pages') },
    before === undefined ? undefined : anchor(before || './', `← ${labelOf('previous')}`, 'prev'),
    after === undefined ? undefined : anchor(after, `${labelOf('next')} →`, 'next'),
  );
}

const pair = (label: string, ...content: readonly Markup[]): Markup =>
  joined([element('dt', {}, textMarkup(label)), element('dd', {}, ...content)]);

function metadataOf(page: PageDescription, { site, language }: Shown): Markup {
  const { metadata, rights, homepage } = page.work;
  const documents = linkedDocuments(page, { ...site, base: '' });
  return element(
    'dl',
    {},
    ...metadata.map(({ label, value }) => pair(label, paragraphs(value))),
    rights === null ? undefined : pair(wordIn(language, 'rights'), anchor(rights, rights, 'license')),
    ...homepage.map(({ address, label }) => pair(wordIn(language, 'homepage'), anchor(address, label))),
    ...documents.map(({ kind, address }) => pair(wordIn(language, kind), anchor(address, address))),
  );
}

function list(key: WordKey, language: PageLanguage, items: readonly Markup[]): Markup | undefined {
  if (items.length === 0) return undefined;
  const heading = element('h2', {}, textMarkup(wordIn(language, key)));
  return joined([heading, element('ul', { class: 'plain-list' }, ...items.map((item) => element('li', {}, item)))]);
}

function listsOf(page: PageDescription, { language }: Shown): Markup | undefined {
  if (page.kind === 'image') return undefined;
  const folders = page.folders.map(({ path, title }) => anchor(folderPagePath(path), title || path));
  const images = page.images.map(({ path, label }) => anchor(imagePagePath(path), label));
  return joined([list('folders', language, folders), list('images', language, images)]);
}

const frame = (site: PageSite, ...content: readonly (Markup | undefined)[]): Markup =>
  element('div', { class: 'plain' }, element('header', {}, anchor('./', siteName(site))), ...content);

const footer = (site: PageSite, language: PageLanguage): Markup =>
  element(
    'footer',
    {},
    ...(site.footer === undefined ? [] : footerMarkup(site.footer, language)),
    element('p', {}, textMarkup(wordIn(language, 'needs-script'))),
  );

/** The body of a page that can be shown. */
export function bodyOf(page: PageDescription, site: PageSite, language: PageLanguage): Markup {
  const shown = { site, language };
  const heading = page.kind === 'image' ? headingOf(page, site, language) : workTitle(page, site, language);
  return frame(
    site,
    wayHere(page, shown),
    element(
      'main',
      {},
      element('h1', {}, textMarkup(heading)),
      page.kind === 'folder' ? paragraphs(page.work.summary) : undefined,
      pictureOf(page, shown),
      page.kind === 'image' ? neighbors(page, shown) : undefined,
      metadataOf(page, shown),
      page.kind === 'folder' && page.isArrangeable ? wishForm(page.work.path, page.wish, language) : undefined,
      listsOf(page, shown),
      page.kind === 'folder' ? neighbors(page, shown) : undefined,
    ),
    footer(site, language),
  );
}

/** The body of a page that shows nothing, with the reason. */
export function bodyOfNothing(reason: WordKey, site: PageSite, language: PageLanguage): Markup {
  const { signIn } = site;
  const offersSignIn = reason === 'closed' && signIn !== undefined;
  return frame(
    site,
    element(
      'main',
      {},
      element('h1', {}, textMarkup(wordIn(language, reason))),
      offersSignIn ? element('p', {}, anchor(signIn, wordIn(language, 'sign-in'), 'nofollow')) : undefined,
    ),
  );
}
