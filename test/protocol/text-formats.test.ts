/** Pages of the sample herbal as ALTO, PAGE and hOCR: the same words in the same places, on scans of every kind. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { altoOf, hocrOf, type Page, pageXmlOf, printedPage } from '../fixtures/herbal-texts.ts';
import { jpegOf, type LibraryFolder, makeLibraryFolder } from '../fixtures/page-texts.ts';
import { type RunningApp, startApp } from './running-app.ts';

type Box = readonly [x: number, y: number, width: number, height: number];

interface Word {
  readonly text: string;
  readonly box: Box;
}

/** The pages whose words are known: contents, a column of text beside a plant, and text below one. */
const numbers = [2, 3, 4] as const;

/** How sure the recognition of every third word is. */
const confidence = 0.5;

function pageOf(number: number, stem: string): Page {
  const page = printedPage(number, `${stem}.jpg`);
  const blocks = page.blocks.map((lines) =>
    lines.map((line) => ({
      ...line,
      words: line.words.map((word, index) => ({ ...word, ...(index % 3 === 0 ? { confidence } : {}) })),
    })),
  );
  return { ...page, blocks };
}

const wordsOf = ({ blocks }: Page): readonly Word[] =>
  blocks.flatMap((lines) =>
    lines.flatMap(({ words }) =>
      words.map(({ text, box: { x, y, width, height } }) => ({ text, box: [x, y, width, height] as const })),
    ),
  );

type Turn = (box: Box) => Box;

const width = 1200;
const height = 1700;

/** A scan of a page of 1200 x 1700 pixels: its stored size, its orientation, and where a box of the page is on it. */
interface Scan {
  readonly stored: readonly [width: number, height: number];
  readonly orientation?: number;
  /** From the stored pixels that the text counts to the upright image. */
  readonly turn?: Turn;
}

const scans: Readonly<Record<string, Scan>> = {
  'as it was recognized': { stored: [width, height] },
  'three times as large': { stored: [3 * width, 3 * height], turn: ([x, y, w, h]) => [3 * x, 3 * y, 3 * w, 3 * h] },
  'a quarter of it': { stored: [width / 4, height / 4], turn: ([x, y, w, h]) => [x / 4, y / 4, w / 4, h / 4] },
  'turned by EXIF 3': {
    stored: [width, height],
    orientation: 3,
    turn: ([x, y, w, h]) => [width - x - w, height - y - h, w, h],
  },
  'turned by EXIF 6': { stored: [width, height], orientation: 6, turn: ([x, y, w, h]) => [height - y - h, x, h, w] },
  'turned by EXIF 8': { stored: [width, height], orientation: 8, turn: ([x, y, w, h]) => [y, width - x - w, h, w] },
  'mirrored by EXIF 2': { stored: [width, height], orientation: 2, turn: ([x, y, w, h]) => [width - x - w, y, w, h] },
  'turned by EXIF 6, whose text is of the upright page': { stored: [height, width], orientation: 6 },
};

const formats = {
  'ALTO in pixels': { file: (page: Page) => altoOf(page), name: 'xml' },
  'ALTO in mm10': { file: (page: Page) => altoOf(page, 'mm10'), name: 'xml' },
  'ALTO in inch1200': { file: (page: Page) => altoOf(page, 'inch1200'), name: 'xml' },
  PAGE: { file: (page: Page) => pageXmlOf(page), name: 'xml' },
  hOCR: { file: (page: Page) => hocrOf([page]), name: 'hocr' },
} as const;

let library: LibraryFolder;
let app: RunningApp;

const stemOf = (scan: string, format: string): string => `${scan} ${format}`.replaceAll(/\W+/g, '-');

const cases = Object.keys(scans).flatMap((scan) => Object.keys(formats).map((format) => [format, scan] as const));

beforeAll(async () => {
  library = makeLibraryFolder();
  for (const [format, { file, name }] of Object.entries(formats)) {
    for (const [scan, { stored, orientation }] of Object.entries(scans)) {
      const stem = stemOf(scan, format);
      library.write(`one/${stem}.jpg`, await jpegOf(...stored, orientation));
      library.write(`one/${stem}.${name}`, file(pageOf(3, stem)));
    }
  }
  for (const number of numbers) library.write(`book/p${number}.jpg`, await jpegOf(width, height));
  library.write('book/hocr/whole.html', hocrOf(numbers.map((number) => pageOf(number, `p${number}`))));
  app = await startApp({ library: { folders: [library.root] } });
}, 60_000);
afterAll(async () => {
  await app.close();
  library.remove();
});

async function answered(path: string) {
  const { status, body } = await app.get(`/api/text/${path}.json`);
  expect(status, path).toBe(200);
  const answer = JSON.parse(body.toString());
  const lines: { words: (Word & { confidence?: number })[]; language?: string }[] = answer.blocks.flatMap(
    ({ lines }: { lines: [] }) => lines,
  );
  return { answer, lines, words: lines.flatMap(({ words }) => words) };
}

/** The largest distance of an edge from where it has to be, in pixels. */
function largestDistance(found: readonly Word[], truth: readonly Word[], turn: Turn): number {
  const edges = ([x, y, w, h]: Box) => [x, y, x + w, y + h];
  const distances = found.flatMap(({ box }, index) => {
    const expected = edges(turn(truth[index]?.box ?? [0, 0, 0, 0]));
    return edges(box).map((edge, at) => Math.abs(edge - (expected[at] ?? Number.NaN)));
  });
  return Math.max(...distances);
}

describe('the words of a page of the herbal', () => {
  it.each(cases)('in %s, on a scan %s, are the same within a pixel', async (format, scan) => {
    const stem = stemOf(scan, format);
    const truth = wordsOf(pageOf(3, stem));
    const { words } = await answered(`one/${stem}.jpg`);
    expect(truth.length).toBeGreaterThan(100);
    expect(words.map(({ text }) => text)).toEqual(truth.map(({ text }) => text));
    const turn = scans[scan]?.turn ?? ((box: Box) => box);
    // PAGE and hOCR count whole pixels, which a larger scan has more of.
    const factor = scan === 'three times as large' && !format.startsWith('ALTO') ? 3 : 1;
    expect(largestDistance(words, truth, turn)).toBeLessThanOrEqual(factor);
  });

  it.each(Object.keys(formats))('have language and confidence in %s', async (format) => {
    const { answer, lines, words } = await answered(`one/${stemOf('as it was recognized', format)}.jpg`);
    expect(answer.language).toBe('en');
    expect(lines.filter(({ language }) => language === 'la').map(({ words }) => words.map(({ text }) => text))).toEqual(
      [['Campanula', 'lucernaria']],
    );
    expect(words[0]?.confidence).toBe(confidence);
    expect(words.filter((word) => word.confidence !== undefined).length).toBeGreaterThan(30);
  });

  it.each(numbers)('are found in one hOCR file for the whole folder, page %i', async (number) => {
    const truth = wordsOf(pageOf(number, `p${number}`));
    const { answer, words } = await answered(`book/p${number}.jpg`);
    expect(answer.source).toEqual({ format: 'hocr', name: 'whole.html' });
    expect(words.map(({ text }) => text)).toEqual(truth.map(({ text }) => text));
    expect(largestDistance(words, truth, (box) => box)).toBeLessThanOrEqual(1);
  });

  it('of one page alone are sent as hOCR of a file with all pages', async () => {
    const { body } = await app.get('/api/text/book/p3.jpg.html');
    expect(body.toString()).toContain('lucernaria');
    expect(body.toString()).not.toContain('portuense');
  });
});
