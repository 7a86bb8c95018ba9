/** Reads PAGE, 2013 to 2019 (https://github.com/PRImA-Research-Lab/PAGE-XML). */
import type { Rect, Size } from '../../../core/image/model/geometry.ts';
import type { SourcePage, TextDirection } from '../../../core/image/page-text/page-text.ts';
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
  wordsIn,
} from './page-builder.ts';
import { TextFaultError } from './text-fault.ts';

const directions: Readonly<Record<string, TextDirection>> = {
  'left-to-right': 'ltr',
  'right-to-left': 'rtl',
  'top-to-bottom': 'ttb',
};

/** Points of one polygon; more than these say nothing of its bounds that matters. */
const maxPoints = 10_000;

/** The rectangle around the points `x,y x,y`; undefined where they enclose no area. */
function boundsOf(points: string): Rect | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [, first, second] of points.slice(0, maxPoints * 20).matchAll(/(-?[\d.]+),(-?[\d.]+)/g)) {
    const [x, y] = [numberOf(first), numberOf(second)];
    if (x === undefined || y === undefined) continue;
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : undefined;
}

/** One of the texts that an element may have; the one with the lowest index counts, and the first of equal ones. */
interface Equivalent {
  readonly index: number;
  readonly confidence: number | undefined;
  text: string;
}

/** An element that has a place and a text. */
interface Part {
  readonly name: 'region' | 'line' | 'word';
  readonly attributes: Attributes;
  box?: Rect;
  text?: Equivalent;
  /** The block of a region; the line of a line. */
  block?: MutableBlock;
  line?: MutableLine;
}

const partNames: Readonly<Record<string, Part['name']>> = { TextRegion: 'region', TextLine: 'line', Word: 'word' };

const languageOf = ({ primaryLanguage, language }: Attributes): string | undefined =>
  languageTag(primaryLanguage ?? language);

const directionOf = ({ readingDirection }: Attributes): TextDirection | undefined => directions[readingDirection ?? ''];

class PageXmlPage {
  readonly #builder = new PageBuilder();
  readonly #order = new PageOrder();
  /** The parts around the current place, the innermost one last. */
  readonly #parts: Part[] = [];
  #equivalent: Equivalent | undefined;
  #isUnicode = false;
  /** Inside of a glyph, whose place and text are none of its word's. */
  #glyphs = 0;
  #size: Size | undefined;
  #page: Attributes = {};
  #pages = 0;
  #elements = 0;

  open(name: string, attributes: Attributes): void {
    if (this.#elements++ === 0 && name !== 'PcGts') throw new TextFaultError('This is no PAGE file.', 1);
    if (name === 'Glyph') this.#glyphs++;
    if (this.#glyphs > 0) return;
    const part = partNames[name];
    if (part !== undefined) this.#openPart(part, attributes);
    else if (name === 'Page') this.#openPage(attributes);
    else if (name === 'Coords') this.#setBox(boundsOf(attributes['points'] ?? ''));
    else if (name === 'TextEquiv') this.#openEquivalent(attributes);
    else if (name === 'Unicode') this.#isUnicode = true;
    else this.#order.open(name, attributes);
  }

  close(name: string): void {
    if (name === 'Glyph') this.#glyphs--;
    else if (this.#glyphs > 0) return;
    else if (partNames[name] !== undefined) this.#closePart();
    else if (name === 'TextEquiv') this.#closeEquivalent();
    else if (name === 'Unicode') this.#isUnicode = false;
    else this.#order.close(name);
  }

  text(text: string): void {
    if (this.#isUnicode && this.#equivalent !== undefined) this.#equivalent.text += text;
  }

  page(): SourcePage | undefined {
    if (this.#pages === 0) return undefined;
    const members = { size: this.#size, language: languageOf(this.#page), direction: directionOf(this.#page) };
    return { ...present(members), unit: 'pixel', blocks: this.#order.sort(this.#builder.blocks) } as SourcePage;
  }

  #openPage(attributes: Attributes): void {
    this.#pages++;
    this.#page = attributes;
    const [width, height] = [numberOf(attributes['imageWidth']), numberOf(attributes['imageHeight'])];
    if (width !== undefined && height !== undefined && width > 0 && height > 0) this.#size = { width, height };
  }

  #openPart(name: Part['name'], attributes: Attributes): void {
    const part: Part = { name, attributes };
    const around = this.#parts.at(-1);
    const members = { box: undefined, language: languageOf(attributes), direction: directionOf(attributes) };
    if (name === 'region') part.block = this.#builder.addBlock({ ...members, id: attributes['id'] });
    if (name === 'line') part.line = this.#builder.addLine(around?.block, members);
    this.#parts.push(part);
  }

  #setBox(box: Rect | undefined): void {
    const part = this.#parts.at(-1);
    if (part === undefined || box === undefined) return;
    part.box = box;
    Object.assign(part.block ?? part.line ?? {}, { box });
  }

  #openEquivalent({ index, conf }: Attributes): void {
    if (this.#parts.length === 0) return;
    this.#equivalent = { index: numberOf(index) ?? 0, confidence: fractionOf(conf), text: '' };
  }

  #closeEquivalent(): void {
    const part = this.#parts.at(-1);
    const found = this.#equivalent;
    this.#equivalent = undefined;
    if (part === undefined || found === undefined || found.text.trim() === '') return;
    if (part.text === undefined || found.index < part.text.index) part.text = found;
  }

  #closePart(): void {
    const part = this.#parts.pop();
    if (part?.text === undefined) return;
    const { name, box, text, attributes, line, block } = part;
    const { confidence } = text;
    if (name === 'word') {
      const language = languageOf(attributes);
      const target = this.#parts.at(-1)?.line;
      if (target) this.#builder.addWord(target, { text: text.text, box, confidence, language });
    } else if (line !== undefined && line.words.length === 0) {
      this.#addWords(line, text, box, directionOf(attributes) ?? directionOf(this.#page) ?? 'ltr');
    } else if (block !== undefined && block.lines.length === 0) {
      for (const printed of text.text.split(/\r\n|\r|\n/)) {
        const added = this.#builder.addLine(block, { box: undefined, language: undefined });
        this.#addWords(added, { ...text, text: printed }, undefined, 'ltr');
      }
    }
  }

  /** The words of a line that has its text only as a whole. */
  #addWords(
    line: MutableLine,
    { text, confidence }: Equivalent,
    box: Rect | undefined,
    direction: TextDirection,
  ): void {
    for (const word of wordsIn(text, box, direction)) this.#builder.addWord(line, { ...word, confidence });
  }
}

/** The text of the file's page; undefined where another page than the first is wanted. Throws TextFaultError. */
export async function readPageXml(text: string, page: number): Promise<SourcePage | undefined> {
  const reader = new PageXmlPage();
  await readXmlEvents(text, {
    open: (name, attributes) => reader.open(name, attributes),
    close: (name) => reader.close(name),
    text: (part) => reader.text(part),
  });
  return page === 1 ? reader.page() : undefined;
}

interface Group {
  readonly index: number | undefined;
  readonly region: string | undefined;
  readonly members: Group[];
}

const isGroup = (name: string): boolean => /^(?:Ordered|Unordered)Group(?:Indexed)?$/.test(name);

const isReference = (name: string): boolean => name === 'RegionRefIndexed' || name === 'RegionRef';

const newGroup = ({ index, regionRef }: Attributes): Group => ({
  index: numberOf(index),
  region: regionRef,
  members: [],
});

/** The regions of a group in order: its own first, which is that of its heading or of the whole. */
function regionsOf({ region, members }: Group): readonly string[] {
  const sorted = members.every(({ index }) => index !== undefined)
    ? [...members].sort((a, b) => (a.index ?? 0) - (b.index ?? 0))
    : members;
  return [...(region === undefined ? [] : [region]), ...sorted.flatMap(regionsOf)];
}

export class PageOrder {
  readonly #root = newGroup({});
  readonly #groups: Group[] = [this.#root];

  open(name: string, attributes: Attributes): void {
    if (!isGroup(name) && !isReference(name)) return;
    const group = newGroup(attributes);
    this.#groups.at(-1)?.members.push(group);
    if (isGroup(name)) this.#groups.push(group);
  }

  close(name: string): void {
    if (isGroup(name)) this.#groups.pop();
  }

  /** The blocks in this order; those without a place in it follow. */
  sort(blocks: readonly MutableBlock[]): readonly MutableBlock[] {
    const regions = regionsOf(this.#root);
    const positions = new Map(regions.map((region, index) => [region, index]));
    const positionOf = ({ id }: MutableBlock): number => positions.get(id ?? '') ?? regions.length;
    return [...blocks].sort((a, b) => positionOf(a) - positionOf(b));
  }
}
