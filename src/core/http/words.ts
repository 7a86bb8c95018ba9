/** The words of the pages that the server itself writes, in the languages of the reading room. */

const languages = ['en', 'de', 'fr'] as const;

export type PageLanguage = (typeof languages)[number];

type Word = Readonly<Record<PageLanguage, string>>;

const words = {
  library: { en: 'Library', de: 'Bibliothek', fr: 'Bibliothèque' },
  previous: { en: 'Previous', de: 'Zurück', fr: 'Précédent' },
  next: { en: 'Next', de: 'Weiter', fr: 'Suivant' },
  folders: { en: 'Folders', de: 'Ordner', fr: 'Dossiers' },
  images: { en: 'Images', de: 'Bilder', fr: 'Images' },
  rights: { en: 'Rights', de: 'Rechte', fr: 'Droits' },
  homepage: { en: 'More about it', de: 'Mehr dazu', fr: 'En savoir plus' },
  manifest: { en: 'IIIF manifest', de: 'IIIF-Manifest', fr: 'Manifeste IIIF' },
  collection: { en: 'IIIF collection', de: 'IIIF-Sammlung', fr: 'Collection IIIF' },
  picture: { en: 'IIIF image (info.json)', de: 'IIIF-Bild (info.json)', fr: 'Image IIIF (info.json)' },
  'way-here': { en: 'The way here', de: 'Der Weg hierher', fr: 'Fil d’Ariane' },
  'other-pages': { en: 'Other pages', de: 'Andere Seiten', fr: 'Autres pages' },
  order: { en: 'Order', de: 'Reihenfolge', fr: 'Ordre' },
  'order-own': { en: 'As the library has them', de: 'Wie in der Bibliothek', fr: 'Ordre de la bibliothèque' },
  'order-date': { en: 'Date, oldest first', de: 'Datum, älteste zuerst', fr: 'Date, du plus ancien' },
  'order-date-down': { en: 'Date, newest first', de: 'Datum, neueste zuerst', fr: 'Date, du plus récent' },
  'order-author': { en: 'Author', de: 'Verfasser', fr: 'Auteur' },
  'order-language': { en: 'Language', de: 'Sprache', fr: 'Langue' },
  'order-title': { en: 'Title', de: 'Titel', fr: 'Titre' },
  author: { en: 'Author', de: 'Verfasser', fr: 'Auteur' },
  'of-language': { en: 'Language', de: 'Sprache', fr: 'Langue' },
  after: { en: 'From the year', de: 'Vom Jahr', fr: 'De l’année' },
  before: { en: 'To the year', de: 'Bis zum Jahr', fr: 'À l’année' },
  show: { en: 'Show', de: 'Zeigen', fr: 'Afficher' },
  'needs-script': {
    en: 'To zoom, measure and search, the reading room needs JavaScript.',
    de: 'Zum Vergrößern, Messen und Suchen braucht der Lesesaal JavaScript.',
    fr: 'Pour agrandir, mesurer et rechercher, la salle de lecture a besoin de JavaScript.',
  },
  'not-found': {
    en: 'There is nothing at this address.',
    de: 'Unter dieser Adresse ist nichts.',
    fr: 'Il n’y a rien à cette adresse.',
  },
  closed: { en: 'This needs a login.', de: 'Hier ist eine Anmeldung nötig.', fr: 'Vous devez vous identifier.' },
  'sign-in': { en: 'Sign in', de: 'Anmelden', fr: 'Se connecter' },
  'not-now': {
    en: 'The server can’t show this now. Try again later.',
    de: 'Der Server kann das gerade nicht zeigen. Versuchen Sie es später.',
    fr: 'Le serveur ne peut pas afficher cette page pour le moment. Réessayez plus tard.',
  },
} as const satisfies Readonly<Record<string, Word>>;

export type WordKey = keyof typeof words;

export const wordIn = (language: PageLanguage, key: WordKey): string => words[key][language];

/** The first language of a reader's that the pages have; English where they have none. */
export const pageLanguageOf = (tags: readonly string[]): PageLanguage =>
  tags.map((tag) => tag.split('-')[0]).find((tag): tag is PageLanguage => languages.some((one) => one === tag)) ?? 'en';
