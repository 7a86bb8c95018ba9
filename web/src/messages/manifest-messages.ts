/** Texts about manifests of other hosts; loaded with the parts of the page that show them. */
import { language } from './messages.ts';

const manifestMessages = {
  provider: { en: 'Provider', de: 'Anbieter', fr: 'Fournisseur' },
  date: { en: 'Date', de: 'Datum', fr: 'Date' },
  place: { en: 'Place', de: 'Ort', fr: 'Lieu' },
  'by-date': { en: 'Order by date', de: 'Nach Datum ordnen', fr: 'Trier par date' },
  'page-order': { en: 'Order of the pages', de: 'Reihenfolge der Seiten', fr: 'Ordre des pages' },
  'linked-page': { en: 'Open the page', de: 'Seite öffnen', fr: 'Ouvrir la page' },
} as const;

export const manifestMessage = (key: keyof typeof manifestMessages): string => manifestMessages[key][language.value];
