/** Reads ALTO 2 to 4 (https://www.loc.gov/standards/alto/). */
import { type Rect, type Size, union } from '../../../core/image/model/geometry.ts';
import type { LengthUnit, SourcePage, TextDirection } from '../../../core/image/page-text/page-text.ts';
import { languageTag } from '../../../core/image/page-text/text-languages.ts';
import type { XmlAttributes as Attributes } from '../../../core/parsing/xml.ts';
import {
  fractionOf,
  type MutableBlock,
  type MutableLine,
  numberOf,
  PageBuilder,
  present,
  readXmlEvents,
} from './page-builder.ts';
import { TextFaultError } from './text-fault.ts';

const units: ReadonlySet<string> = new Set<LengthUnit>(['pixel', 'mm10', 'inch1200']);

function boxOf({ HPOS, VPOS, WIDTH, HEIGHT }: Attributes): Rect | undefined {
  const [x, y, width, height] = [HPOS, VPOS, WIDTH, HEIGHT].map(numberOf);
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

function sizeOf({ WIDTH, HEIGHT }: Attributes): Size | undefined {
  const [width, height] = [numberOf(WIDTH), numberOf(HEIGHT)];
  return width !== undefined && height !== undefined && width > 0 && height > 0 ? { width, height } : undefined;
}

const directions: Readonly<Record<string, TextDirection>> = { ltr: 'ltr', rtl: 'rtl', ttb: 'ttb' };

const shared = (attributes: Attributes) => ({
  box: boxOf(attributes),
  language: languageTag(attributes['LANG'] ?? attributes['language']),
  direction: directions[attributes['BASEDIRECTION'] ?? ''],
});

/** The whole word of which a part is printed, where the file says it (SUBS_TYPE, SUBS_CONTENT). */
function joinedOf({ SUBS_TYPE: type, SUBS_CONTENT: whole }: Attributes): string | undefined {
  if (type === 'HypPart1') return whole;
  return type === 'HypPart2' && whole !== undefined ? '' : undefined;
}

/** Reads one page of the file, and skips the others. */
class AltoPage {
  readonly #builder = new PageBuilder();
  readonly #wanted: number;
  readonly #order: string[] = [];
  readonly #next = new Map<string, string>();
  #unitName = '';
  #isUnit = false;
  #page = 0;
  #size: Size | undefined;
  #language: string | undefined;
  #part = '';
  #block: (MutableBlock & { part?: string }) | undefined;
  #line: MutableLine | undefined;
  #elements = 0;

  /** `wanted` is the number of the page in the file, from 1. */
  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#elements++ === 0 && name !== 'alto') throw new TextFaultError('This is no ALTO file.', 1);
    if (name === 'Page') this.#openPage(attributes);
    else if (name === 'MeasurementUnit') this.#isUnit = true;
    else if (name === 'ElementRef') this.#order.push(attributes['REF'] ?? '');
    else if (this.#page === this.#wanted) this.#openPart(name, attributes);
  }

  close(name: string): void {
    if (name === 'TextBlock') this.#block = undefined;
    else if (name === 'TextLine') this.#line = undefined;
    else if (name === 'MeasurementUnit') this.#isUnit = false;
  }

  text(text: string): void {
    if (this.#isUnit) this.#unitName += text.slice(0, 100);
  }

  /** The page; undefined where the file has fewer pages. */
  page(): SourcePage | undefined {
    if (this.#page < this.#wanted) return undefined;
    const blocks = inReadingOrder(this.#builder.blocks, this.#order, this.#next);
    return { ...present({ size: this.#size, language: this.#language }), unit: this.#unit(), blocks } as SourcePage;
  }

  #openPage(attributes: Attributes): void {
    if (++this.#page !== this.#wanted) return;
    this.#size = sizeOf(attributes);
    this.#language = languageTag(attributes['LANG']);
  }

  #openPart(name: string, attributes: Attributes): void {
    switch (name) {
      case 'TopMargin':
      case 'LeftMargin':
      case 'RightMargin':
      case 'BottomMargin':
      case 'PrintSpace':
        this.#part = name;
        return;
      case 'TextBlock':
        this.#openBlock(attributes);
        return;
      case 'TextLine':
        this.#line = this.#builder.addLine(this.#block, shared(attributes));
        return;
      case 'String':
        this.#addWord(attributes);
        return;
      case 'HYP':
        this.#addHyphen(attributes);
    }
  }

  #openBlock(attributes: Attributes): void {
    const { ID: id, IDNEXT: next } = attributes;
    this.#block = this.#builder.addBlock({ ...shared(attributes), id });
    this.#block.part = this.#part;
    if (id !== undefined && next !== undefined) this.#next.set(id, next);
  }

  #addWord(attributes: Attributes): void {
    this.#line ??= this.#builder.addLine(this.#block, { box: undefined, language: undefined });
    this.#builder.addWord(this.#line, {
      text: attributes['CONTENT'] ?? '',
      box: boxOf(attributes),
      confidence: fractionOf(attributes['WC']),
      language: languageTag(attributes['LANG'] ?? attributes['language']),
      joined: joinedOf(attributes),
    });
  }

  /** A hyphen belongs to the word before it. */
  #addHyphen(attributes: Attributes): void {
    const word = this.#line?.words.at(-1);
    if (this.#line === undefined || word === undefined || /[-\u00ad\u00ac\u2010\u2e17=]$/u.test(word.text)) return;
    const text = word.text + (attributes['CONTENT']?.slice(0, 1) || '-');
    const own = boxOf(attributes);
    const box = word.box && own ? union(word.box, own) : (word.box ?? own);
    this.#line.words[this.#line.words.length - 1] = { ...word, text, ...(box && { box }) };
  }

  #unit(): LengthUnit {
    const name = this.#unitName.trim().toLowerCase();
    if (name === '') return 'pixel';
    if (units.has(name)) return name as LengthUnit;
    throw new TextFaultError('The MeasurementUnit must be pixel, mm10 or inch1200.');
  }
}

/** The text of a page of the file, by its number from 1; undefined where the file has fewer pages. Throws TextFaultError. */
export async function readAlto(text: string, page: number): Promise<SourcePage | undefined> {
  const reader = new AltoPage(page);
  await readXmlEvents(text, {
    open: (name, attributes) => reader.open(name, attributes),
    close: (name) => reader.close(name),
    text: (part) => reader.text(part),
  });
  return reader.page();
}

type Block = MutableBlock & { readonly part?: string };

/** The parts of a page from top to bottom; in the file, all margins precede the print space. */
const parts = ['TopMargin', 'LeftMargin', '', 'PrintSpace', 'RightMargin', 'BottomMargin'];

const byKey = (blocks: readonly Block[], keyOf: (block: Block) => number): readonly Block[] =>
  [...blocks].sort((a, b) => keyOf(a) - keyOf(b));

/** Each block is followed by the one that it names as its next, and then by that one's next. */
function alongNext(blocks: readonly Block[], next: ReadonlyMap<string, string>): readonly Block[] {
  const byId = new Map(blocks.map((block) => [block.id, block]));
  const named = new Set(next.values());
  const ordered = new Set<Block>();
  const follow = (start: Block): void => {
    let block: Block | undefined = start;
    while (block !== undefined && !ordered.has(block)) {
      ordered.add(block);
      block = byId.get(next.get(block.id ?? '') ?? '');
    }
  };
  for (const block of blocks) if (block.id === undefined || !named.has(block.id)) follow(block);
  // Blocks that name each other in a circle have no first one.
  for (const block of blocks) follow(block);
  return [...ordered];
}

/** `order` has the identifiers of the file's reading order, `next` that of the next block by a block's own. */
export function inReadingOrder(
  blocks: readonly Block[],
  order: readonly string[],
  next: ReadonlyMap<string, string>,
): readonly Block[] {
  const fromTop = byKey(blocks, ({ part }) => parts.indexOf(part ?? ''));
  if (order.length > 0) {
    const positions = new Map(order.map((id, index) => [id, index]));
    return byKey(fromTop, ({ id }) => positions.get(id ?? '') ?? order.length);
  }
  return next.size > 0 ? alongNext(fromTop, next) : fromTop;
}
