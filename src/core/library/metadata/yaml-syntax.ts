/** Parses YAML with a bounded nesting depth; lines with a syntax error are left out, and the others are parsed. */
import { Composer, type Document, isCollection, isPair, Lexer, LineCounter, Parser, type YAMLError } from 'yaml';
import { quote } from '../../text/quote.ts';
import type { Faults } from './faults.ts';

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

export interface YamlSyntax {
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
export function readYamlSyntax(text: string, faults: Faults): YamlSyntax | undefined {
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
