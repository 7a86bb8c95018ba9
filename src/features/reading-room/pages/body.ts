/** A page for readers without scripts: the picture, the metadata, and links to the pages around it. Addresses are relative. */

import { type PageLanguage, type WordKey, wordIn } from '../../../core/http/words.ts';
import { folderPagePath, imagePagePath } from '../../../core/image/addresses/folder-address.ts';
import { element, joined, type Markup, textMarkup } from '../../../core/text/markup.ts';
import { linkedDocuments, neighborAddresses, smallPicture } from './addresses.ts';
import type { PageDescription, PageSite } from './description.ts';
import { folderTitle, headingOf, siteName, workTitle } from './visible-texts.ts';

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

const footer = (language: PageLanguage): Markup =>
  element('footer', {}, element('p', {}, textMarkup(wordIn(language, 'needs-script'))));

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
      listsOf(page, shown),
      page.kind === 'folder' ? neighbors(page, shown) : undefined,
    ),
    footer(language),
  );
}

/** The body of a page that shows nothing, with the reason. */
export const bodyOfNothing = (reason: WordKey, site: PageSite, language: PageLanguage): Markup =>
  frame(site, element('main', {}, element('h1', {}, textMarkup(wordIn(language, reason)))));
