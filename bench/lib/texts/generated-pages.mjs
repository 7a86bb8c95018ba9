/** Generates pages of text whose words are as frequent as those of a language, as plain text or ALTO. */

/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const begins = 'b,br,d,f,fl,g,gr,h,k,kr,l,m,n,p,pf,r,ſ,ſch,ſt,t,tr,v,w,z,,'.split(',');
const vowels = 'a,e,e,e,i,i,o,u,au,ei,ie,ä,ö,ü'.split(',');
const ends = 'ch,l,n,n,ng,r,r,s,t,ſt,,,'.split(',');

const vocabularySize = 100_000;

/** Different words, the most frequent first; those have fewer syllables. */
function makeVocabulary() {
  const random = randomFrom(1);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const words = new Set();
  while (words.size < vocabularySize) {
    const syllables = 1 + Math.floor(random() * Math.min(4, 1 + Math.log10(words.size + 1) * 0.5));
    let word = '';
    for (let syllable = 0; syllable < syllables; syllable++) word += pick(begins) + pick(vowels) + pick(ends);
    if (word.length > 1) words.add(random() < 0.2 ? word[0].toUpperCase() + word.slice(1) : word);
  }
  return [...words];
}

const vocabulary = makeVocabulary();

/** A word; the one at rank r occurs in proportion to 1/r (Zipf). */
export const wordBy = (random) =>
  vocabulary[Math.min(vocabularySize - 1, Math.floor(Math.exp(random() * Math.log(vocabularySize))) - 1)];

/** A word of a thousand is misread and stands nowhere else. */
const misreadShare = 0.001;

/** The words of a page. */
export function wordsOfPage(page, count) {
  const random = randomFrom(page + 1000);
  return Array.from({ length: count }, (_, index) => {
    const word = wordBy(random);
    const end = index % 11 === 10 ? ',' : index % 17 === 16 ? '.' : '';
    return (random() < misreadShare ? `${word}${page.toString(36)}` : word) + end;
  });
}

const wordsInLine = 9;

function linesOf(words) {
  const lines = [];
  for (let from = 0; from < words.length; from += wordsInLine) lines.push(words.slice(from, from + wordsInLine));
  return lines;
}

export const plainText = (words) =>
  linesOf(words)
    .map((line) => `${line.join(' ')}\n`)
    .join('');

/** A page in pixels, with boxes as wide as the words are long, a little uneven. */
export function altoText(words, page) {
  const random = randomFrom(page);
  const uneven = () => Math.floor(random() * 5);
  const lines = linesOf(words).map((line, row) => {
    let x = 200 + uneven();
    const strings = line.map((word) => {
      const width = word.length * 21 + uneven();
      const box = `HPOS="${x}" VPOS="${300 + row * 70 + uneven()}" WIDTH="${width}" HEIGHT="${46 + uneven()}"`;
      x += width + 18 + uneven();
      return `<String CONTENT="${word}" ${box} WC="0.${90 + uneven()}"/><SP/>`;
    });
    return `<TextLine HPOS="200" VPOS="${300 + row * 70}" WIDTH="2000" HEIGHT="50">${strings.join('\n')}</TextLine>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description><MeasurementUnit>pixel</MeasurementUnit></Description>
<Layout><Page ID="p" WIDTH="2400" HEIGHT="3400"><PrintSpace><TextBlock ID="b">${lines.join('\n')}</TextBlock></PrintSpace></Page></Layout></alto>
`;
}
