/** The words of PDF documents, and of the page that waits for one. */
import type { PageLanguage } from '../../core/http/words.ts';

const words = {
  en: {
    rights: 'Rights',
    address: 'Address',
    made: 'Made on',
    pages: 'Pages',
    author: 'Author',
    date: 'Date',
    reference: 'Reference',
    missingPage: 'The picture of this page can’t be made.',
    waiting: 'The PDF is being made',
    waitingNote: 'This page shows it as soon as it is ready.',
    progress: 'pages',
    failed: 'The PDF could not be made',
    none: 'There is no such PDF',
  },
  de: {
    rights: 'Rechte',
    address: 'Adresse',
    made: 'Erstellt am',
    pages: 'Seiten',
    author: 'Verfasser',
    date: 'Datum',
    reference: 'Zitat',
    missingPage: 'Das Bild dieser Seite kann nicht erzeugt werden.',
    waiting: 'Das PDF wird erzeugt',
    waitingNote: 'Diese Seite zeigt es, sobald es fertig ist.',
    progress: 'Seiten',
    failed: 'Das PDF konnte nicht erzeugt werden',
    none: 'Dieses PDF gibt es nicht',
  },
  fr: {
    rights: 'Droits',
    address: 'Adresse',
    made: 'Créé le',
    pages: 'Pages',
    author: 'Auteur',
    date: 'Date',
    reference: 'Référence',
    missingPage: 'L’image de cette page ne peut pas être produite.',
    waiting: 'Le PDF est en cours de création',
    waitingNote: 'Cette page l’affichera dès qu’il sera prêt.',
    progress: 'pages',
    failed: 'Le PDF n’a pas pu être créé',
    none: 'Ce PDF n’existe pas',
  },
} as const satisfies Readonly<Record<PageLanguage, Readonly<Record<string, string>>>>;

export type DocumentWord = keyof (typeof words)['en'];

/** All words in a language, with its tag (BCP 47). */
export const documentWords = (
  language: PageLanguage,
): Readonly<Record<DocumentWord, string>> & { readonly language: PageLanguage } => ({ ...words[language], language });
