/** What a page shows in the terms of schema.org, as JSON-LD (https://schema.org/docs/schemas.html). */

import type { PageLanguage } from '../../../core/http/words.ts';
import { folderPagePath } from '../../../core/image/addresses/folder-address.ts';
import { canonicalAddress, linkedDocuments, smallPicture } from './addresses.ts';
import {
  descriptionOf,
  folderTitle,
  headingOf,
  type PageDescription,
  type PageSite,
  siteName,
  type WorkDescription,
  workTitle,
} from './description.ts';

type Json = Readonly<Record<string, unknown>>;

/** The members that say something. */
const stated = (members: Json): Json =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );

const workTypes = {
  book: 'Book',
  manuscript: 'Manuscript',
  map: 'Map',
  letter: 'Message',
  artwork: 'VisualArtwork',
  document: 'CreativeWork',
} as const;

/** What metadata says of a work; authors stay texts, since they may be persons or institutions. */
function factsOf({ citation, rights, attribution, homepage }: WorkDescription): Json {
  const { authors, date, publisher, callNumber, language, doi } = citation;
  return {
    author: authors,
    dateCreated: date,
    publisher,
    inLanguage: language,
    identifier: [...(doi === '' ? [] : [`https://doi.org/${doi}`]), ...(callNumber === '' ? [] : [callNumber])],
    license: rights ?? undefined,
    creditText: attribution.join(' '),
    sameAs: homepage.map(({ address }) => address),
  };
}

function breadcrumbs(page: PageDescription, site: PageSite, language: PageLanguage): Json {
  const { parents, path } = page.work;
  const folders = [...parents, { path, title: workTitle(page, site, language) }];
  const items = folders.map(({ path: folder, title }) => ({
    name: folderTitle({ path: folder, title }, site, language),
    item: site.base + folderPagePath(folder),
  }));
  const here = page.kind === 'image' ? [{ name: page.label, item: canonicalAddress(page, site) }] : [];
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [...items, ...here].map((item, index) => ({ '@type': 'ListItem', position: index + 1, ...item })),
  };
}

/** The documents of the IIIF APIs, which programs load in place of the page. */
const encodings = (page: PageDescription, site: PageSite): readonly Json[] =>
  linkedDocuments(page, site).map(({ address, mediaType }) => ({
    '@type': 'MediaObject',
    contentUrl: address,
    encodingFormat: mediaType,
  }));

/** The library as a site that can be searched. */
function websiteOf(page: PageDescription, site: PageSite, language: PageLanguage): Json {
  return stated({
    '@type': 'WebSite',
    '@id': site.base,
    url: site.base,
    name: siteName(site),
    description: page.work.path === '' ? descriptionOf(page, site, language) : '',
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${site.base}browse/?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  });
}

function folderOf(page: PageDescription & { kind: 'folder' }, site: PageSite, language: PageLanguage): Json {
  const picture = page.cover && smallPicture(page.cover, site);
  return stated({
    '@type': page.totalImages > 0 ? workTypes[page.work.citation.itemType] : 'Collection',
    '@id': canonicalAddress(page, site),
    url: canonicalAddress(page, site),
    name: workTitle(page, site, language),
    description: descriptionOf(page, site, language),
    image: picture?.address,
    ...factsOf(page.work),
    encoding: encodings(page, site),
    isPartOf: { '@id': site.base },
  });
}

function imageOf(page: PageDescription & { kind: 'image' }, site: PageSite, language: PageLanguage): Json {
  const { address } = smallPicture(page.picture, site);
  const { license, creditText, ...work } = factsOf(page.work);
  return stated({
    '@type': 'ImageObject',
    '@id': canonicalAddress(page, site),
    url: canonicalAddress(page, site),
    name: headingOf(page, site, language),
    description: descriptionOf(page, site, language),
    width: page.picture.width,
    height: page.picture.height,
    contentUrl: address,
    thumbnailUrl: address,
    position: page.at,
    license,
    acquireLicensePage: license === undefined ? undefined : canonicalAddress(page, site),
    creditText,
    encoding: encodings(page, site),
    isPartOf: stated({
      '@type': workTypes[page.work.citation.itemType],
      '@id': site.base + folderPagePath(page.work.path),
      url: site.base + folderPagePath(page.work.path),
      name: workTitle(page, site, language),
      ...work,
    }),
  });
}

/** The whole document. */
export function jsonLdOf(page: PageDescription, site: PageSite, language: PageLanguage): object {
  const isStart = page.kind === 'folder' && page.work.path === '';
  const shown = page.kind === 'image' ? imageOf(page, site, language) : folderOf(page, site, language);
  const others = isStart ? [] : [breadcrumbs(page, site, language)];
  const collection = isStart && page.totalImages === 0 ? [] : [shown];
  return { '@context': 'https://schema.org', '@graph': [websiteOf(page, site, language), ...collection, ...others] };
}
