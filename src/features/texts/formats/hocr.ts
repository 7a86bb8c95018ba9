/** Reads hOCR (http://kba.cloud/hocr-spec/1.2/), as HTML of any kind. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { stemOf } from '../../../core/image/model/formats.ts';
import type { Rect, Size } from '../../../core/image/model/geometry.ts';
import type { SourcePage, TextDirection } from '../../../core/image/page-text/page-text.ts';
import { languageTag } from '../../../core/image/page-text/text-languages.ts';
import type { XmlAttributes as Attributes } from '../../../core/parsing/xml.ts';
import type { BookPage } from '../recognize-text.ts';
import {
  fractionOf,
  type MutableBlock,
  type MutableLine,
  numberOf,
  PageBuilder,
  present,
  wordsIn,
} from './page-builder.ts';
import { charactersPerTurn, maxDepth, TextFaultError } from './text-fault.ts';

type Role = 'page' | 'block' | 'line' | 'word';

/** What the elements of a class are here. A paragraph inside of an area is a block of its own. */
const roles: Readonly<Record<string, Role>> = {
  ocr_page: 'page',
  ocr_carea: 'block',
  ocrx_block: 'block',
  ocr_par: 'block',
  ocr_line: 'line',
  ocrx_line: 'line',
  ocr_header: 'line',
  ocr_footer: 'line',
  ocr_caption: 'line',
  ocr_textfloat: 'line',
  ocrx_word: 'word',
  ocr_word: 'word',
};

export function roleOf(attributes: Attributes): Role | undefined {
  for (const name of (attributes['class'] ?? '').split(/\s+/)) if (Object.hasOwn(roles, name)) return roles[name];
  return undefined;
}

interface Element {
  readonly role: Role | undefined;
  readonly language: string | undefined;
  readonly direction: TextDirection | undefined;
  readonly box: Rect | undefined;
  readonly confidence: number | undefined;
  text: string;
  block?: MutableBlock;
  line?: MutableLine;
}

const directionOf = ({ dir }: Attributes): TextDirection | undefined =>
  dir === 'rtl' || dir === 'ltr' ? dir : undefined;

class HocrPage {
  readonly #builder = new PageBuilder();
  readonly #wanted: number;
  readonly #elements: Element[] = [];
  #pages = 0;
  #isOpen = false;
  #size: Size | undefined;
  #language: string | undefined;
  #direction: TextDirection | undefined;

  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  open(attributes: Attributes): void {
    if (this.#elements.length >= maxDepth) {
      throw new TextFaultError(`More than ${maxDepth} elements are inside of each other.`);
    }
    const role = roleOf(attributes);
    const properties = role === undefined ? new Map<string, string>() : propertiesOf(attributes['title']);
    const element: Element = {
      role,
      language: languageTag(attributes['lang'] ?? attributes['xml:lang']),
      direction: directionOf(attributes),
      box: boxOf(properties),
      confidence: fractionOf(properties.get('x_wconf'), 100),
      text: '',
    };
    this.#elements.push(element);
    if (role === 'page') this.#openPage(element);
    if (this.#isOpen) this.#openPart(element);
  }

  close(): void {
    const element = this.#elements.pop();
    if (element === undefined || !this.#isOpen) return;
    const { role, text, box, confidence, language, line } = element;
    if (role === 'page') this.#isOpen = false;
    else if (role === 'word') this.#addWord(element);
    else if (role === 'line' && line?.words.length === 0) {
      const direction = element.direction ?? this.#direction ?? 'ltr';
      for (const word of wordsIn(text, box, direction)) this.#builder.addWord(line, { ...word, confidence });
    } else if (role === undefined) this.#passText({ ...element, text, language });
  }

  text(text: string): void {
    const innermost = this.#elements.at(-1);
    if (this.#isOpen && innermost !== undefined) innermost.text += text;
  }

  page(): SourcePage | undefined {
    if (this.#pages === 0) throw new TextFaultError('The file has no element of the class ocr_page.');
    if (this.#pages < this.#wanted) return undefined;
    const members = { size: this.#size, language: this.#language, direction: this.#direction };
    return { ...present(members), unit: 'pixel', blocks: this.#builder.blocks } as SourcePage;
  }

  #openPage({ box, language, direction }: Element): void {
    this.#isOpen = ++this.#pages === this.#wanted;
    if (!this.#isOpen) return;
    this.#size = box && { width: box.x + box.width, height: box.y + box.height };
    const around = this.#elements.map((each) => each.language).findLast((each) => each !== undefined);
    this.#language = language ?? around;
    this.#direction = direction;
  }

  #openPart(element: Element): void {
    const { role, box, language, direction } = element;
    const members = { box, language, direction };
    if (role === 'block') element.block = this.#builder.addBlock(members);
    if (role !== 'line') return;
    const block = this.#elements.findLast((each) => each.block !== undefined)?.block;
    element.line = this.#builder.addLine(block, members);
  }

  #addWord({ text, box, confidence, language }: Element): void {
    const line = this.#elements.findLast((each) => each.line !== undefined)?.line;
    const target = line ?? this.#builder.addLine(undefined, { box: undefined, language: undefined });
    this.#builder.addWord(target, { text, box, confidence, language });
  }

  /** The text of an element without a role, such as `<em>`, is that of the element around it. */
  #passText({ text }: Element): void {
    const around = this.#elements.at(-1);
    if (around !== undefined) around.text += text;
  }
}

/** Feeds HTML to a parser, and leaves other requests their turn. */
export async function feed(parser: Parser, html: string): Promise<void> {
  for (let at = 0; at < html.length; at += charactersPerTurn) {
    if (at > 0) await nextTurn();
    parser.write(html.slice(at, at + charactersPerTurn));
  }
  parser.end();
}

/** The text of a page of the file, by its number from 1; undefined where the file has fewer pages. Throws TextFaultError. */
export async function readHocr(html: string, page: number): Promise<SourcePage | undefined> {
  const reader = new HocrPage(page);
  // Their content is no text of the page; nothing is nested in them.
  let isCode = false;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        isCode = name === 'script' || name === 'style';
        reader.open(attributes);
      },
      onclosetag: () => {
        isCode = false;
        reader.close();
      },
      ontext: (text) => {
        if (!isCode) reader.text(text);
      },
    },
    { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: true },
  );
  await feed(parser, html);
  return reader.page();
}

/** No title is longer, in UTF-16 code units; what follows is not read. */
const maxTitleLength = 10_000;

export type Properties = ReadonlyMap<string, string>;

/** `bbox 0 0 10 10; image "a;b.png"`: names and values; quotation marks protect semicolons. */
export function propertiesOf(title: string | undefined): Properties {
  const properties = new Map<string, string>();
  for (const [, name, value] of (title ?? '')
    .slice(0, maxTitleLength)
    .matchAll(/([a-z_]+)((?:\s+(?:"[^"]*"|'[^']*'|[^;"']+))*)\s*(?:;|$)/g)) {
    if (name !== undefined && !properties.has(name)) properties.set(name, value?.trim() ?? '');
  }
  return properties;
}

/** `x0 y0 x1 y1` as a rectangle; undefined where it has no area. */
export function boxOf(properties: Properties): Rect | undefined {
  const [x, y, right, bottom] = (properties.get('bbox') ?? '').split(/\s+/).map(numberOf);
  if (x === undefined || y === undefined || right === undefined || bottom === undefined) return undefined;
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : undefined;
}

/** A value without its quotation marks. */
export const unquoted = (value: string): string => /^(["'])([\s\S]*)\1$/.exec(value)?.[2] ?? value;

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
