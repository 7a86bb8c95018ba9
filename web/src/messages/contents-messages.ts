/** Texts about the contents of a book: its chapters, and its pages as a whole. */
export const contentsMessages = {
  'panel-contents': { en: 'Contents', de: 'Inhalt', fr: 'Sommaire' },
  'short-contents': { en: 'Contents', de: 'Inhalt', fr: 'Sommaire' },
  'chapter-now': { en: 'Chapter: {label}', de: 'Kapitel: {label}', fr: 'Chapitre : {label}' },
  'next-chapter': { en: 'Next chapter', de: 'Nächstes Kapitel', fr: 'Chapitre suivant' },
  'previous-chapter': { en: 'Previous chapter', de: 'Voriges Kapitel', fr: 'Chapitre précédent' },
  'find-chapter': { en: 'Find a chapter', de: 'Kapitel suchen', fr: 'Chercher un chapitre' },
  'find-chapter-none': { en: 'No chapter is called “{query}”.', de: 'Kein Kapitel heißt „{query}“.', fr: 'Aucun chapitre ne s’appelle « {query} ».' },
} as const;
