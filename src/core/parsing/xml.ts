/** Reads XML strictly, as events or as a tree of elements: a document's own entities are never expanded, and nothing is fetched. */
import { SaxesParser } from 'saxes';
import { quote } from './nearest.ts';

/** XML that is not well-formed: a whole sentence, or the parser's first complaint without a full stop. */
export class XmlSyntaxError extends Error {
  /** From 1; 0 where the fault has no line. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.name = 'XmlSyntaxError';
    this.line = line;
  }

  /** The message as a sentence. */
  get sentence(): string {
    return this.message.endsWith('.') ? this.message : `The XML is not well-formed: ${quote(this.message)}.`;
  }
}

/** Elements inside of each other: far above any document, and few enough for readers that follow them. */
const maxDepth = 256;

export type XmlAttributes = Readonly<Record<string, string>>;

/** Called in document order. Names of elements are without their prefixes; lines count from 1. */
export interface XmlHandlers {
  /** `line` is that of the tag's beginning. */
  open(name: string, attributes: XmlAttributes, line: number): void;
  close(name: string): void;
  /** A part of the text of the innermost element. */
  text(text: string): void;
  /** A document type, of which nothing is read. */
  doctype?(content: string, line: number): void;
}

/** A parser to which a text is written in parts. Throws XmlSyntaxError at the first fault, and what handlers throw. */
export interface XmlParser {
  write(part: string): unknown;
  close(): unknown;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const linesIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** Prefixes of names have to be declared where `checksPrefixes`, which takes more time. */
export function createXmlParser(handlers: XmlHandlers, checksPrefixes = false): XmlParser {
  const parser = new SaxesParser({ xmlns: checksPrefixes });
  const names: string[] = [];
  let closed: string | undefined;
  let tagLine = 1;
  parser.on('error', ({ message }) => {
    const said = message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
    const helpful: Readonly<Record<string, string>> = {
      'disallowed character': 'There is a control character, which XML does not allow.',
      // The parser has closed the element before it complains.
      'unexpected close tag': `the closing tag of <${closed}> is missing`,
    };
    throw new XmlSyntaxError(helpful[said] ?? said, parser.line);
  });
  parser.on('doctype', (content) => handlers.doctype?.(content, parser.line - linesIn(content)));
  parser.on('opentagstart', () => {
    // Where the name ends its line, the parser has read the line break.
    tagLine = parser.line - (parser.column === 0 ? 1 : 0);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (names.push(name) > maxDepth)
      throw new XmlSyntaxError(`More than ${maxDepth} elements are inside of each other.`, parser.line);
    const values = checksPrefixes
      ? Object.fromEntries(Object.values(attributes).map((attribute) => [attribute.name, attribute.value]))
      : attributes;
    handlers.open(localName(name), values as XmlAttributes, tagLine);
  });
  parser.on('closetag', ({ name }) => {
    closed = names.pop();
    handlers.close(localName(name));
  });
  parser.on('text', (text) => handlers.text(text));
  parser.on('cdata', (text) => handlers.text(text));
  return parser;
}

/** An element with its attributes, which have their prefixes. */
export interface XmlElement {
  /** Without its prefix. */
  readonly name: string;
  /** From 1. */
  readonly line: number;
  readonly attributes: XmlAttributes;
  readonly children: readonly XmlElement[];
  /** The text in it and in all elements inside, in document order. */
  readonly text: string;
}

/** An element whose text is a part of a list of pieces that all elements share. */
class ParsedElement implements XmlElement {
  readonly children: ParsedElement[] = [];
  readonly name: string;
  readonly line: number;
  readonly attributes: XmlAttributes;
  readonly #pieces: readonly string[];
  readonly #from: number;
  #to = 0;

  constructor(name: string, attributes: XmlAttributes, line: number, pieces: readonly string[]) {
    this.name = name;
    this.attributes = attributes;
    this.line = line;
    this.#pieces = pieces;
    this.#from = pieces.length;
  }

  end(): void {
    this.#to = this.#pieces.length;
  }

  get text(): string {
    return this.#pieces.slice(this.#from, this.#to).join('');
  }
}

/** Whether XML 1.0 (production 2) allows a character. */
const isCharacter = (code: number): boolean =>
  code <= 0x10ffff && /[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(String.fromCodePoint(code));

/** The first reference that is none, which the parser finds only behind it: it takes all up to a semicolon for a name. */
function faultOfReferences(text: string): XmlSyntaxError | undefined {
  const pattern =
    /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)|&(?:[a-z]+;|#x?[\da-f]+;)?/gi;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const line = linesIn(text.slice(0, index)) + 1;
    if (found === '&') return new XmlSyntaxError('There is an & alone; write &amp;.', line);
    if (found.startsWith('&#') && !isCharacter(Number(`0${found.slice(2, -1)}`)))
      return new XmlSyntaxError(`XML does not allow the character ${quote(found)}.`, line);
  }
  return undefined;
}

/** Parses a document. Throws XmlSyntaxError, and what `doctype` throws. */
export function parseXmlDocument(text: string, { doctype }: Pick<XmlHandlers, 'doctype'> = {}): XmlElement {
  const pieces: string[] = [];
  const open: ParsedElement[] = [];
  let root: ParsedElement | undefined;
  const handlers: XmlHandlers = {
    ...(doctype && { doctype }),
    open(name, attributes, line) {
      const element = new ParsedElement(name, attributes, line, pieces);
      open.at(-1)?.children.push(element);
      root ??= element;
      open.push(element);
    },
    close: () => open.pop()?.end(),
    text: (part) => pieces.push(part),
  };
  const parser = createXmlParser(handlers, true);
  try {
    parser.write(text);
    parser.close();
  } catch (error) {
    throw error instanceof XmlSyntaxError ? (faultOfReferences(text) ?? error) : error;
  }
  if (root === undefined) throw new XmlSyntaxError('missing root element', 0);
  return root;
}
