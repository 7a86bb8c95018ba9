// Setting type: words placed one by one, so that lines can be justified and run around a drop capital.
import { f, text } from './svg.mjs';

// Advance widths of the semi-condensed serif, thousandths of the size, from the space to the tilde.
const ADVANCES = [
  286, 361, 414, 754, 572, 855, 801, 247, 351, 351, 450, 754, 286, 304, 286, 303, 572, 572, 572, 572, 572, 572, 572,
  572, 572, 572, 303, 303, 754, 754, 754, 482, 900, 650, 661, 688, 721, 657, 624, 719, 785, 355, 360, 672, 598, 921,
  787, 738, 605, 738, 677, 616, 600, 758, 650, 925, 641, 594, 625, 351, 303, 351, 754, 450, 450, 536, 576, 504, 576,
  532, 333, 576, 580, 288, 279, 545, 288, 853, 580, 542, 576, 576, 430, 461, 361, 580, 508, 770, 507, 508, 474, 572,
  303, 572, 754,
];

export function measure(string, size) {
  let sum = 0;
  for (const character of string) sum += ADVANCES[character.charCodeAt(0) - 32] ?? (character === '’' ? 286 : 560);
  return (sum * size) / 1000;
}

/** Splits a paragraph into words; words between asterisks are italic. */
function splitWords(paragraph) {
  let italic = false;
  return paragraph.split(' ').map((raw) => {
    if (raw.startsWith('*')) italic = true;
    const word = { string: raw.replaceAll('*', ''), italic };
    if (/\*[.,;:!?)]*$/.test(raw)) italic = false;
    return word;
  });
}

/** Fills lines of the given widths; `boxOf(line)` returns the start and the width of a line. */
function breakLines(words, size, boxOf) {
  const lines = [];
  let line = [];
  let width = 0;
  for (const word of words) {
    const wide = measure(word.string, size);
    if (line.length > 0 && width + size * 0.22 + wide > boxOf(lines.length).width) {
      lines.push({ words: line, width });
      line = [];
      width = 0;
    }
    width += (line.length > 0 ? size * 0.25 : 0) + wide;
    line.push({ ...word, width: wide });
  }
  lines.push({ words: line, width, last: true });
  return lines;
}

/**
 * Sets a paragraph, justified. Returns the SVG, the y of the next line and the number of lines.
 * Options: x, y, width, size, leading, indent, drop (set a drop capital), boxOf (overrides start and width of a line).
 */
export function paragraph(source, options) {
  const { x, y, width, size, leading = size * 1.38, indent = 0, drop = false } = options;
  const capital = source[0];
  const capitalSize = leading * 3.2;
  const inset = drop ? measure(capital, capitalSize) * 1.04 + size * 0.3 : 0;
  const boxOf = (line) => {
    if (drop && line < 3) return { x: x + inset, width: width - inset };
    return line === 0 ? { x: x + indent, width: width - indent } : { x, width };
  };
  const lines = breakLines(splitWords(drop ? source.slice(1) : source), size, boxOf);
  const parts = [];
  if (drop) parts.push(text(x - size * 0.1, y + leading * 2 + size * 0.04, capital, { size: capitalSize * 0.99 }));
  lines.forEach((line, index) => {
    const box = boxOf(index);
    const free = box.width - line.words.reduce((sum, word) => sum + word.width, 0);
    const gap = line.last ? size * 0.28 : free / Math.max(1, line.words.length - 1);
    let left = box.x;
    for (const word of line.words) {
      parts.push(text(left, y + index * leading, word.string, { size, italic: word.italic }));
      left += word.width + gap;
    }
  });
  const height = Math.max(lines.length, drop ? 3 : 1) * leading;
  return { svg: parts.join(''), next: y + height, lines: lines.length };
}

/** A printed rule: thin, or swelling in the middle. */
export function swellingRule(cx, y, width) {
  const half = width / 2;
  return `<path d="M${f(cx - half)} ${f(y)}Q${f(cx)} ${f(y - 5)} ${f(cx + half)} ${f(y)}Q${f(cx)} ${f(y + 5)} ${f(cx - half)} ${f(y)}Z" fill="#33241a"/>`;
}
