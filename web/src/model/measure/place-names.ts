/** Names of the towns and countries of old units: in German and French where they differ from those in the table of units. */

const germanPlaces: Readonly<Record<string, string>> = {
  Florence: 'Florenz',
  Milan: 'Mailand',
  Venice: 'Venedig',
  Rome: 'Rom',
  Naples: 'Neapel',
  Genoa: 'Genua',
  'France, 1812 to 1839': 'Frankreich, 1812 bis 1839',
  Prussia: 'Preußen',
  Bavaria: 'Bayern',
  Saxony: 'Sachsen',
  'Hesse-Darmstadt': 'Hessen-Darmstadt',
  'Hesse-Kassel': 'Hessen-Kassel',
  Hanover: 'Hannover',
  Brunswick: 'Braunschweig',
  Nuremberg: 'Nürnberg',
  Cologne: 'Köln',
  Vienna: 'Wien',
  Prague: 'Prag',
  Tyrol: 'Tirol',
  Poland: 'Polen',
  Kraków: 'Krakau',
  Switzerland: 'Schweiz',
  Antwerp: 'Antwerpen',
  Brussels: 'Brüssel',
  Bruges: 'Brügge',
  Ghent: 'Gent',
  Scotland: 'Schottland',
  Ireland: 'Irland',
  'United States': 'Vereinigte Staaten',
  'at sea': 'auf See',
  'in print': 'im Druck',
  Castile: 'Kastilien',
  Aragon: 'Aragonien',
  Catalonia: 'Katalonien',
  Mexico: 'Mexiko',
  Denmark: 'Dänemark',
  Norway: 'Norwegen',
  Sweden: 'Schweden',
  Russia: 'Russland',
  'Ottoman Empire': 'Osmanisches Reich',
  Persia: 'Persien',
  Arabia: 'Arabien',
  'China, Qing': 'China, Qing-Zeit',
  'Ancient Egypt': 'Altes Ägypten',
  'Ancient Greece': 'Altes Griechenland',
  'Ancient Rome': 'Altes Rom',
  Byzantium: 'Byzanz',
};

const frenchPlaces: Readonly<Record<string, string>> = {
  Venice: 'Venise',
  Genoa: 'Gênes',
  'France, 1812 to 1839': 'France, de 1812 à 1839',
  Prussia: 'Prusse',
  Bavaria: 'Bavière',
  Saxony: 'Saxe',
  'Hesse-Kassel': 'Hesse-Cassel',
  Hanover: 'Hanovre',
  Vienna: 'Vienne',
  Poland: 'Pologne',
  Kraków: 'Cracovie',
  Switzerland: 'Suisse',
  Antwerp: 'Anvers',
  Brussels: 'Bruxelles',
  Ghent: 'Gand',
  Scotland: 'Écosse',
  Ireland: 'Irlande',
  'United States': 'États-Unis',
  'at sea': 'en mer',
  'in print': 'imprimerie',
  Castile: 'Castille',
  Catalonia: 'Catalogne',
  Mexico: 'Mexique',
  Denmark: 'Danemark',
  Norway: 'Norvège',
  Sweden: 'Suède',
  Russia: 'Russie',
  'Ottoman Empire': 'Empire ottoman',
  Persia: 'Perse',
  Arabia: 'Arabie',
  'China, Qing': 'Chine, Qing',
  'Ancient Egypt': 'Égypte antique',
  'Ancient Greece': 'Grèce antique',
  'Ancient Rome': 'Rome antique',
  Byzantium: 'Byzance',
};

/** By language: the name of each place that is not the one of the table. */
export const translatedPlaces: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: germanPlaces,
  fr: frenchPlaces,
};

/** The name of a place in a language; without a translation, the one of the table or of the site's units. */
export const placeIn = (locale: string, place: string): string => translatedPlaces[locale]?.[place] ?? place;

/** Appends the place, without which the name of an old unit is ambiguous: `Fuß (Preußen)`. */
export function withPlace(text: string, place: string | undefined, locale: string): string {
  if (place === undefined) return text;
  const name = placeIn(locale, place);
  return text.endsWith(')') ? `${text.slice(0, -1)}, ${name})` : `${text} (${name})`;
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i');

/** Whether a unit with these names and this place (in any language) contains every word of a query, ignoring case and accents. */
export function isFound(query: string, names: readonly string[], place = ''): boolean {
  const places = Object.keys(translatedPlaces).map((locale) => placeIn(locale, place));
  const text = plain([...names, place, ...places].join(' '));
  return plain(query)
    .split(/\s+/)
    .every((word) => text.includes(word));
}
