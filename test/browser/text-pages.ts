/** A book whose words are drawn at known places, with the ALTO files that say where. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import sharp from 'sharp';
import { runIndexing } from '../../src/app/run-indexing.ts';
import { readSettings } from '../../src/app/settings/configuration.ts';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { serveFrom, type TemporaryServer } from './temporary-server.ts';

export type Box = readonly [x: number, y: number, width: number, height: number];

export interface Word {
  readonly text: string;
  readonly box: Box;
  /** From 0 to 1. */
  readonly confidence: number;
  /** Of a parted word: the whole one on its first part, an empty text on its last. */
  readonly joined?: string;
}

export interface WrittenPage {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl' | 'ttb';
  /** Paragraphs of lines of words. */
  readonly blocks: readonly (readonly (readonly Word[])[])[];
}

/** The size of every page in pixels. */
export const pageSize = { width: 1000, height: 1400 } as const;

/** The height of a line and the distance of lines, in pixels; and the length of a character along a line. */
const [lineHeight, pitch, advance] = [30, 46, 16];
const [left, top, right] = [110, 130, 900];

const escapeText = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] ?? '');

/** The parts of a parted word and the whole word, by the line that ends with a hyphen. */
function joinedOf(lines: readonly (readonly string[])[], line: number, at: number): string | undefined {
  const words = lines[line] ?? [];
  const last = words.at(-1) ?? '';
  if (at === words.length - 1 && last.endsWith('-')) return last.slice(0, -1) + (lines[line + 1]?.[0] ?? '');
  return at === 0 && lines[line - 1]?.at(-1)?.endsWith('-') === true ? '' : undefined;
}

function boxOf(direction: WrittenPage['direction'], line: number, offset: number, length: number): Box {
  const down = top + line * pitch;
  if (direction === 'ltr') return [left + offset, down, length, lineHeight];
  if (direction === 'rtl') return [right - offset - length, down, length, lineHeight];
  return [right - line * pitch - lineHeight, top + offset, lineHeight, length];
}

/** Lays out paragraphs; a tilde before a word makes the recognition unsure of it. */
function written(language: string, direction: WrittenPage['direction'], paragraphs: readonly string[]): WrittenPage {
  let line = 0;
  const step = direction === 'ttb' ? lineHeight : advance;
  const blocks = paragraphs.map((paragraph) => {
    const lines = paragraph.split('\n').map((one) => one.split(' '));
    line += 1;
    return lines.map((words, index) => {
      let offset = 0;
      const placed = words.map((marked, at): Word => {
        const text = marked.replace('~', '');
        const joined = joinedOf(lines, index, at);
        const box = boxOf(direction, line, offset, text.length * step);
        offset += (text.length + 1) * step;
        return { text, box, confidence: text === marked ? 0.97 : 0.41, ...(joined === undefined ? {} : { joined }) };
      });
      line += 1;
      return placed;
    });
  });
  return { language, direction, blocks };
}

export const marigold = written('en', 'ltr', [
  'Of the Marigold',
  'The Marigold has yellow flowers that open\nwith the sun and close with it in the eve-\nning, so that ~shepherds tell the hour of\nthe day by them. The leaves are long and\npale, and smell of honey.',
  'The flowers, dried and kept, ~colour the\nbroth in winter and comfort the heart.',
]);

export const rose = written('en', 'ltr', [
  'Of the Rose',
  'Rose water cools the eyes. The flowers are\ngathered in the dew, before the heat.',
  'Honey of roses is good for the throat.',
]);

export const german = written('de', 'ltr', [
  'Von der Ringelblume',
  'Die Ringelblume öffnet ihre Blüten mit\nder Sonne. Honig aus ihren Blüten.',
]);

export const hebrew = written('he', 'rtl', ['בראשית ברא אלהים את השמים\nואת הארץ והארץ היתה תהו']);

export const japanese = written('ja', 'ttb', ['春はあけぼの。やうやう\nしろくなりゆく山ぎは\nすこしあかりて']);

/** Two thousand words, of which none is drawn. */
const crowded = written('la', 'ltr', [
  Array.from({ length: 80 }, () => Array.from({ length: 25 }, (_, at) => (at % 3 === 0 ? 'a' : 'in')).join(' ')).join(
    '\n',
  ),
]);

/** The pages by the names of their images; the one before the last has no text. */
export const pages: Readonly<Record<string, WrittenPage | undefined>> = {
  '1-marigold': marigold,
  '2-rose': rose,
  '3-ringelblume': german,
  '4-bereshit': hebrew,
  '5-makura': japanese,
  '6-blank': undefined,
  '7-crowded': crowded,
};

/** Letters stretched to the boxes of their words, so that the boxes are right whatever the fonts of the machine are. */
function drawnWord({ text, box: [x, y, width, height] }: Word, direction: WrittenPage['direction']): string {
  if (direction !== 'ttb') {
    const length = `textLength="${width}" lengthAdjust="spacingAndGlyphs"`;
    return `<text x="${x}" y="${y + height * 0.78}" font-size="26" ${length}>${escapeText(text)}</text>`;
  }
  const letters = [...text].map(
    (letter, at) => `<text x="${x + width / 2}" y="${y + (at + 0.85) * lineHeight}">${letter}</text>`,
  );
  return `<g font-size="26" text-anchor="middle">${letters.join('')}</g>`;
}

function drawn(page: WrittenPage | undefined): Buffer {
  const words = page?.blocks.flat(2).map((word) => drawnWord(word, page.direction)) ?? [];
  const { width, height } = pageSize;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#f4ecd8"/><g fill="#2a2118" font-family="serif">${words.join('')}</g></svg>`,
  );
}

const edges = ([x, y, width, height]: Box): string => `HPOS="${x}" VPOS="${y}" WIDTH="${width}" HEIGHT="${height}"`;

function around(boxes: readonly Box[]): Box {
  const [x, y] = [Math.min(...boxes.map(([x]) => x)), Math.min(...boxes.map(([, y]) => y))];
  const [right, bottom] = [Math.max(...boxes.map(([x, , w]) => x + w)), Math.max(...boxes.map(([, y, , h]) => y + h))];
  return [x, y, right - x, bottom - y];
}

/** The whole word, of which a word is the first or the last part. */
const subsOf = (part: 1 | 2, whole: string): string =>
  ` SUBS_TYPE="HypPart${part}" SUBS_CONTENT="${escapeText(whole)}"`;

/** `before` is the word before it in the block. */
function altoWord({ text, box, confidence, joined }: Word, before: Word | undefined): string {
  const subs = joined === undefined ? '' : joined === '' ? subsOf(2, before?.joined ?? '') : subsOf(1, joined);
  return `<String CONTENT="${escapeText(text)}" ${edges(box)} WC="${confidence}"${subs}/>`;
}

function altoLine(words: readonly Word[], before: readonly Word[] | undefined): string {
  const strings = words.map((word, at) => altoWord(word, at === 0 ? before?.at(-1) : words[at - 1]));
  return `<TextLine ${edges(around(words.map(({ box }) => box)))}>${strings.join('<SP/>')}</TextLine>`;
}

/** The page as ALTO 4. */
export function altoOf({ language, direction, blocks }: WrittenPage): string {
  const written = blocks.map(
    (lines, at) =>
      `<TextBlock ID="b${at}" LANG="${language}" BASEDIRECTION="${direction}" ${edges(around(lines.flat().map(({ box }) => box)))}>${lines.map((line, index) => altoLine(line, lines[index - 1])).join('')}</TextBlock>`,
  );
  const { width, height } = pageSize;
  return `<?xml version="1.0" encoding="UTF-8"?>
<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description><MeasurementUnit>pixel</MeasurementUnit></Description>
<Layout><Page ID="p" WIDTH="${width}" HEIGHT="${height}" PHYSICAL_IMG_NR="1" LANG="${language}"><PrintSpace>${written.join('')}</PrintSpace></Page></Layout></alto>`;
}

/** The words of a page, in reading order. */
export const wordsOf = (page: WrittenPage): readonly Word[] => page.blocks.flat(2);

async function fill(folder: string): Promise<void> {
  mkdirSync(path.join(folder, 'herbal', 'alto'), { recursive: true });
  for (const [name, page] of Object.entries(pages)) {
    await sharp(drawn(page === crowded ? undefined : page))
      .png()
      .toFile(path.join(folder, 'herbal', `${name}.png`));
    if (page !== undefined) writeFileSync(path.join(folder, 'herbal', 'alto', `${name}.xml`), altoOf(page));
  }
  writeFileSync(path.join(folder, 'herbal', 'metadata.yaml'), 'label: { en: A small herbal }\n');
}

/** Starts a server with the book in the folder `herbal`, whose texts are in its index; `change` changes the library before. */
export async function startTextApp(change?: (library: string) => Promise<void>): Promise<TemporaryServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-texts-'));
  const directory = mkdtempSync(path.join(tmpdir(), 'lectern-texts-index-'));
  await fill(folder);
  await change?.(folder);
  const settings: SettingsInput = {
    library: { folders: [folder] },
    index: { directory: false },
    search: { directory },
  };
  await runIndexing(readSettings(settings, {}, undefined), pino({ level: 'silent' }), {});
  const server = await serveFrom(folder, settings);
  return {
    ...server,
    async close() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
