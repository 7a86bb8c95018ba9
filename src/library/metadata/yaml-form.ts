/** Parses YAML with a bound on its nesting; where a line is faulty, what the other lines say is still read. */
import { Composer, type Document, isCollection, isPair, Lexer, LineCounter, Parser, type YAMLError } from 'yaml';
import { quote } from '../../text/quote.ts';
import type { Faults } from './faults.ts';

/** The composer recurses, and a stack that runs out inside of it can end the process: nesting is bounded before it. */
const maxNesting = 100;

/** How many words and marks are read: enough for tens of thousands of pages, few enough to take some seconds at worst. */
const maxLexemes = 400_000;

const tooMuch = 'The file says too much, and is read up to here; for so many pages, write metadata.csv.';

/** How often a text is parsed anew without a faulty line, and how many characters that may cost in all. */
const maxRounds = 20;
const maxReread = 1024 * 1024;

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

/** The failsafe schema keeps every scalar as it was written: 1890, 007 and no stay what they look like. */
const options = { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' } as const;

interface Trouble {
  readonly line: number;
  readonly message: string;
}

export interface YamlForm {
  readonly document: Document.Parsed;
  readonly lineOf: (offset: number) => number;
}

interface Attempt {
  readonly form?: YamlForm;
  /** The first thing that is wrong. */
  readonly trouble?: Trouble;
  /** Where a second document begins. */
  readonly secondLine?: number;
  /** Up to where the text was read, where that is not its end. */
  readonly cutLine?: number;
}

/** Sentences for the mistakes that people make; the parser’s own words for the others. */
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

/** The place of the last scalar in the document, where a quote that is never closed was opened. */
function lastOffset({ contents }: Document.Parsed): number | undefined {
  let node: unknown = contents;
  for (let depth = 0; depth < 2 * maxNesting && (isCollection(node) || isPair(node)); depth++) {
    node = isPair(node) ? (node.value ?? node.key) : node.items.at(-1);
  }
  return (node as { range?: readonly number[] | null } | null | undefined)?.range?.[0];
}

function troubleOf(document: Document.Parsed, lineOf: (offset: number) => number): Trouble | undefined {
  const first = document.errors.reduce<YAMLError | undefined>(
    (earliest, error) => (earliest === undefined || error.pos[0] < earliest.pos[0] ? error : earliest),
    undefined,
  );
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
    const trouble = troubleOf(document, lineOf);
    return {
      form: { document, lineOf },
      ...(trouble === undefined ? {} : { trouble }),
      ...(second ? { secondLine: lineOf(second.range[0]) } : {}),
      ...(cut === undefined ? {} : { cutLine: lineOf(cut) }),
    };
  } catch (error) {
    if (error instanceof TooDeep) {
      return { trouble: { line: lineOf(error.offset), message: `More than ${maxNesting} levels are nested here.` } };
    }
    return { trouble: { line: 0, message: 'The file can’t be read as YAML.' } };
  }
}

/** Reads YAML; where a line is faulty, that line is reported and left out, and the rest is read anew. */
export function readYamlForm(text: string, faults: Faults): YamlForm | undefined {
  const lines = text.split(/(?<=\n)/);
  const lastLine = lines.findLastIndex((line) => line.trim() !== '') + 1;
  const rounds = Math.min(maxRounds, Math.floor(maxReread / (text.length + 1)));
  let latest: Attempt = {};
  for (let round = 0; round <= rounds; round++) {
    latest = attempt(lines.join(''));
    if (latest.cutLine !== undefined) faults.addSyntax(latest.cutLine, tooMuch);
    if (latest.trouble === undefined) break;
    const { message } = latest.trouble;
    const line = Math.min(latest.trouble.line, lastLine);
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
