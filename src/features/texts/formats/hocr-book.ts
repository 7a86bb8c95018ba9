/** Finds the pages in an hOCR file of a whole folder, so that one of them can be read without the others. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { stemOf } from '../../../core/image/model/formats.ts';
import type { BookPage } from './book-pages.ts';
import { roleOf } from './hocr.ts';
import { propertiesOf, unquoted } from './hocr-title.ts';
import { numberOf } from './page-builder.ts';

/** A book has no more pages; what follows is not read. */
const maxPages = 20_000;

interface OpenPage {
  readonly from: number;
  readonly title: string;
}

const baseName = (name: string): string => name.split(/[/\\]/).at(-1) ?? name;

function pageOf({ from, title }: OpenPage, to: number): BookPage {
  // The bytes were read as Latin-1, so that positions in the text are those in the file.
  const properties = propertiesOf(Buffer.from(title, 'latin1').toString('utf8'));
  const image = properties.get('image');
  return {
    span: { from, to },
    image: image === undefined || image === '' ? undefined : stemOf(baseName(unquoted(image))).normalize('NFC'),
    number: numberOf(properties.get('ppageno')),
  };
}

/** Collects the pages of a book, whose bytes are given in order. The encoding has to be one that includes ASCII. */
export class BookPages {
  readonly pages: BookPage[] = [];
  readonly #parser: Parser;
  #open: OpenPage | undefined;
  #bytes = 0;

  constructor() {
    this.#parser = new Parser(
      {
        onopentag: (_, attributes) => {
          if (roleOf(attributes) !== 'page') return;
          this.#end(this.#parser.startIndex);
          this.#open = { from: this.#parser.startIndex, title: attributes['title'] ?? '' };
        },
      },
      { decodeEntities: true, lowerCaseTags: true },
    );
  }

  async add(bytes: Buffer): Promise<void> {
    this.#bytes += bytes.length;
    this.#parser.write(bytes.toString('latin1'));
    await nextTurn();
  }

  end(): readonly BookPage[] {
    this.#end(this.#bytes);
    this.#parser.end();
    return this.pages;
  }

  #end(to: number): void {
    if (this.#open !== undefined && this.pages.length < maxPages) this.pages.push(pageOf(this.#open, to));
    this.#open = undefined;
  }
}
