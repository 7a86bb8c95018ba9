/** The places of old units in German, where they have another name there; the table of units has the English ones. */

export const germanPlaces: Readonly<Record<string, string>> = {
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

/** The name of a place in a language; where it has none of its own, that of the table, or of the site's file. */
export const placeIn = (locale: string, place: string): string =>
  (locale === 'de' ? germanPlaces[place] : undefined) ?? place;

/** Behind a name or a number of old units, which say little without their place: `Fuß (Preußen)`. */
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

/** Whether every word of a query is in one of the names, or in a name of the place in any language; case and accents don't count. */
export function isFound(query: string, names: readonly string[], place = ''): boolean {
  const text = plain([...names, place, placeIn('de', place)].join(' '));
  return plain(query)
    .split(/\s+/)
    .every((word) => text.includes(word));
}
