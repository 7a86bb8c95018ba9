/** Writes the invisible font into a document, with the characters that its pages have used. */
import { deflateSync } from 'node:zlib';
import { CharacterCodes, glyphOfEveryCode, invisibleAdvance, invisibleFontFile } from './invisible-font.ts';
import type { Pdf, Reference } from './open-document.ts';

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
