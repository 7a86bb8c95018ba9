// A small old botanical book, page by page.
import sharp from 'sharp';
import { makeRandom } from '../drawing/random.mjs';
import { scanLeaf } from '../drawing/scan.mjs';
import { f, INK, render, text } from '../drawing/svg.mjs';
import { measure, paragraph, swellingRule } from '../drawing/type.mjs';
import { blocksOf, linesIn } from '../texts/printed-words.mjs';
import { altoOf } from '../texts/write-texts.mjs';
import { makePlate } from './plant-parts.mjs';
import * as bellPoppy from './plants-bell-poppy.mjs';
import * as berryDaisy from './plants-berry-daisy.mjs';
import * as fernWheelwort from './plants-fern-wheelwort.mjs';
import * as vetchThistle from './plants-vetch-thistle.mjs';
import { PLANTS, PREFACE, TITLE } from './text.mjs';

const WIDTH = 1200;
const HEIGHT = 1700;
const DRAWINGS = { ...bellPoppy, ...fernWheelwort, ...vetchThistle, ...berryDaisy };
const BODY = 30;

/** Where the print sits: the inner margin is by the gutter. */
function area(number) {
  const recto = number % 2 === 1;
  const left = recto ? 172 : 132;
  return { recto, left, right: left + 896, width: 896, middle: left + 448 };
}

/** Draws a plant standing at (x, y), scaled. */
function plant(name, seed, x, y, scale) {
  const plate = makePlate(makeRandom(seed));
  DRAWINGS[name](plate);
  const placed = (layer) => `<g transform="translate(${f(x)} ${f(y)}) scale(${scale})">${layer.join('')}</g>`;
  return { line: placed(plate.line), wash: placed(plate.wash) };
}

const rule = (x1, x2, y, pen = 1.5) => `<path d="M${x1} ${y}H${x2}" stroke="${INK}" stroke-width="${pen}"/>`;

/** The line at the head of a page, and its number. */
function furniture(number, running) {
  const { left, right, middle, recto } = area(number);
  return [
    text(middle, 122, running, { size: 24, anchor: 'middle', spacing: 4 }),
    text(recto ? right : left, 122, String(number), { size: 28, anchor: recto ? 'end' : 'start' }),
    rule(left, right, 140),
    rule(left, right, 145, 0.8),
    text(middle, 1632, `${'ABC'[Math.floor((number - 1) / 4)]}${((number - 1) % 4) + 1}`, {
      size: 22,
      anchor: 'middle',
    }),
  ].join('');
}

function titlePage() {
  const { middle, left, right } = area(1);
  const ornament = plant('wreath', 41, middle, 1268, 1.12);
  const centered = (y, string, size, options = {}) => text(middle, y, string, { size, anchor: 'middle', ...options });
  const words = [
    `<rect x="${left - 6}" y="112" width="${right - left + 12}" height="1490" fill="none" stroke="${INK}" stroke-width="3.4"/>`,
    `<rect x="${left + 4}" y="122" width="${right - left - 8}" height="1470" fill="none" stroke="${INK}" stroke-width="1.1"/>`,
    centered(232, TITLE.head, 52, { spacing: 12 }),
    centered(372, TITLE.main, 136, { spacing: 20, wide: true }),
    swellingRule(middle, 418, 420),
    centered(484, TITLE.lines[0], 39),
    centered(542, TITLE.lines[1], 35, { italic: true }),
    centered(594, TITLE.lines[2], 35, { italic: true }),
    centered(905, 'Look closely;', 40, { italic: true }),
    centered(957, 'it has waited', 40, { italic: true }),
    centered(1009, 'for you.', 40, { italic: true }),
    swellingRule(middle, 1402, 560),
    centered(1458, TITLE.imprint[0], 38, { spacing: 8 }),
    centered(1508, TITLE.imprint[1], 28),
    centered(1550, TITLE.imprint[2], 28, { italic: true }),
  ];
  return { ink: words.join('') + ornament.line, wash: ornament.wash };
}

function contents(left, right, y) {
  return PREFACE.contents
    .map(([name, page], i) => {
      const line = y + i * 42;
      const from = left + measure(name, 29) + 16;
      const dots = `<path d="M${f(from)} ${line - 2}H${right - 44}" stroke="${INK}" stroke-width="2.4" stroke-dasharray="0.1 13" stroke-linecap="round"/>`;
      return text(left, line, name, { size: 29 }) + dots + text(right, line, String(page), { size: 29, anchor: 'end' });
    })
    .join('');
}

function prefacePage() {
  const { left, right, middle, width } = area(2);
  const ornament = plant('tailpiece', 52, middle, 1545, 0.9);
  const parts = [
    furniture(2, 'A LITTLE HERBAL'),
    text(middle, 226, PREFACE.head, { size: 46, anchor: 'middle', spacing: 7 }),
  ];
  let y = 304;
  PREFACE.paragraphs.forEach((source, i) => {
    const set = paragraph(source, { x: left, y, width, size: BODY, indent: i > 0 ? 40 : 0, drop: i === 0 });
    parts.push(set.svg);
    y = set.next;
  });
  parts.push(swellingRule(middle, y + 12, 380));
  parts.push(text(middle, y + 76, 'The Plants in this Book', { size: 33, anchor: 'middle', italic: true }));
  parts.push(contents(left + 130, right - 130, y + 132));
  return { ink: parts.join('') + ornament.line, wash: ornament.wash };
}

function heading(entry, x, y) {
  return [
    text(x, y, entry.name.toUpperCase(), { size: 44, anchor: 'middle', spacing: 4 }),
    text(x, y + 48, entry.latin, { size: 31, anchor: 'middle', italic: true }),
  ].join('');
}

function setText(entry, x, y, width) {
  const parts = [];
  let next = y;
  entry.text.forEach((source, i) => {
    const set = paragraph(source, { x, y: next, width, size: BODY, indent: i > 0 ? 40 : 0, drop: i === 0 });
    parts.push(set.svg);
    next = set.next;
  });
  return { svg: parts.join(''), next };
}

/** The plant above, its description below. */
function topPage(entry, number) {
  const { left, middle, width } = area(number);
  const [above, below] = entry.reach ?? [945, 150];
  const leading = BODY * 1.38;
  const textTop = 1590 - setText(entry, left, 0, width).next + leading * 0.4;
  const scale = Math.min(1.12, (textTop - 60 - 296) / (above + below));
  const drawing = plant(entry.draw, 100 + number, middle, 296 + above * scale, scale.toFixed(3));
  const parts = [
    furniture(number, 'A LITTLE HERBAL'),
    heading(entry, middle, 214),
    setText(entry, left, textTop, width).svg,
  ];
  if (entry.end) parts.push(text(middle, 1594, '❦', { size: 36, anchor: 'middle' }));
  return { ink: parts.join('') + drawing.line, wash: drawing.wash };
}

/** The plant beside a column of text. */
function sidePage(entry, number) {
  const { left, right, middle, width } = area(number);
  const column = 424;
  const onRight = entry.layout === 'right';
  const x = onRight ? left : right - column;
  const center = onRight ? right - (width - column) / 2 + 22 : left + (width - column) / 2 - 20;
  const drawing = plant(entry.draw, 100 + number, center, 1440, 1.05);
  const body = setText(entry, x, 360, column);
  const parts = [furniture(number, 'A LITTLE HERBAL'), heading(entry, middle, 216), body.svg];
  parts.push(swellingRule(x + column / 2, Math.min(1590, body.next + 4), 200));
  return { ink: parts.join('') + drawing.line, wash: drawing.wash };
}

function compose(number) {
  if (number === 1) return titlePage();
  if (number === 2) return prefacePage();
  const entry = PLANTS[number - 3];
  return entry.layout === 'top' ? topPage(entry, number) : sidePage(entry, number);
}

/** The words of a page, where they stand on its scan. */
function textOf(drawing, image, placeOf) {
  const blocks = blocksOf(linesIn(drawing)).map((lines) =>
    lines.map(({ words, language }) => ({
      language,
      words: words.map(({ text: word, box }) => ({ text: word, box: placeOf(box) })),
    })),
  );
  return { width: WIDTH, height: HEIGHT, language: 'en', image, blocks };
}

/**
 * The words of a page as they are printed, in pixels of the sheet, with the name of the image that is said to show them.
 *
 * @param {number} number
 * @param {string} image
 */
export const printedPage = (number, image) => textOf(compose(number).ink, image, (box) => box);

/** Yields every page of the book as JPEG bytes, and its words as ALTO. */
export async function* makeHerbal() {
  const pages = [];
  const inks = [];
  const washes = [];
  for (let number = 1; number <= 10; number++) {
    const page = compose(number);
    pages.push(page.ink);
    inks.push(await render(WIDTH, HEIGHT, page.ink));
    washes.push(await render(WIDTH, HEIGHT, page.wash));
  }
  const blank = Buffer.alloc(WIDTH * HEIGHT * 3, 255);
  for (let number = 1; number <= 10; number++) {
    const recto = number % 2 === 1;
    const { raw, placeOf } = await scanLeaf({
      width: WIDTH,
      height: HEIGHT,
      ink: inks[number - 1],
      wash: washes[number - 1],
      ghost: inks[recto ? number : number - 2] ?? blank,
      recto,
      seed: 7000 + number * 13,
    });
    const image = sharp(raw, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
    const bytes = await image
      .sharpen({ sigma: 0.9 })
      .withMetadata({ density: 300 })
      .jpeg({ quality: 78, mozjpeg: true })
      .toBuffer();
    const stem = `page-${String(number).padStart(3, '0')}`;
    yield { name: `${stem}.jpg`, bytes };
    yield { name: `alto/${stem}.xml`, bytes: Buffer.from(altoOf(textOf(pages[number - 1], `${stem}.jpg`, placeOf))) };
  }
}
