/** Reads `metadata.yaml` within bounds of depth and of aliases; lines with a syntax error are left out, and the others are read. */
import {
  Composer,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Pair,
  Parser,
  type YAMLError,
} from 'yaml';
import { type FolderMetadata, unreadableRedactions } from '../../image/folder/folder-metadata.ts';
import { mentionsRedactions } from '../../image/model/redaction.ts';
import { quote } from '../../parsing/nearest.ts';
import { type Entry, type Faults, kindName, type MapValue, textValue, type Value } from './fields.ts';
import type { PageNames } from './page-entries.ts';
import { readVocabulary } from './vocabulary.ts';

/** The composer is recursive, and a stack overflow in it can end the process, so nesting is bounded before it runs. */
const maxNesting = 100;

/** The largest number of tokens: enough for tens of thousands of pages, and parsed within seconds. */
const maxLexemes = 400_000;

const tooMuch = 'The file says too much, and is read up to here; for so many pages, write metadata.csv.';

/** How often a text is parsed again without a faulty line, and how many characters that may be in total. */
const maxRounds = 20;
const maxReparsed = 1024 * 1024;

class TooDeep extends Error {
  readonly offset: number;

  constructor(offset: number) {
    super('nested too deeply');
    this.offset = offset;
  }
}

function* boundedTokens(text: string, lines: LineCounter, onCut: (offset: number) => void): ReturnType<Parser['next']> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > maxLexemes) {
      onCut(parser.offset);
      break;
    }
    yield* parser.next(lexeme);
    if (parser.stack.length > maxNesting) throw new TooDeep(parser.offset);
  }
  yield* parser.end();
}

/** The failsafe schema leaves every scalar a text: 1890, 007 and no are not converted. */
const options = { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' } as const;

interface SyntaxFault {
  readonly line: number;
  readonly message: string;
}

interface YamlSyntax {
  readonly document: Document.Parsed;
  readonly lineOf: (offset: number) => number;
}

interface Attempt {
  readonly form?: YamlSyntax;
  readonly fault?: SyntaxFault;
  /** Where a second document begins. */
  readonly secondLine?: number;
  /** The last line that was read, where there are more. */
  readonly cutLine?: number;
}

/** Sentences for common mistakes; the others are reported with the parser’s own message. */
const sentences: Partial<Record<YAMLError['code'], string>> = {
  BAD_ALIAS: 'A text that begins with * needs quotes.',
  BAD_DQ_ESCAPE: 'In a text in double quotes, \\ has a meaning of its own; write it twice, or use single quotes.',
  BAD_INDENT: 'The indentation of this line fits none of the lines above.',
  BAD_SCALAR_START: 'A text that begins with @ or ` needs quotes.',
  BLOCK_AS_IMPLICIT_KEY:
    'This line has one colon too many, or the next is indented too far; a text with “: ” in it needs quotes.',
  BLOCK_IN_FLOW: 'Inside of brackets, indentation has no meaning; close the bracket or leave it out.',
  MISSING_CHAR: 'A quote, a bracket, a comma or a colon is missing.',
  MULTILINE_IMPLICIT_KEY: 'This line has no key; a key is followed by a colon and a space.',
  TAB_AS_INDENT: 'This line is indented with a tab; use spaces.',
};

/** The offset of the last scalar in the document, where a quote that is never closed begins. */
function lastOffset({ contents }: Document.Parsed): number | undefined {
  let node: unknown = contents;
  for (let depth = 0; depth < 2 * maxNesting && (isCollection(node) || isPair(node)); depth++) {
    node = isPair(node) ? (node.value ?? node.key) : node.items.at(-1);
  }
  return (node as { range?: readonly number[] | null } | null | undefined)?.range?.[0];
}

function faultOf(document: Document.Parsed, lineOf: (offset: number) => number): SyntaxFault | undefined {
  const [first] = document.errors.toSorted((a, b) => a.pos[0] - b.pos[0]);
  if (first === undefined) return undefined;
  if (first.code === 'MISSING_CHAR' && /closing .*quote/.test(first.message)) {
    return {
      line: lineOf(lastOffset(document) ?? first.pos[0]),
      message: 'The quote that opens here is never closed.',
    };
  }
  if (first.message.startsWith('Flow ')) {
    return { line: lineOf(first.pos[0]), message: 'A bracket or brace that opens before is not closed here.' };
  }
  return {
    line: lineOf(first.pos[0]),
    message: sentences[first.code] ?? `This can’t be read as YAML: ${quote(first.message)}.`,
  };
}

function attempt(text: string): Attempt {
  const lines = new LineCounter();
  const lineOf = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  let cut: number | undefined;
  const tokens = boundedTokens(text, lines, (offset) => {
    cut = offset;
  });
  try {
    const documents = new Composer(options).compose(tokens, true, text.length);
    const { value: document } = documents.next();
    if (document === undefined) return {};
    const { value: second } = documents.next();
    const fault = faultOf(document, lineOf);
    return {
      form: { document, lineOf },
      ...(fault === undefined ? {} : { fault }),
      ...(second ? { secondLine: lineOf(second.range[0]) } : {}),
      ...(cut === undefined ? {} : { cutLine: lineOf(cut) }),
    };
  } catch (error) {
    if (error instanceof TooDeep) {
      return { fault: { line: lineOf(error.offset), message: `More than ${maxNesting} levels are nested here.` } };
    }
    return { fault: { line: 0, message: 'The file can’t be read as YAML.' } };
  }
}

/** Parses YAML. A line with a syntax error is reported and left out, and the rest is parsed again. */
function readYamlSyntax(text: string, faults: Faults): YamlSyntax | undefined {
  const lines = text.split(/(?<=\n)/);
  const lastLine = lines.findLastIndex((line) => line.trim() !== '') + 1;
  const rounds = Math.min(maxRounds, Math.floor(maxReparsed / (text.length + 1)));
  let latest: Attempt = {};
  for (let round = 0; round <= rounds; round++) {
    latest = attempt(lines.join(''));
    if (latest.cutLine !== undefined) faults.addSyntax(latest.cutLine, tooMuch);
    if (latest.fault === undefined) break;
    const { message } = latest.fault;
    const line = Math.min(latest.fault.line, lastLine);
    faults.addSyntax(line, message);
    const faulty = lines[line - 1] ?? '';
    if (faulty.trim() === '') break;
    lines[line - 1] = faulty.endsWith('\n') ? '\n' : '';
  }
  if (latest.secondLine !== undefined) {
    faults.add(latest.secondLine, 'A line --- begins a second document; only the first one counts.');
  }
  return latest.form;
}

/** The largest number of nodes that aliases may expand to: enough for repeated texts, but not for an entity bomb. */
const maxAliased = 10_000;

class Tree {
  readonly #form: YamlSyntax;
  readonly #faults: Faults;
  /** The last node with each anchor, as far as the document has been read. */
  readonly #anchors = new Map<string, unknown>();
  #aliased = 0;
  #aliasDepth = 0;

  constructor(form: YamlSyntax, faults: Faults) {
    this.#form = form;
    this.#faults = faults;
  }

  valueOf(node: unknown, fallbackLine: number): Value {
    const line = this.#lineOf(node, fallbackLine);
    if (this.#aliasDepth > 0 && ++this.#aliased > maxAliased) {
      this.#faults.add(line, 'Aliases stand for too much here; the rest is left out.');
      return { kind: 'empty', line };
    }
    if (isAlias(node)) return this.#follow(node.source, line);
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor) this.#anchors.set(node.anchor, node);
    if (isMap(node)) return { kind: 'map', entries: node.items.flatMap((pair) => this.#entryOf(pair, line)), line };
    if (isSeq(node)) return { kind: 'list', items: node.items.map((item) => this.valueOf(item, line)), line };
    return isScalar(node) && !isNull(node) ? textValue(String(node.value), line) : { kind: 'empty', line };
  }

  #lineOf(node: unknown, fallback: number): number {
    const offset = isNode(node) ? node.range?.[0] : undefined;
    return offset === undefined ? fallback : this.#form.lineOf(offset);
  }

  #follow(name: string, line: number): Value {
    if (!this.#anchors.has(name)) {
      this.#faults.add(line, `There is no anchor ${quote(`&${name}`)} above; a text that begins with * needs quotes.`);
      return { kind: 'empty', line };
    }
    if (this.#aliased > maxAliased) return { kind: 'empty', line };
    if (this.#aliasDepth >= 5) {
      this.#faults.add(line, `The alias ${quote(`*${name}`)} leads to itself, or through too many others.`);
      return { kind: 'empty', line };
    }
    this.#aliasDepth++;
    const value = this.valueOf(this.#anchors.get(name), line);
    this.#aliasDepth--;
    return { ...value, line };
  }

  #entryOf(pair: Pair<unknown, unknown>, mapLine: number): readonly Entry[] {
    const key = this.valueOf(pair.key, mapLine);
    const value = this.valueOf(pair.value, key.line);
    if (key.kind === 'text') return [{ key: key.text, line: key.line, value }];
    this.#faults.add(key.line, `A key must be a text, not ${kindName(key)}.`);
    return [];
  }
}

/** `key:` and `key: ~` have no value; a quoted `~` is a text. */
const isNull = (scalar: { readonly value: unknown; readonly type?: unknown }): boolean =>
  scalar.type === 'PLAIN' && scalar.value === '~';

/** The keys of a YAML file; undefined where it has none. */
function keysOf(text: string, faults: Faults): MapValue | undefined {
  const form = readYamlSyntax(text, faults);
  if (form === undefined) return undefined;
  const root = new Tree(form, faults).valueOf(form.document.contents, 1);
  if (root.kind === 'map') return root;
  if (root.kind === 'empty') return undefined;
  const what = root.kind === 'text' ? `the text ${quote(root.text)}` : kindName(root);
  faults.add(root.line, `The file must consist of keys with values, such as label: Herbal; this is ${what}.`);
  return undefined;
}

/** The metadata in a YAML file. */
export function readYaml(
  text: string,
  pages: PageNames,
  jsonFiles: ReadonlySet<string>,
  faults: Faults,
): FolderMetadata {
  const map = keysOf(text, faults);
  // A line that can't be read may be one of a redaction, or hide one.
  const mayHide = !faults.isEmpty && mentionsRedactions(text);
  const metadata = map === undefined ? {} : readVocabulary(map, pages, jsonFiles, faults);
  return mayHide ? { ...metadata, redactions: unreadableRedactions } : metadata;
}
