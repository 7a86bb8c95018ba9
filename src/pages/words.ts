/** The words of the pages that the server itself writes, in the languages of the reading room. */

const languages = ['en', 'de'] as const;

export type PageLanguage = (typeof languages)[number];

type Word = Readonly<Record<PageLanguage, string>>;

const words = {
  library: { en: 'Library', de: 'Bibliothek' },
  previous: { en: 'Previous', de: 'Zurück' },
  next: { en: 'Next', de: 'Weiter' },
  folders: { en: 'Folders', de: 'Ordner' },
  images: { en: 'Images', de: 'Bilder' },
  rights: { en: 'Rights', de: 'Rechte' },
  homepage: { en: 'More about it', de: 'Mehr dazu' },
  manifest: { en: 'IIIF manifest', de: 'IIIF-Manifest' },
  collection: { en: 'IIIF collection', de: 'IIIF-Sammlung' },
  picture: { en: 'IIIF image (info.json)', de: 'IIIF-Bild (info.json)' },
  'way-here': { en: 'The way here', de: 'Der Weg hierher' },
  'other-pages': { en: 'Other pages', de: 'Andere Seiten' },
  'needs-script': {
    en: 'To zoom, measure and search, the reading room needs JavaScript.',
    de: 'Zum Vergrößern, Messen und Suchen braucht der Lesesaal JavaScript.',
  },
  'not-found': { en: 'There is nothing at this address.', de: 'Unter dieser Adresse ist nichts.' },
  closed: { en: 'This needs a login.', de: 'Hier ist eine Anmeldung nötig.' },
  'not-now': {
    en: 'The server can’t show this now. Try again later.',
    de: 'Der Server kann das gerade nicht zeigen. Versuchen Sie es später.',
  },
} as const satisfies Readonly<Record<string, Word>>;

export type WordKey = keyof typeof words;

export const wordIn = (language: PageLanguage, key: WordKey): string => words[key][language];

/** The first language of a reader's that the pages have; English where they have none. */
export const pageLanguageOf = (tags: readonly string[]): PageLanguage =>
  tags.map((tag) => tag.split('-')[0]).find((tag): tag is PageLanguage => languages.some((one) => one === tag)) ?? 'en';
