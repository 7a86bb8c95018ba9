/**
 * A font without outlines, in which the words of a scan are written over it, and how a document has it: nothing is
 * seen, and all can be found and copied.
 */
import { deflateSync } from 'node:zlib';
import type { Pdf, Reference } from './open-document.ts';

/** The advance of every character, in thousandths of the font size. */
export const invisibleAdvance = 500;

const unitsPerEm = 1000;

const u16 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => {
    bytes.writeUInt16BE(value & 0xffff, index * 2);
  });
  return bytes;
};

const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    bytes.writeUInt32BE(value >>> 0, index * 4);
  });
  return bytes;
};

/** The tables that a TrueType font in a PDF needs (ISO 32000-1, 9.9), of two glyphs without outlines. */
const tables: readonly (readonly [tag: string, bytes: Buffer])[] = [
  // No character of its own: the document maps all of them to glyph 1.
  ['cmap', Buffer.concat([u16(0, 1, 3, 1), u32(12), u16(4, 24, 0, 2, 2, 0, 0, 0xffff, 0, 0xffff, 1, 0)])],
  ['glyf', Buffer.alloc(4)],
  [
    'head',
    Buffer.concat([
      u32(0x00010000, 0x00010000, 0, 0x5f0f3cf5),
      u16(0x000b, unitsPerEm),
      u32(0, 0, 0, 0),
      u16(0, 0, invisibleAdvance, unitsPerEm, 0, 8, 2, 0, 0),
    ]),
  ],
  [
    'hhea',
    Buffer.concat([
      u32(0x00010000),
      u16(unitsPerEm, 0, 0, invisibleAdvance, 0, 0, invisibleAdvance, 1, 0, 0, 0, 0, 0, 0, 0, 2),
    ]),
  ],
  ['hmtx', u16(invisibleAdvance, 0, invisibleAdvance, 0)],
  ['loca', u16(0, 0, 0)],
  ['maxp', Buffer.concat([u32(0x00010000), u16(2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)])],
  ['post', Buffer.concat([u32(0x00030000, 0), u16(0, 0), u32(1, 0, 0, 0, 0)])],
];

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

function checksum(bytes: Buffer): number {
  const whole = padded(bytes);
  let sum = 0;
  for (let at = 0; at < whole.length; at += 4) sum = (sum + whole.readUInt32BE(at)) >>> 0;
  return sum;
}

/** The font file. */
export function invisibleFontFile(): Buffer {
  const count = tables.length;
  const power = 2 ** Math.floor(Math.log2(count));
  const header = Buffer.concat([u32(0x00010000), u16(count, power * 16, Math.log2(power), (count - power) * 16)]);
  let offset = header.length + 16 * count;
  const directory: Buffer[] = [];
  const bodies: Buffer[] = [];
  for (const [tag, bytes] of tables) {
    directory.push(Buffer.from(tag, 'latin1'), u32(checksum(bytes), offset, bytes.length));
    bodies.push(padded(bytes));
    offset += padded(bytes).length;
  }
  const file = Buffer.concat([header, ...directory, ...bodies]);
  const headAt = file.indexOf(Buffer.from([0x5f, 0x0f, 0x3c, 0xf5])) - 12;
  file.writeUInt32BE((0xb1b0afba - checksum(file)) >>> 0, headAt + 8);
  return file;
}

/** Every code leads to glyph 1. */
export function glyphOfEveryCode(): Buffer {
  const map = Buffer.alloc(2 * 0x10000);
  for (let at = 1; at < map.length; at += 2) map[at] = 1;
  return map;
}

/** The codes of the surrogates, which are no characters, stand for the characters beyond the first plane that a document uses. */
const [firstFree, lastFree] = [0xd800, 0xdfff];

/** Gives characters their codes of two bytes, and remembers which code means which character. */
export class CharacterCodes {
  readonly #beyond = new Map<number, number>();

  /** The codes of a text in hexadecimal digits, four for each character, and their number. */
  encode(text: string): { readonly hex: string; readonly count: number } {
    const codes = Array.from(text, (character) => this.#codeOf(character.codePointAt(0) ?? 0xfffd));
    return { hex: codes.map((code) => code.toString(16).padStart(4, '0')).join(''), count: codes.length };
  }

  #codeOf(point: number): number {
    if (point >= firstFree && point <= lastFree) return 0xfffd;
    if (point <= 0xffff) return point === 0 ? 0xfffd : point;
    const known = this.#beyond.get(point);
    if (known !== undefined) return known;
    const code = firstFree + this.#beyond.size;
    if (code > lastFree) return 0xfffd;
    this.#beyond.set(point, code);
    return code;
  }

  /** The CMap that says which characters the codes mean (ISO 32000-1, 9.10.3). */
  toUnicode(): string {
    const beyond = [...this.#beyond].map(([point, code]) => {
      const character = Buffer.from(String.fromCodePoint(point), 'utf16le').swap16().toString('hex');
      return `<${code.toString(16)}> <${character}>`;
    });
    const chunks = Array.from({ length: Math.ceil(beyond.length / 100) }, (_, index) =>
      beyond.slice(index * 100, index * 100 + 100),
    );
    return [
      '/CIDInit /ProcSet findresource begin',
      '12 dict begin',
      'begincmap',
      '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
      '/CMapName /Adobe-Identity-UCS def',
      '/CMapType 2 def',
      '1 begincodespacerange',
      '<0000> <ffff>',
      'endcodespacerange',
      ...bmpRanges(),
      ...chunks.flatMap((chunk) => [`${chunk.length} beginbfchar`, ...chunk, 'endbfchar']),
      'endcmap',
      'CMapName currentdict /CMap defineresource pop',
      'end',
      'end',
    ].join('\n');
  }
}

/** A range keeps the first byte of its codes, and an operator has at most 100 ranges. */
function bmpRanges(): readonly string[] {
  const rows = Array.from({ length: 256 }, (_, row) => row).filter((row) => row < 0xd8 || row > 0xdf);
  const ranges = rows.map((row) => {
    const high = row.toString(16).padStart(2, '0');
    const first = row === 0 ? '01' : '00';
    return `<${high}${first}> <${high}ff> <${high}${first}>`;
  });
  return [0, 100, 200].flatMap((from) => {
    const part = ranges.slice(from, from + 100);
    return [`${part.length} beginbfrange`, ...part, 'endbfrange'];
  });
}

const name = 'LECTRN+Words';

/** The same in all documents. */
let deflatedGlyphs: Buffer | undefined;

export interface WordsFont {
  readonly codes: CharacterCodes;
  /** The font in the resources of pages. */
  readonly reference: Reference;
  /** Writes the font, after the last page that uses it. */
  end(): void;
}

export function addWordsFont(pdf: Pdf): WordsFont {
  const codes = new CharacterCodes();
  const reference = pdf.ref({ Type: 'Font', Subtype: 'Type0', BaseFont: name, Encoding: 'Identity-H' });
  return {
    codes,
    reference,
    end() {
      const file = invisibleFontFile();
      const fontFile = pdf.ref({ Length1: file.length });
      fontFile.end(file);
      const descriptor = pdf.ref({
        Type: 'FontDescriptor',
        FontName: name,
        Flags: 4,
        FontBBox: [0, 0, invisibleAdvance, 1000],
        ItalicAngle: 0,
        Ascent: 1000,
        // Readers take 0 for a descent that nobody said.
        Descent: -1,
        CapHeight: 1000,
        StemV: 80,
        FontFile2: fontFile,
      });
      descriptor.end();
      const glyphs = pdf.ref({ Filter: 'FlateDecode' });
      deflatedGlyphs ??= deflateSync(glyphOfEveryCode());
      glyphs.end(deflatedGlyphs);
      const descendant = pdf.ref({
        Type: 'Font',
        Subtype: 'CIDFontType2',
        BaseFont: name,
        CIDSystemInfo: { Registry: new String('Adobe'), Ordering: new String('Identity'), Supplement: 0 },
        FontDescriptor: descriptor,
        DW: invisibleAdvance,
        CIDToGIDMap: glyphs,
      });
      descendant.end();
      const toUnicode = pdf.ref({});
      toUnicode.end(codes.toUnicode());
      Object.assign(reference.data, { DescendantFonts: [descendant], ToUnicode: toUnicode });
      reference.end();
    },
  };
}
