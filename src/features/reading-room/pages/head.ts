/** What the head of a page says to programs that run no scripts: search engines, previews of links, and citation managers. */

import type { PageLanguage } from '../../../core/http/words.ts';
import { dataBlock, element, joined, type Markup } from '../../../core/text/markup.ts';
import { canonicalAddress, linkedDocuments, neighborAddresses, smallPicture } from './addresses.ts';
import { citationTags } from './citation-tags.ts';
import type { PageDescription, PageSite } from './description.ts';
import { jsonLdOf } from './json-ld.ts';
import { descriptionOf, headingOf, siteName } from './visible-texts.ts';

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
