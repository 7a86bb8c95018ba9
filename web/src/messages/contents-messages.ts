/** Texts about the contents of a book: its chapters, and its pages as a whole. */
export const contentsMessages = {
  'panel-contents': { en: 'Contents', de: 'Inhalt', fr: 'Sommaire' },
  'short-contents': { en: 'Contents', de: 'Inhalt', fr: 'Sommaire' },
  'chapter-now': { en: 'Chapter: {label}', de: 'Kapitel: {label}', fr: 'Chapitre : {label}' },
  'next-chapter': { en: 'Next chapter', de: 'Nächstes Kapitel', fr: 'Chapitre suivant' },
  'previous-chapter': { en: 'Previous chapter', de: 'Voriges Kapitel', fr: 'Chapitre précédent' },
  'find-chapter': { en: 'Find a chapter', de: 'Kapitel suchen', fr: 'Chercher un chapitre' },
  'find-chapter-none': { en: 'No chapter is called “{query}”.', de: 'Kein Kapitel heißt „{query}“.', fr: 'Aucun chapitre ne s’appelle « {query} ».' },
  'layout-gallery': { en: 'All pages', de: 'Alle Seiten', fr: 'Toutes les pages' },
  'layout-scroll': { en: 'Scroll through the pages', de: 'Durch die Seiten scrollen', fr: 'Faire défiler les pages' },
  scrubber: { en: 'Place in the book', de: 'Stelle im Buch', fr: 'Position dans le livre' },
  desk: { en: 'My desk', de: 'Mein Schreibtisch', fr: 'Mon bureau' },
  keep: { en: 'Keep on my desk', de: 'Auf den Schreibtisch legen', fr: 'Garder sur mon bureau' },
  'lay-out': { en: 'Lay out freely', de: 'Frei auslegen', fr: 'Disposer librement' },
  'to-free-table': { en: 'Put on the free light table', de: 'Auf den freien Leuchttisch legen', fr: 'Poser sur la table lumineuse libre' },
  'notes-of-book': { en: 'All notes on this book', de: 'Alle Notizen zu diesem Buch', fr: 'Toutes les annotations de ce livre' },
} as const;
