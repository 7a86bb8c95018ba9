/** Units of length, old and new, with their sizes, names and symbols. */
import type { Unit } from '../../../../src/core/image/model/units.ts';
import type { ImageScale } from './measure.ts';

export const metricUnits: readonly Unit[] = [
  { name: 'micrometer', symbol: 'µm', meters: 0.000001 },
  { name: 'millimeter', symbol: 'mm', meters: 0.001 },
  { name: 'centimeter', symbol: 'cm', meters: 0.01 },
  { name: 'decimeter', symbol: 'dm', meters: 0.1 },
  { name: 'meter', symbol: 'm', meters: 1 },
  { name: 'kilometer', symbol: 'km', meters: 1000 },
];

export const imperialUnits: readonly Unit[] = [
  { name: 'inch', symbol: 'in', meters: 0.0254 },
  { name: 'foot', symbol: 'ft', meters: 0.3048 },
  { name: 'yard', symbol: 'yd', meters: 0.9144 },
  { name: 'mile', symbol: 'mi', meters: 1609.344 },
];

/** Plurals in each unit's own language, as `singular/plural`; units that are not here have the same name in both numbers. */
const plurals = [
  // Italian
  'braccio/braccia, braccio da panno/braccia da panno, braccio a terra/braccia a terra',
  'braccio da lana/braccia da lana, braccio da seta/braccia da seta, braccio da legno/braccia da legno, soldo/soldi',
  'canna/canne, canna (until 1840)/canne (until 1840), canna (from 1840)/canne (from 1840), piede/piedi',
  'piede liprando/piedi liprandi, piede manuale/piedi manuali, trabucco/trabucchi, passo/passi, passetto/passetti',
  'staiolo/staioli, miglio/miglia, palmo/palmi, palmo (until 1840)/palmi (until 1840)',
  'palmo (from 1840)/palmi (from 1840), raso/rasi, pertica/pertiche',
  // French
  'ligne/lignes, pouce/pouces, pied du roi/pieds du roi, pied métrique/pieds métriques, toise/toises',
  'toise métrique/toises métriques, perche/perches, perche des eaux et forêts/perches des eaux et forêts',
  'lieue de poste/lieues de poste, aune/aunes, aune métrique/aunes métriques, brasse (marine)/brasses (marine)',
  'canne/cannes',
  // German: Fuß, Zoll, Klafter, Lachter and Stadtschuh stay as they are after numbers.
  'Elle/Ellen, Rute/Ruten, Marschrute/Marschruten, Geestrute/Geestruten, Meile/Meilen, Postmeile/Postmeilen',
  'Wegstunde/Wegstunden',
  // Dutch
  'duim/duimen, voet/voeten, roede/roeden, el/ellen',
  // English
  'line/lines, hand/hands, nail/nails, span/spans, cubit/cubits, black cubit/black cubits, royal cubit/royal cubits',
  'ell/ells, fathom/fathoms, rod/rods, chain/chains, furlong/furlongs, league/leagues, mile/miles',
  'nautical mile/nautical miles, survey foot/survey feet, Attic foot/Attic feet, Doric foot/Doric feet',
  'Olympic foot/Olympic feet, Olympic stadion/Olympic stadia, digit/digits, palm/palms, point (DTP)/points (DTP)',
  'pica (DTP)/picas (DTP), point (Didot)/points (Didot)',
  // Spanish, Catalan and Portuguese
  'pulgada/pulgadas, pie/pies, codo/codos, vara/varas, estadal/estadales, legua/leguas, pam/pams, cana/canes',
  'polegada/polegadas, pé/pés, côvado/côvados, braça/braças',
  // Danish, Norwegian and Swedish; fod, alen and mil stay as they are.
  'tomme/tommer, favn/favne, aln/alnar, famn/famnar',
  // Latin; passus and actus stay as they are.
  'digitus/digiti, uncia/unciae, palmus/palmi, pes/pedes, pes Drusianus/pedes Drusiani, cubitus/cubiti',
  'decempeda/decempedae',
]
  .flatMap((line) => line.split(', '))
  .map((pair) => pair.split('/') as [string, string]);

/** Names that are written alike in two languages, by place. */
const pluralsByPlace = [
  ['palmo@Castile', 'palmos'],
  ['palmo@Portugal', 'palmos'],
] as const;

const pluralOf: ReadonlyMap<string, string> = new Map([...plurals, ...pluralsByPlace]);

/**
 * The place in English, in German and French where they differ (in its first row), the source, and the lengths in meters, some
 * of them as fractions.
 */
const table = `
Florence | Florenz | | Martini | braccio da panno 0.583626, braccio a terra 0.5506, soldo 0.0291813, canna 2.3345
Milan | Mailand | | Martini | braccio 0.594936, piede 0.435185, trabucco 2.61111
Venice | Venedig | Venise | Martini | piede 0.347735, braccio da lana 0.683396, braccio da seta 0.638721, passo 1.738675
Rome | Rom | | Martini | palmo 0.223422, canna 2.234218, piede 0.297896, passetto 0.670266, staiolo 1.28468, miglio 1489.48
Naples | Neapel | | Martini | palmo (until 1840) 0.26367, palmo (from 1840) 0.26455, canna (until 1840) 2.10936
Naples | | | Martini | canna (from 1840) 2.6455
Palermo | | | Martini | palmo 0.258098, canna 2.064783
Turin | | | Martini | piede liprando 0.513766, piede manuale 0.342511, raso 0.599394, trabucco 3.082596
Bologna | | | Martini | piede 0.380098, braccio 0.640039, pertica 3.80098
Genoa | Genua | Gênes | | palmo 0.2481
Ferrara | | | Martini | piede 0.403854
Modena | | | Martini | piede 0.523048
Mantua | | | Martini | braccio 0.466866
Verona | | | Martini | piede 0.342915
Vicenza | | | | piede 0.357
Padua | | | | piede 0.357
Bergamo | | | | piede 0.438
Brescia | | | | braccio 0.475
Cremona | | | | braccio 0.484
Lucca | | | | braccio 0.59
Parma | | | | braccio da legno 0.545
Piacenza | | | | braccio 0.47
Reggio Emilia | | | | braccio 0.531
Siena | | | | braccio 0.601

Paris | | | law of 1799: 443.296 lignes are a meter | ligne 0.00225583, pouce 0.0270699, pied du roi 0.324839, toise 1.949036, perche 5.84711
Paris | | | law of 1799: 443.296 lignes are a meter | perche des eaux et forêts 7.14647, lieue de poste 3898.07
Paris | | | | aune 1.18845, brasse (marine) 1.6242
France, 1812 to 1839 | Frankreich, 1812 bis 1839 | France, de 1812 à 1839 | decree of 1812 | pied métrique 1/3, toise métrique 2, aune métrique 1.2
Montpellier | | | | canne 1.987
Toulouse | | | | canne 1.796

Prussia | Preußen | Prusse | order of 1816: 139.13 Paris lines are a Fuß | Zoll 0.0261545, Fuß 0.313853, Elle 0.666939, Klafter 1.88312, Rute 3.76624, Lachter 2.09236
Prussia | | | order of 1816: 139.13 Paris lines are a Fuß | Meile 7532.5
Bavaria | Bayern | Bavière | order of 1809 | Fuß 0.291859, Elle 0.833015, Rute 2.91859, Klafter 1.75116
Saxony | Sachsen | Saxe | | Fuß 0.28319, Elle 0.56638, Rute 4.295, Postmeile 9062
Württemberg | | | | Fuß 0.28649, Elle 0.614235, Rute 2.8649
Baden | | | order of 1810 | Fuß 0.3, Elle 0.6, Rute 3
Hesse-Darmstadt | Hessen-Darmstadt | | | Fuß 0.25, Elle 0.6, Klafter 2.5
Hesse-Kassel | Hessen-Kassel | Hesse-Cassel | | Fuß 0.2877
Hanover | Hannover | Hanovre | | Fuß 0.292095, Elle 0.58419, Rute 4.67352
Hamburg | | | | Fuß 0.28657, Elle 0.57314, Marschrute 4.012, Geestrute 4.5851
Bremen | | | | Fuß 0.28935, Elle 0.5787
Lübeck | | | | Fuß 0.2876
Brunswick | Braunschweig | | | Fuß 0.28536, Elle 0.57072
Frankfurt | | | | Fuß 0.28461, Elle 0.5473
Nuremberg | Nürnberg | | | Stadtschuh 0.3038, Elle 0.656
Augsburg | | | | Fuß 0.296
Cologne | Köln | | | Fuß 0.2876, Elle 0.575
Oldenburg | | | | Fuß 0.2959
Weimar | | | | Fuß 0.282

Vienna | Wien | Vienne | | Zoll 0.02634, Fuß 0.316081, Elle 0.7776, Klafter 1.896484, Meile 7585.9
Prague | Prag | | | stopa 0.2964, loket 0.594
Tyrol | Tirol | | | Fuß 0.334
Poland | Polen | Pologne | order of 1819 | stopa 0.288, łokieć 0.576, sążeń 1.728, pręt 4.32
Kraków | Krakau | Cracovie | | łokieć 0.586
Switzerland | Schweiz | Suisse | concordat of 1835 | Fuß 0.3, Elle 0.6, Stab 1.2, Rute 3, Wegstunde 4800
Bern | | | | Fuß 0.2933
Zürich | | | | Fuß 0.3014

Amsterdam | | | | duim 0.025739, voet 0.283133, el 0.6878, roede 3.68073
Rijnland | | | | voet 0.313947, roede 3.767358
Brabant | | | | el 0.695
Antwerp | Antwerpen | Anvers | | voet 0.2868
Brussels | Brüssel | Bruxelles | | voet 0.27575
Bruges | Brügge | | | voet 0.274
Ghent | Gent | Gand | | voet 0.275

England | | | by the yard of 0.9144 m | line 0.0254/12, hand 0.1016, nail 0.05715, span 0.2286, cubit 0.4572, ell 1.143, fathom 1.8288
England | | | by the yard of 0.9144 m | rod 5.0292, chain 20.1168, furlong 201.168, league 4828.032
Scotland | Schottland | Écosse | | ell 0.9413
Ireland | Irland | Irlande | by the yard of 0.9144 m | mile 2048.256
United States | Vereinigte Staaten | États-Unis | order of 1893 | survey foot 1200/3937
Texas | | | law of 1919: 33 1/3 inches | vara 0.846667
at sea | auf See | en mer | Monaco, 1929 | nautical mile 1852
in print | im Druck | imprimerie | | point (DTP) 0.0254/72, pica (DTP) 0.0254/6, point (Didot) 0.000376

Castile | Kastilien | Castille | | pulgada 0.02322, palmo 0.208976, pie 0.278635, codo 0.417953, vara 0.835905, estadal 3.34362
Castile | | | | legua 5572.7
Aragon | Aragonien | | | vara 0.772
Valencia | | | | vara 0.906
Catalonia | Katalonien | Catalogne | | pam 0.1944, cana 1.555
Mexico | Mexiko | Mexique | | vara 0.838
Portugal | | | | polegada 0.0275, palmo 0.22, pé 0.33, côvado 0.66, vara 1.1, braça 2.2

Denmark | Dänemark | Danemark | order of 1835 | tomme 0.0261545, fod 0.313853, alen 0.627707, favn 1.88312, mil 7532.5
Norway | Norwegen | Norvège | law of 1824 | fot 0.3137, alen 0.6275
Sweden | Schweden | Suède | | tum 0.024742, fot 0.296904, aln 0.593808, famn 1.78142, mil 10688.5
Russia | Russland | Russie | order of 1835: a sazhen is 7 English feet | vershok 0.04445, pyad 0.1778, arshin 0.7112, sazhen 2.1336, verst 1066.8

Ottoman Empire | Osmanisches Reich | Empire ottoman | | arşın (market) 0.68, arşın (builders) 0.758
Persia | Persien | Perse | | zar 1.04
Arabia | Arabien | Arabie | | black cubit 0.54
China, Qing | China, Qing-Zeit | Chine, Qing | | chi (builders) 0.32
China | | | law of 1929 | cun 1/30, chi 1/3, zhang 10/3, li 500
Japan | | | law of 1891 | sun 1/33, shaku 10/33, kujira-shaku 25/66, ken 20/11, jō 100/33, chō 1200/11, ri 43200/11
Thailand | | | law of 1923 | khuep 0.25, sok 0.5, wa 2, sen 40

Ancient Egypt | Altes Ägypten | Égypte antique | | digit 0.0187, palm 0.0748, royal cubit 0.524
Nippur | | | | cubit 0.5185
Ancient Greece | Altes Griechenland | Grèce antique | | Attic foot 0.296, Doric foot 0.327, Olympic foot 0.3204, Olympic stadion 192.3
Ancient Rome | Altes Rom | Rome antique | | digitus 0.0185, uncia 0.0247, palmus 0.074, pes 0.296, cubitus 0.444, passus 1.48, decempeda 2.96
Ancient Rome | | | | actus 35.5, mille passus 1480, pes Drusianus 0.333
Byzantium | Byzanz | Byzance | | pous 0.3123
`;

const rows = table
  .split('\n')
  .filter((row) => row !== '')
  .map((row) => row.split('|').map((cell) => cell.trim()));

const sources: Readonly<Record<string, string>> = { Martini: 'A. Martini, Manuale di metrologia, 1883' };

function parseUnit(text: string, place: string, source: string): Unit {
  const [, name = '', over = '', under = '1'] = /^(.*) ([\d.]+)(?:\/([\d.]+))?$/.exec(text) ?? [];
  const plural = pluralOf.get(`${name}@${place}`) ?? pluralOf.get(name);
  return {
    name,
    ...(plural === undefined ? {} : { plural }),
    place,
    meters: Number(over) / Number(under),
    ...(source === '' ? {} : { source: sources[source] ?? source }),
  };
}

export const historicalUnits: readonly Unit[] = rows.flatMap(([place = '', , , source = '', units = '']) =>
  units.split(', ').map((unit) => parseUnit(unit, place, source)),
);

const placesIn = (column: number): ReadonlyMap<string, string> =>
  new Map(rows.flatMap(([place = '', ...cells]) => (cells[column] ? [[place, cells[column]] as const] : [])));

/** By language: the name of each place that is not the one of the table. */
const translatedPlaces: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  de: placesIn(0),
  fr: placesIn(1),
};

/** Lists units of length with those of the site, finds them by name and place, and formats measured values. */
export const allUnits: readonly Unit[] = [...metricUnits, ...imperialUnits, ...historicalUnits];

export const keyOf = ({ name, place = '' }: Unit): string => `${name}@${place}`;

/** Adds a site's units; they replace those with the same name and place. */
export function withOwnUnits(units: readonly Unit[], own: readonly Unit[]): readonly Unit[] {
  return [...new Map([...units, ...own].map((unit) => [keyOf(unit), unit])).values()];
}

/** The largest unit that is not longer than a length. */
export function suitableUnit(meters: number, system: 'metric' | 'imperial'): Unit {
  const sizes = system === 'metric' ? metricUnits.filter(({ symbol }) => symbol !== 'dm') : imperialUnits;
  const fitting = sizes.filter((unit) => unit.meters <= meters);
  return fitting.at(-1) ?? sizes[0] ?? { name: 'meter', meters: 1 };
}

/** The name of a place in a language; without a translation, the one of the table or of the site's units. */
export const placeIn = (locale: string, place: string): string => translatedPlaces[locale]?.get(place) ?? place;

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

const decimalsOf = (step: number): number => (step > 0 ? Math.round(-Math.log10(step)) : Number.POSITIVE_INFINITY);

/** At most four digits, and none below the precision, but whole numbers are not rounded to tens. */
function digitsOf(value: number, step: number): { readonly maximumFractionDigits: number } {
  const magnitude = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  return { maximumFractionDigits: Math.min(Math.max(Math.min(3 - magnitude, decimalsOf(step)), 0), 12) };
}

const formatValue = (value: number, locale: string, step = 0): string =>
  new Intl.NumberFormat(locale, digitsOf(value, step)).format(value);

/** A number with its unit, in the number of the reader's language: 0 and 1.5 take the plural in English, not in French. */
function withUnit(value: number, { symbol, name, plural = name }: Unit, locale: string, step: number): string {
  const isSingular = new Intl.PluralRules(locale, digitsOf(value, step)).select(value) === 'one';
  return `${formatValue(value, locale, step)} ${symbol ?? (isSingular ? name : plural)}`;
}

/** `12.35 cm` or `3,2 Fuß (Preußen)`; `step` is the precision in meters. */
export const formatLength = (meters: number, unit: Unit, locale: string, step = 0): string =>
  withPlace(withUnit(meters / unit.meters, unit, locale, step / unit.meters), unit.place, locale);

/** `step` is the precision in square meters. */
export const formatArea = (squareMeters: number, unit: Unit, locale: string, step = 0): string => {
  const square = unit.meters ** 2;
  return withPlace(`${withUnit(squareMeters / square, unit, locale, step / square)}²`, unit.place, locale);
};

export const formatDegrees = (degrees: number, locale: string): string =>
  `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(degrees)}°`;

/** `1.618 : 1`. */
export const formatRatio = (ratio: number, locale: string): string => `${formatValue(ratio, locale)} : 1`;

/** With tenths below 100 pixels. */
export const formatPixels = (pixels: number, locale: string): string =>
  `${new Intl.NumberFormat(locale, { maximumFractionDigits: pixels < 100 ? 1 : 0 }).format(pixels)} px`;

/** How many pixels of the image a unit is: `1 league (England) = 20.8 px`; two numbers where pixels are not square. */
export function formatUnitScale(unit: Unit, { x, y }: ImageScale, locale: string): string {
  const count = (perMeter: number): string => {
    const pixels = perMeter * unit.meters;
    const digits = pixels < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 };
    return new Intl.NumberFormat(locale, digits).format(pixels);
  };
  const [across, down] = [count(x), count(y)];
  return `${formatLength(unit.meters, unit, locale)} = ${across === down ? across : `${across} × ${down}`} px`;
}
