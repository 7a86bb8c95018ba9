/** Reads hOCR (http://kba.cloud/hocr-spec/1.2/), as HTML of any kind. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import type { Rect, Size } from '../../../core/image/model/geometry.ts';
import { type SourcePage, type TextDirection, wordsOfLine } from '../../../core/image/page-text/page-text.ts';
import { languageTag } from '../../../core/image/page-text/text-languages.ts';
import type { XmlAttributes as Attributes } from '../../../core/text/xml.ts';
import { boxOf, propertiesOf } from './hocr-title.ts';
import { charactersPerTurn, maxDepth } from './limits.ts';
import { fractionOf, type MutableBlock, type MutableLine, PageBuilder, present } from './page-builder.ts';
import { TextFaultError } from './text-fault.ts';

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
      for (const word of wordsOfLine(text, box, direction)) this.#builder.addWord(line, { ...word, confidence });
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
