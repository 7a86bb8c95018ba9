/** A small library of scans for tests of documents: of every kind that a PDF contains in another way. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';

export interface Word {
  readonly text: string;
  readonly box: readonly [x: number, y: number, width: number, height: number];
}

/** The words of the first page, in pixels of the upright image. */
export const firstWords: readonly Word[] = [
  { text: 'Hypericum', box: [100, 120, 310, 44] },
  { text: 'perforatum', box: [430, 122, 330, 40] },
  { text: 'Johanniskraut', box: [100, 200, 420, 40] },
];

/** Those of the page that is stored on its side. */
export const turnedWords: readonly Word[] = [{ text: 'Salvia', box: [90, 300, 200, 50] }];

const alto = (width: number, height: number, words: readonly Word[]): string => {
  const strings = words.map(
    ({ text, box: [x, y, w, h] }) =>
      `<TextLine HPOS="${x}" VPOS="${y}" WIDTH="${w}" HEIGHT="${h}"><String CONTENT="${text}" HPOS="${x}" VPOS="${y}" WIDTH="${w}" HEIGHT="${h}"/></TextLine>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description><MeasurementUnit>pixel</MeasurementUnit></Description>
<Layout><Page ID="P1" WIDTH="${width}" HEIGHT="${height}" PHYSICAL_IMG_NR="1"><PrintSpace><TextBlock ID="B1" LANG="la">
${strings.join('\n')}
</TextBlock></PrintSpace></Page></Layout></alto>`;
};

/** A picture in which every place has its own color. */
function gradient(width: number, height: number) {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      pixels.set([(x * 255) / width, (y * 255) / height, 90], (y * width + x) * 3);
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

const metadata = `label:
  en: Scans & “Proofs” <1>
  de: Scans
summary: Pages of every kind.
metadata:
  - label: Author
    value: Fuchs, Leonhart
rights: https://creativecommons.org/publicdomain/mark/1.0/
pages:
  a-plain.jpg: 1r
  b-turned.jpg: 1v
structures:
  - label: Part I
    pages: [a-plain.jpg, b-turned.jpg]
  - label: Part II
    pages: [c-inks.jpg, d-bilevel.tif]
`;

/** The files of `book`, in their order. */
export const bookFiles = ['a-plain.jpg', 'b-turned.jpg', 'c-inks.jpg', 'd-bilevel.tif', 'e-profile.jpg'] as const;

export interface Scans {
  /** A base directory with the folders `book` and `secret`. */
  readonly directory: string;
  remove(): void;
}

export async function makeScans(): Promise<Scans> {
  const directory = mkdtempSync(path.join(tmpdir(), 'scans-'));
  const [book, secret] = [path.join(directory, 'book'), path.join(directory, 'secret')];
  for (const folder of [book, secret]) mkdirSync(folder);
  const save = (folder: string, name: string, bytes: Buffer | string): void =>
    writeFileSync(path.join(folder, name), bytes);
  const upright = await gradient(900, 1200).withMetadata({ density: 150 }).jpeg({ quality: 80 }).toBuffer();
  save(book, 'a-plain.jpg', upright);
  save(book, 'a-plain.xml', alto(900, 1200, firstWords));
  save(
    book,
    'b-turned.jpg',
    await gradient(1200, 900).withMetadata({ density: 150, orientation: 6 }).jpeg().toBuffer(),
  );
  save(book, 'b-turned.xml', alto(900, 1200, turnedWords));
  save(book, 'c-inks.jpg', await gradient(300, 400).toColorspace('cmyk').jpeg().toBuffer());
  save(
    book,
    'd-bilevel.tif',
    await gradient(600, 800)
      .threshold()
      .tiff({ bitdepth: 1, xres: 300 / 25.4, yres: 300 / 25.4 })
      .toBuffer(),
  );
  save(book, 'e-profile.jpg', await gradient(300, 400).withIccProfile('p3').jpeg().toBuffer());
  save(book, 'metadata.yaml', metadata);
  save(secret, 'p1.jpg', upright);
  save(secret, 'p2.jpg', upright);
  return { directory, remove: () => rmSync(directory, { recursive: true }) };
}
