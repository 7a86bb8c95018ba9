/** Texts of the page of a collection of another host, which are loaded with it. */
import { countedText, filled, type MessageValues } from './messages.ts';

export const collectionTexts = {
  'kind-book': { en: 'Book', de: 'Buch', fr: 'Livre' },
  'kind-collection': { en: 'Collection', de: 'Sammlung', fr: 'Collection' },
  'kind-at': { en: 'Collection of {host}', de: 'Sammlung von {host}', fr: 'Collection de {host}' },
  'books-one': { en: '{count} book', de: '{count} Buch', fr: '{count} livre' },
  books: { en: '{count} books', de: '{count} Bücher', fr: '{count} livres' },
  'collections-one': { en: '{count} collection', de: '{count} Sammlung', fr: '{count} collection' },
  collections: { en: '{count} collections', de: '{count} Sammlungen', fr: '{count} collections' },
  'entries-one': { en: '{count} entry', de: '{count} Eintrag', fr: '{count} entrée' },
  entries: { en: '{count} entries', de: '{count} Einträge', fr: '{count} entrées' },
  inside: { en: 'In this collection', de: 'In dieser Sammlung', fr: 'Dans cette collection' },
  filter: { en: 'Filter by title', de: 'Nach Titel filtern', fr: 'Filtrer par titre' },
  'filter-count': { en: '{count} of {total}', de: '{count} von {total}', fr: '{count} sur {total}' },
  'filter-none': { en: 'No title has “{query}”.', de: 'Kein Titel hat „{query}“.', fr: 'Aucun titre ne contient « {query} ».' },
  more: { en: 'Show more', de: 'Mehr zeigen', fr: 'Afficher plus' },
  'loaded-of': { en: '{count} of {total} have loaded', de: '{count} von {total} sind geladen', fr: '{count} sur {total} sont chargées' },
  'loaded-only': {
    en: 'Only what has loaded is filtered and ordered.',
    de: 'Gefiltert und geordnet wird nur, was geladen ist.',
    fr: 'Seul ce qui est chargé est filtré et trié.',
  },
  'part-failed': { en: 'The next part did not come: {problem}.', de: 'Der nächste Teil kam nicht: {problem}.', fr: 'La partie suivante n’est pas arrivée : {problem}.' },
  empty: { en: 'This collection is empty.', de: 'Diese Sammlung ist leer.', fr: 'Cette collection est vide.' },
  'too-many': { en: 'Only the first {count} are shown.', de: 'Gezeigt werden nur die ersten {count}.', fr: 'Seules les {count} premières sont affichées.' },
  address: { en: 'IIIF collection', de: 'IIIF-Sammlung', fr: 'Collection IIIF' },
} as const;

type CollectionKey = keyof typeof collectionTexts;

export const collectionMessage = (key: CollectionKey, values: MessageValues = {}): string => filled(collectionTexts[key], values);

export const collectionCount = (key: 'books' | 'collections' | 'entries', count: number): string => countedText(collectionTexts[`${key}-one`], collectionTexts[key], count);
