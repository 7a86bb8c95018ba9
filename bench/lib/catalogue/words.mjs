/** Words and numbers that are computed: the same ones for the same index, on each machine. */

const mask = 0xffffffff;

/** 32 bits that look random, from an index and a number that names the series. */
export function scrambled(index, series) {
  let bits = (index ^ Math.imul(series, 0x9e3779b9)) + Math.floor(index / 2 ** 32);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** A number of at least 0 and less than 1. */
export const fraction = (index, series) => scrambled(index, series) / (mask + 1);

export const hex = (bits) => (bits >>> 0).toString(16).padStart(8, '0');

/** Words that many titles have, the most frequent first. */
const common = [
  'atlas',
  'herbarium',
  'kräuterbuch',
  'historia',
  'chronik',
  'psalter',
  'missale',
  'bible',
  'codex',
  'grammatica',
]
  .concat(['theatrum', 'voyages', 'états', 'astronomia', 'carta', 'flora', 'fauna', 'musica', 'medicina', 'geographia'])
  .concat([
    'sermones',
    'epistolae',
    'annales',
    'lexicon',
    'tragedies',
    'sonnets',
    'fables',
    'maps',
    'letters',
    'journal',
  ]);

const heads = [
  'ba',
  'be',
  'bra',
  'cor',
  'da',
  'dre',
  'el',
  'fa',
  'fri',
  'ga',
  'gri',
  'ha',
  'hel',
  'in',
  'ka',
  'kno',
  'la',
  'lu',
  'ma',
  'mor',
  'na',
  'nor',
  'or',
  'pa',
  'pre',
  'ra',
  'ro',
  'sa',
  'ste',
  'tu',
  'va',
  'wi',
];
const middles = [
  'ba',
  'bri',
  'ca',
  'der',
  'do',
  'fen',
  'gu',
  'ka',
  'ler',
  'li',
  'lo',
  'mi',
  'mon',
  'na',
  'ner',
  'po',
  'ra',
  'ri',
  'sel',
  'si',
  'ta',
  'ten',
  'to',
  'tri',
  'u',
  've',
  'vin',
  'wa',
  'zel',
  'zo',
  'hu',
  'is',
];
const ends = [
  'berg',
  'burg',
  'dal',
  'den',
  'dorf',
  'en',
  'er',
  'feld',
  'gen',
  'heim',
  'ia',
  'ica',
  'ino',
  'is',
  'lund',
  'mann',
  'mark',
  'num',
  'on',
  'ova',
  'ring',
  'rum',
  'sen',
  'stadt',
  'stein',
  'ton',
  'um',
  'us',
  'vik',
  'wald',
  'worth',
  'zig',
];

/** One of 32,768 words, such as names of persons and places. */
export function nameOf(number) {
  // An odd factor: words of neighboring numbers have no syllable in common.
  const at = (number * 20_613) & 0x7fff;
  return `${heads[at & 31]}${middles[(at >>> 5) & 31]}${ends[(at >>> 10) & 31]}`;
}

/** The title of a book: a common word, and two names of which the first is more frequent for smaller numbers, and a year. */
export function titleOf(book) {
  const word = common[Math.floor(common.length * fraction(book, 1) ** 2)];
  const author = nameOf(Math.floor(32_768 * fraction(book, 2) ** 4));
  const place = nameOf(scrambled(book, 3) & 0x7fff);
  return { word, author, place, year: 1450 + (scrambled(book, 4) % 470) };
}
