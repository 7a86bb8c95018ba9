/**
 * Units of length in old plans, maps and books, by town or country. Lengths have as many digits as are certain; if a
 * town changed its measures, they are the last before the meter.
 */
import type { Unit } from '../../../../src/core/image/model/units.ts';
import { pluralOf } from './unit-plurals.ts';

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

const unitsOf = (place: string, lengths: Readonly<Record<string, number>>, source?: string): readonly Unit[] =>
  Object.entries(lengths).map(([name, meters]) => {
    const plural = pluralOf(name, place);
    return {
      name,
      ...(plural === undefined ? {} : { plural }),
      place,
      meters,
      ...(source === undefined ? {} : { source }),
    };
  });

const martini = 'A. Martini, Manuale di metrologia, 1883';

const italy: readonly Unit[] = [
  ...unitsOf(
    'Florence',
    { 'braccio da panno': 0.583626, 'braccio a terra': 0.5506, soldo: 0.0291813, canna: 2.3345 },
    martini,
  ),
  ...unitsOf('Milan', { braccio: 0.594936, piede: 0.435185, trabucco: 2.61111 }, martini),
  ...unitsOf(
    'Venice',
    { piede: 0.347735, 'braccio da lana': 0.683396, 'braccio da seta': 0.638721, passo: 1.738675 },
    martini,
  ),
  ...unitsOf(
    'Rome',
    { palmo: 0.223422, canna: 2.234218, piede: 0.297896, passetto: 0.670266, staiolo: 1.28468, miglio: 1489.48 },
    martini,
  ),
  ...unitsOf(
    'Naples',
    {
      'palmo (until 1840)': 0.26367,
      'palmo (from 1840)': 0.26455,
      'canna (until 1840)': 2.10936,
      'canna (from 1840)': 2.6455,
    },
    martini,
  ),
  ...unitsOf('Palermo', { palmo: 0.258098, canna: 2.064783 }, martini),
  ...unitsOf(
    'Turin',
    { 'piede liprando': 0.513766, 'piede manuale': 0.342511, raso: 0.599394, trabucco: 3.082596 },
    martini,
  ),
  ...unitsOf('Bologna', { piede: 0.380098, braccio: 0.640039, pertica: 3.80098 }, martini),
  ...unitsOf('Genoa', { palmo: 0.2481 }),
  ...unitsOf('Ferrara', { piede: 0.403854 }, martini),
  ...unitsOf('Modena', { piede: 0.523048 }, martini),
  ...unitsOf('Mantua', { braccio: 0.466866 }, martini),
  ...unitsOf('Verona', { piede: 0.342915 }, martini),
  ...unitsOf('Vicenza', { piede: 0.357 }),
  ...unitsOf('Padua', { piede: 0.357 }),
  ...unitsOf('Bergamo', { piede: 0.438 }),
  ...unitsOf('Brescia', { braccio: 0.475 }),
  ...unitsOf('Cremona', { braccio: 0.484 }),
  ...unitsOf('Lucca', { braccio: 0.59 }),
  ...unitsOf('Parma', { 'braccio da legno': 0.545 }),
  ...unitsOf('Piacenza', { braccio: 0.47 }),
  ...unitsOf('Reggio Emilia', { braccio: 0.531 }),
  ...unitsOf('Siena', { braccio: 0.601 }),
];

const france: readonly Unit[] = [
  ...unitsOf(
    'Paris',
    {
      ligne: 0.00225583,
      pouce: 0.0270699,
      'pied du roi': 0.324839,
      toise: 1.949036,
      perche: 5.84711,
      'perche des eaux et forêts': 7.14647,
      'lieue de poste': 3898.07,
    },
    'law of 1799: 443.296 lignes are a meter',
  ),
  ...unitsOf('Paris', { aune: 1.18845, 'brasse (marine)': 1.6242 }),
  ...unitsOf(
    'France, 1812 to 1839',
    { 'pied métrique': 1 / 3, 'toise métrique': 2, 'aune métrique': 1.2 },
    'decree of 1812',
  ),
  ...unitsOf('Montpellier', { canne: 1.987 }),
  ...unitsOf('Toulouse', { canne: 1.796 }),
];

const germany: readonly Unit[] = [
  ...unitsOf(
    'Prussia',
    {
      Zoll: 0.0261545,
      Fuß: 0.313853,
      Elle: 0.666939,
      Klafter: 1.88312,
      Rute: 3.76624,
      Lachter: 2.09236,
      Meile: 7532.5,
    },
    'order of 1816: 139.13 Paris lines are a Fuß',
  ),
  ...unitsOf('Bavaria', { Fuß: 0.291859, Elle: 0.833015, Rute: 2.91859, Klafter: 1.75116 }, 'order of 1809'),
  ...unitsOf('Saxony', { Fuß: 0.28319, Elle: 0.56638, Rute: 4.295, Postmeile: 9062 }),
  ...unitsOf('Württemberg', { Fuß: 0.28649, Elle: 0.614235, Rute: 2.8649 }),
  ...unitsOf('Baden', { Fuß: 0.3, Elle: 0.6, Rute: 3 }, 'order of 1810'),
  ...unitsOf('Hesse-Darmstadt', { Fuß: 0.25, Elle: 0.6, Klafter: 2.5 }),
  ...unitsOf('Hesse-Kassel', { Fuß: 0.2877 }),
  ...unitsOf('Hanover', { Fuß: 0.292095, Elle: 0.58419, Rute: 4.67352 }),
  ...unitsOf('Hamburg', { Fuß: 0.28657, Elle: 0.57314, Marschrute: 4.012, Geestrute: 4.5851 }),
  ...unitsOf('Bremen', { Fuß: 0.28935, Elle: 0.5787 }),
  ...unitsOf('Lübeck', { Fuß: 0.2876 }),
  ...unitsOf('Brunswick', { Fuß: 0.28536, Elle: 0.57072 }),
  ...unitsOf('Frankfurt', { Fuß: 0.28461, Elle: 0.5473 }),
  ...unitsOf('Nuremberg', { Stadtschuh: 0.3038, Elle: 0.656 }),
  ...unitsOf('Augsburg', { Fuß: 0.296 }),
  ...unitsOf('Cologne', { Fuß: 0.2876, Elle: 0.575 }),
  ...unitsOf('Oldenburg', { Fuß: 0.2959 }),
  ...unitsOf('Weimar', { Fuß: 0.282 }),
];

const middleEurope: readonly Unit[] = [
  ...unitsOf('Vienna', { Zoll: 0.02634, Fuß: 0.316081, Elle: 0.7776, Klafter: 1.896484, Meile: 7585.9 }),
  ...unitsOf('Prague', { stopa: 0.2964, loket: 0.594 }),
  ...unitsOf('Tyrol', { Fuß: 0.334 }),
  ...unitsOf('Poland', { stopa: 0.288, łokieć: 0.576, sążeń: 1.728, pręt: 4.32 }, 'order of 1819'),
  ...unitsOf('Kraków', { łokieć: 0.586 }),
  ...unitsOf('Switzerland', { Fuß: 0.3, Elle: 0.6, Stab: 1.2, Rute: 3, Wegstunde: 4800 }, 'concordat of 1835'),
  ...unitsOf('Bern', { Fuß: 0.2933 }),
  ...unitsOf('Zürich', { Fuß: 0.3014 }),
];

const lowCountries: readonly Unit[] = [
  ...unitsOf('Amsterdam', { duim: 0.025739, voet: 0.283133, el: 0.6878, roede: 3.68073 }),
  ...unitsOf('Rijnland', { voet: 0.313947, roede: 3.767358 }),
  ...unitsOf('Brabant', { el: 0.695 }),
  ...unitsOf('Antwerp', { voet: 0.2868 }),
  ...unitsOf('Brussels', { voet: 0.27575 }),
  ...unitsOf('Bruges', { voet: 0.274 }),
  ...unitsOf('Ghent', { voet: 0.275 }),
];

const britain: readonly Unit[] = [
  ...unitsOf(
    'England',
    {
      line: 0.0254 / 12,
      hand: 0.1016,
      nail: 0.05715,
      span: 0.2286,
      cubit: 0.4572,
      ell: 1.143,
      fathom: 1.8288,
      rod: 5.0292,
      chain: 20.1168,
      furlong: 201.168,
      league: 4828.032,
    },
    'by the yard of 0.9144 m',
  ),
  ...unitsOf('Scotland', { ell: 0.9413 }),
  ...unitsOf('Ireland', { mile: 2048.256 }, 'by the yard of 0.9144 m'),
  ...unitsOf('United States', { 'survey foot': 1200 / 3937 }, 'order of 1893'),
  ...unitsOf('Texas', { vara: 0.846667 }, 'law of 1919: 33 1/3 inches'),
  ...unitsOf('at sea', { 'nautical mile': 1852 }, 'Monaco, 1929'),
  ...unitsOf('in print', { 'point (DTP)': 0.0254 / 72, 'pica (DTP)': 0.0254 / 6, 'point (Didot)': 0.000376 }),
];

const iberia: readonly Unit[] = [
  ...unitsOf('Castile', {
    pulgada: 0.02322,
    palmo: 0.208976,
    pie: 0.278635,
    codo: 0.417953,
    vara: 0.835905,
    estadal: 3.34362,
    legua: 5572.7,
  }),
  ...unitsOf('Aragon', { vara: 0.772 }),
  ...unitsOf('Valencia', { vara: 0.906 }),
  ...unitsOf('Catalonia', { pam: 0.1944, cana: 1.555 }),
  ...unitsOf('Mexico', { vara: 0.838 }),
  ...unitsOf('Portugal', { polegada: 0.0275, palmo: 0.22, pé: 0.33, côvado: 0.66, vara: 1.1, braça: 2.2 }),
];

const north: readonly Unit[] = [
  ...unitsOf(
    'Denmark',
    { tomme: 0.0261545, fod: 0.313853, alen: 0.627707, favn: 1.88312, mil: 7532.5 },
    'order of 1835',
  ),
  ...unitsOf('Norway', { fot: 0.3137, alen: 0.6275 }, 'law of 1824'),
  ...unitsOf('Sweden', { tum: 0.024742, fot: 0.296904, aln: 0.593808, famn: 1.78142, mil: 10688.5 }),
  ...unitsOf(
    'Russia',
    { vershok: 0.04445, pyad: 0.1778, arshin: 0.7112, sazhen: 2.1336, verst: 1066.8 },
    'order of 1835: a sazhen is 7 English feet',
  ),
];

const east: readonly Unit[] = [
  ...unitsOf('Ottoman Empire', { 'arşın (market)': 0.68, 'arşın (builders)': 0.758 }),
  ...unitsOf('Persia', { zar: 1.04 }),
  ...unitsOf('Arabia', { 'black cubit': 0.54 }),
  ...unitsOf('China, Qing', { 'chi (builders)': 0.32 }),
  ...unitsOf('China', { cun: 1 / 30, chi: 1 / 3, zhang: 10 / 3, li: 500 }, 'law of 1929'),
  ...unitsOf(
    'Japan',
    {
      sun: 1 / 33,
      shaku: 10 / 33,
      'kujira-shaku': 25 / 66,
      ken: 20 / 11,
      jō: 100 / 33,
      chō: 1200 / 11,
      ri: 43_200 / 11,
    },
    'law of 1891',
  ),
  ...unitsOf('Thailand', { khuep: 0.25, sok: 0.5, wa: 2, sen: 40 }, 'law of 1923'),
];

const antiquity: readonly Unit[] = [
  ...unitsOf('Ancient Egypt', { digit: 0.0187, palm: 0.0748, 'royal cubit': 0.524 }),
  ...unitsOf('Nippur', { cubit: 0.5185 }),
  ...unitsOf('Ancient Greece', {
    'Attic foot': 0.296,
    'Doric foot': 0.327,
    'Olympic foot': 0.3204,
    'Olympic stadion': 192.3,
  }),
  ...unitsOf('Ancient Rome', {
    digitus: 0.0185,
    uncia: 0.0247,
    palmus: 0.074,
    pes: 0.296,
    cubitus: 0.444,
    passus: 1.48,
    decempeda: 2.96,
    actus: 35.5,
    'mille passus': 1480,
    'pes Drusianus': 0.333,
  }),
  ...unitsOf('Byzantium', { pous: 0.3123 }),
];

export const historicalUnits: readonly Unit[] = [
  ...italy,
  ...france,
  ...germany,
  ...middleEurope,
  ...lowCountries,
  ...britain,
  ...iberia,
  ...north,
  ...east,
  ...antiquity,
];
