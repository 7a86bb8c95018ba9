/** How manifests and collections offer their search (Content Search 2.0, section 3, and 1.0, section 3.1). */
import { formatIdentifierSegment, type PresentationVersion } from '../../../core/image/addresses/iiif-addresses.ts';

/** The version of the search. */
export type SearchVersion = 1 | 2;

/** What is searched: the canvases of one manifest, or those of all manifests in and below a folder. */
export type Searched = 'manifest' | 'collection';

/** What the address of a search in a collection ends with, behind the folder; that of a manifest is the folder alone. */
export const collectionEnd = '/collection';

export interface SearchOf {
  /** Scheme, host and context path. */
  readonly base: string;
  /** The version of the manifests whose canvases are found. */
  readonly presentation: PresentationVersion;
  readonly searched: Searched;
  /** Of the folder. */
  readonly path: string;
  /** Stands for the slashes of the path. */
  readonly slash: string;
}

/** The address of a search. */
export function searchAddress({ base, presentation, searched, path, slash }: SearchOf, search: SearchVersion): string {
  // The root's path is empty; an escaped slash is its segment.
  const folder = formatIdentifierSegment(path, slash) || '%2F';
  const end = searched === 'collection' ? collectionEnd : '';
  return `${base}/content-search/${search}/presentation/${presentation}/${folder}${end}`;
}

const service1 = (id: string): object => ({
  '@context': 'http://iiif.io/api/search/1/context.json',
  '@id': id,
  profile: 'http://iiif.io/api/search/1/search',
  label: 'Search within this item',
  service: {
    '@id': `${id}/autocomplete`,
    profile: 'http://iiif.io/api/search/1/autocomplete',
    label: 'Get suggested words in this item',
  },
});

const service2 = (id: string): object => ({
  id,
  type: 'SearchService2',
  service: [{ id: `${id}/autocomplete`, type: 'AutoCompleteService2' }],
});

/** Older services in a document of version 3 have types as well (Presentation 3.0, section 3.2, "service"). */
const typedService1 = (id: string): object => ({
  '@id': id,
  '@type': 'SearchService1',
  profile: 'http://iiif.io/api/search/1/search',
  service: [
    {
      '@id': `${id}/autocomplete`,
      '@type': 'AutoCompleteService1',
      profile: 'http://iiif.io/api/search/1/autocomplete',
    },
  ],
});

/**
 * The member of a manifest or collection that offers the search in it, in both versions of the search where it is of version
 * 3: Mirador and Universal Viewer know the first one alone.
 */
export function searchMember(search: SearchOf): object {
  const address = (version: SearchVersion): string => searchAddress(search, version);
  if (search.presentation === 2) return { service: service1(address(1)) };
  return { service: [service2(address(2)), typedService1(address(1))] };
}
