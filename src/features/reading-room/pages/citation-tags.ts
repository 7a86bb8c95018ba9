/**
 * The metadata that programs for citations read from `meta` elements. Zotero's translator “Embedded Metadata” merges Highwire's
 * `citation_…`, Dublin Core and its own fields `z:…` (https://www.zotero.org/support/dev/exposing_metadata). There are no COinS
 * beside them: Zotero would prefer these, and they have no fields for call numbers and rights.
 */

import type { PageLanguage } from '../../../core/http/words.ts';
import { element, joined, type Markup } from '../../../core/parsing/markup.ts';
import { canonicalAddress } from './addresses.ts';
import { headingOf, type PageDescription, type PageSite } from './description.ts';

type Tag = readonly [name: string, content: string];

/** The vocabularies of the prefixes, which Zotero takes from `link rel="schema.…"`. */
const schemas: readonly (readonly [prefix: string, address: string])[] = [
  ['DC', 'http://purl.org/dc/elements/1.1/'],
  ['z', 'http://www.zotero.org/namespaces/export#'],
];

/** DCMI types (https://www.dublincore.org/specifications/dublin-core/dcmi-terms/, section 7). */
const dublinCoreType = (itemType: string): string =>
  itemType === 'artwork' || itemType === 'map' ? 'StillImage' : 'Text';

/** Google Scholar and Zotero read these; each is left out where the metadata does not say it. */
function highwire(page: PageDescription, address: string, title: string): readonly Tag[] {
  const { citation, summary } = page.work;
  return [
    ['citation_title', title],
    ...citation.authors.map((author): Tag => ['citation_author', author]),
    ['citation_publication_date', citation.date],
    ['citation_publisher', citation.publisher],
    ['citation_language', citation.language],
    ['citation_doi', citation.doi],
    ['citation_isbn', citation.isbn],
    ['citation_abstract', summary.join(' ')],
    ['citation_public_url', address],
  ];
}

function dublinCore(page: PageDescription, address: string, title: string): readonly Tag[] {
  const { citation, summary, rights, attribution } = page.work;
  return [
    ['DC.title', title],
    ...citation.authors.map((author): Tag => ['DC.creator', author]),
    ['DC.date', citation.date],
    ['DC.publisher', citation.publisher || attribution.join(' ')],
    ['DC.language', citation.language],
    ['DC.description', summary.join(' ')],
    ['DC.type', dublinCoreType(citation.itemType)],
    ['DC.identifier', address],
    ['DC.coverage', citation.callNumber],
    ['DC.rights', rights ?? ''],
  ];
}

/** Fields that only Zotero has; `z:itemType` has precedence over all types that it would guess. */
function zotero(page: PageDescription, site: PageSite): readonly Tag[] {
  const { citation, attribution } = page.work;
  return [
    ['z:itemType', citation.itemType],
    ['z:archive', attribution.join(' ') || site.name],
    ['z:callNumber', citation.callNumber],
    ['z:place', citation.place],
  ];
}

/** Folders of folders are no works that one cites: only pages with images have citation metadata. */
export function citationTags(page: PageDescription, site: PageSite, language: PageLanguage): Markup {
  if (page.kind === 'folder' && page.totalImages === 0) return joined([]);
  const address = canonicalAddress(page, site);
  const title = headingOf(page, site, language);
  const tags = [...highwire(page, address, title), ...dublinCore(page, address, title), ...zotero(page, site)];
  return joined(
    [
      ...schemas.map(([prefix, href]) => element('link', { rel: `schema.${prefix}`, href })),
      ...tags
        .filter(([, content]) => content.trim() !== '')
        .map(([name, content]) => element('meta', { name, content: content.replace(/\s+/g, ' ').trim() })),
    ],
    '\n',
  );
}
