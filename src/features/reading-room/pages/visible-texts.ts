/** The title and the description of a page, as a list of search results or a preview of a link shows them. */

import { type PageLanguage, wordIn } from '../../../core/http/words.ts';
import type { FolderLink } from '../../../core/image/folder/folder-listing.ts';
import type { PageDescription, PageSite } from './description.ts';

/** What stands for a library without a name. */
const program = 'Lectern';

export const siteName = ({ name }: PageSite): string => name || program;

/** The title of a folder; the root is called by the library's name. */
export const folderTitle = ({ path, title }: FolderLink, site: PageSite, language: PageLanguage): string =>
  (path === '' ? site.name : '') || title || path || wordIn(language, 'library');

export const workTitle = ({ work }: PageDescription, site: PageSite, language: PageLanguage): string =>
  folderTitle(work, site, language);

/** What the page shows, without the site's name: an image with the work that it is of, or a folder. */
export function headingOf(page: PageDescription, site: PageSite, language: PageLanguage): string {
  const title = workTitle(page, site, language);
  return page.kind === 'image' && page.label !== title ? `${title}, ${page.label}` : title;
}

/** As the scripts of the page set it. */
export function titleOf(page: PageDescription, site: PageSite, language: PageLanguage): string {
  const title = workTitle(page, site, language);
  const parts = page.kind === 'image' ? [page.label, title, siteName(site)] : [title, siteName(site)];
  return [...new Set(parts)].join(' – ');
}

/** More characters are cut by those who show descriptions. */
const mostCharacters = 300;

function shortened(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= mostCharacters) return plain;
  const cut = plain.slice(0, mostCharacters).replace(/\p{Surrogate}$/u, '');
  return `${cut.replace(/\s+\S{0,40}$/u, '')} …`;
}

/** The summary, or else what the metadata says; empty where it says nothing. An image adds its place in the work. */
export function descriptionOf(page: PageDescription, site: PageSite, language: PageLanguage): string {
  const { summary, metadata } = page.work;
  const pairs = metadata.map(({ label, value }) => `${label}: ${value.join(', ')}`).join('. ');
  const about = summary.join(' ') || pairs;
  if (page.kind === 'folder') return shortened(about);
  const place = `${headingOf(page, site, language)} (${page.at}/${page.total})`;
  return shortened(about === '' ? place : `${place}. ${about}`);
}
