/** Texts about manifests of other hosts; loaded with the parts of the page that show them. */
import { filled } from './messages.ts';

export const manifestMessages = {
  provider: { en: 'Provider', de: 'Anbieter', fr: 'Fournisseur' },
  date: { en: 'Date', de: 'Datum', fr: 'Date' },
  place: { en: 'Place', de: 'Ort', fr: 'Lieu' },
  'by-date': { en: 'Order by date', de: 'Nach Datum ordnen', fr: 'Trier par date' },
  'page-order': { en: 'Order of the pages', de: 'Reihenfolge der Seiten', fr: 'Ordre des pages' },
  'linked-page': { en: 'Open the page', de: 'Seite öffnen', fr: 'Ouvrir la page' },
} as const;

export const manifestMessage = (key: keyof typeof manifestMessages): string => filled(manifestMessages[key], {});
