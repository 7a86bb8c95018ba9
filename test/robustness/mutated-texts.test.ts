/** Texts of pages from any bytes: each mutated file gives words inside of the image or a fault, in bounded time and memory. */
import { equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { TextFormat } from '../../src/core/image/model/text-formats.ts';
import type { PageText } from '../../src/core/image/page-text/page-text.ts';
import { placeText } from '../../src/core/image/page-text/place-text.ts';
import { BookPages, parseText } from '../../src/features/texts/formats/parse-text.ts';
import { TextFaultError } from '../../src/features/texts/formats/text-fault.ts';
import { sniffFormat } from '../../src/features/texts/recognize-text.ts';
import { altoOf, hocrOf, pageXmlOf, printedPage } from '../fixtures/herbal-texts.ts';
import { damagedBytes, editedTexts, holdsForEach } from './random-inputs.ts';

/** Of each kind of file; together more than 5,000. */
const filesOfEach = Number(process.env['LECTERN_ROBUSTNESS_TEXTS'] ?? 1000);

/** The most memory that may be in use after all files of a kind beyond what was before, in bytes. */
const maxGrowth = 150e6;

const page = printedPage(3, 'page.jpg');

const files: Readonly<Record<string, { readonly format: TextFormat; readonly text: string }>> = {
  ALTO: { format: 'alto', text: altoOf(page, 'mm10') },
  PAGE: { format: 'page', text: pageXmlOf(page) },
  hOCR: { format: 'hocr', text: hocrOf([page, page]) },
  'plain text': { format: 'plain', text: page.blocks.map(() => 'Kräu\u00ad\nterbuch 大\f').join('\n') },
};

/** Pieces that have broken parsers. */
const pieces = [
  ...[
    '<',
    '>',
    '&',
    '"',
    '<!--',
    '<![CDATA[',
    ']]>',
    '<!DOCTYPE a [',
    '<!ENTITY a "&a;&a;">',
    '&a;',
    '&#0;',
    '&#x110000;',
  ],
  ...['<a>', '</a>', '<TextLine>', '<Page>', '<Page WIDTH="0" HEIGHT="-1">', '<ElementRef REF="block1"/>', '<Word>'],
  ...[
    '<span class="ocr_line">',
    '<div class="ocr_page">',
    'bbox 1 2',
    ' title="',
    'NaN',
    '1e999',
    '-',
    '\u00ad',
    '\f',
    '\0',
  ],
  ...['<TextRegion id="r0">', '<OrderedGroup>', '<?xml version="1.1" encoding="utf-7"?>', '\ud800', 'points="1,1 '],
];

const image = { stored: { width: 1200, height: 1700 }, orientation: 6 } as const;

function expectInside({ blocks }: PageText): void {
  for (const { box } of blocks.flatMap(({ lines }) => [...lines, ...lines.flatMap(({ words }) => words)])) {
    if (box === undefined) continue;
    const { x, y, width, height } = box;
    ok([x, y, width, height].every(Number.isInteger) && x >= 0 && y >= 0 && width > 0 && height > 0);
    ok(x + width <= image.stored.height && y + height <= image.stored.width);
  }
}

/** Whether the bytes had a text; a fault has a sentence and a line. */
async function holdsText(format: TextFormat, bytes: Buffer): Promise<boolean> {
  sniffFormat(format === 'hocr' ? 'html' : 'xml', bytes);
  try {
    const source = await parseText({ format, page: 1 }, bytes);
    if (source !== undefined) expectInside(placeText(source, image));
    return source !== undefined;
  } catch (error) {
    if (!(error instanceof TextFaultError)) throw error;
    ok(error.message.endsWith('.') && Number.isInteger(error.line));
    return false;
  }
}

async function bookOf(bytes: Buffer): Promise<void> {
  const book = new BookPages();
  for (let from = 0; from < bytes.length; from += 1000) await book.add(bytes.subarray(from, from + 1000));
  let last = 0;
  for (const { span } of book.end()) {
    ok(span.from >= last && span.to >= span.from && span.to <= bytes.length);
    last = span.to;
  }
}

async function expectFlatMemory(work: () => Promise<void>): Promise<void> {
  const before = process.memoryUsage().rss;
  await work();
  const growth = process.memoryUsage().rss - before;
  console.log(`memory grew by ${(growth / 1e6).toFixed(0)} MB`);
  ok(growth < maxGrowth, `memory grew by ${growth} bytes`);
}

describe.each(Object.entries(files))('a file of %s', (_, { format, text }) => {
  it('with changed, missing and repeated pieces', async () => {
    let held = 0;
    await expectFlatMemory(() =>
      holdsForEach(
        editedTexts([text], pieces),
        async (edited) => {
          if (await holdsText(format, Buffer.from(edited))) held++;
        },
        filesOfEach,
      ),
    );
    // Otherwise nothing but the first check was tried.
    ok(held > filesOfEach / 100, `${held} files had a text`);
  });

  it('with changed bytes, cut short', async () => {
    await expectFlatMemory(() =>
      holdsForEach(
        damagedBytes([Buffer.from(text)]),
        async (bytes) => {
          await holdsText(format, bytes);
          if (format === 'hocr') await bookOf(bytes);
        },
        filesOfEach,
      ),
    );
  });
});

describe('a file that was made to harm', () => {
  const bomb = `<?xml version="1.0"?><!DOCTYPE alto [<!ENTITY a0 "aaaaaaaaaa">${Array.from(
    { length: 30 },
    (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`,
  ).join('')}]><alto>&a30;</alto>`;

  const cases: readonly (readonly [string, TextFormat, string])[] = [
    ['expands entities to petabytes', 'alto', bomb],
    ['has a million elements inside of each other', 'alto', '<a>'.repeat(1e6)],
    ['has a million divisions inside of each other', 'hocr', '<div class="ocr_page">'.repeat(1e6)],
    ['has an attribute of 15 MB', 'page', `<PcGts a="${'x'.repeat(15e6)}"/>`],
    [
      'has a polygon of 15 MB',
      'page',
      `<PcGts><Page><TextRegion id="r"><Coords points="${'1,1 '.repeat(3.7e6)}"/></TextRegion></Page></PcGts>`,
    ],
    ['has a word of 15 MB', 'plain', 'x'.repeat(15e6)],
    ['has a title of 15 MB', 'hocr', `<div class="ocr_page" title="${'bbox '.repeat(3e6)}">`],
    ['has a title of a million quotation marks', 'hocr', `<div class="ocr_page" title='${'image "'.repeat(1e6)}'>`],
    ['has millions of words', 'plain', 'a '.repeat(7e6)],
    ['has millions of empty lines', 'plain', '\n'.repeat(15e6)],
    ['has millions of spaces', 'plain', `a${' '.repeat(15e6)}b`],
  ];

  it.each(cases)('%s', async (_, format, text) => {
    await holdsForEach(fc.constant(text), async (given) => void (await holdsText(format, Buffer.from(given))), 1);
  });

  it('nowhere blocks other work for long', async () => {
    const words = '<String CONTENT="a" HPOS="1" VPOS="1" WIDTH="1" HEIGHT="1"/>'.repeat(90_000);
    let longestMs = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last);
      last = performance.now();
    }, 1);
    equal(
      await holdsText('alto', Buffer.from(`<alto><Layout><Page><TextLine>${words}</TextLine></Page></Layout></alto>`)),
      true,
    );
    clearInterval(timer);
    console.log(`other work waited for ${longestMs.toFixed(0)} ms`);
    ok(longestMs < 500, `other work waited for ${longestMs} ms`);
  });
});
