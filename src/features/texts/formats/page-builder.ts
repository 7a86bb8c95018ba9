/** What the readers of all formats share: decoding, XML as events, and the words of a page, collected within bounds. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Rect } from '../../../core/image/model/geometry.ts';
import {
  type SourceBlock,
  type SourceLine,
  type SourceWord,
  type TextDirection,
  wordsOfLine,
} from '../../../core/image/page-text/page-text.ts';
import { decodeXml, encodingOf } from '../../../core/parsing/encoding.ts';
import { createXmlParser, type XmlHandlers, XmlSyntaxError } from '../../../core/parsing/xml.ts';
import { charactersPerTurn, maxLineLength, maxWordLength, maxWords, TextFaultError } from './text-fault.ts';

export interface MutableLine extends Omit<SourceLine, 'words'> {
  words: SourceWord[];
}

export interface MutableBlock extends Omit<SourceBlock, 'lines'> {
  readonly id?: string;
  lines: MutableLine[];
}

/** The members that blocks and lines have alike, without those that are absent. */
export interface PlaceAndLanguage {
  readonly box: Rect | undefined;
  readonly language: string | undefined;
  readonly direction?: TextDirection | undefined;
}

/** An object without its absent members. */
export function present<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const found: Partial<T> = {};
  // Called for each word: lists of entries would take several times as long.
  for (const name in members) if (members[name] !== undefined) found[name] = members[name];
  return found as never;
}

export class PageBuilder {
  readonly blocks: MutableBlock[] = [];
  #words = 0;

  addBlock(members: PlaceAndLanguage & { readonly id?: string | undefined }): MutableBlock {
    const block = { ...present(members), lines: [] } as unknown as MutableBlock;
    this.blocks.push(block);
    return block;
  }

  /** Adds a line to a block; one outside of a block gets a block of its own. */
  addLine(block: MutableBlock | undefined, members: PlaceAndLanguage): MutableLine {
    const line = { ...present(members), words: [] } as unknown as MutableLine;
    (block ?? this.addBlock({ box: undefined, language: undefined })).lines.push(line);
    return line;
  }

  /** Adds a word that is not empty. Throws TextFaultError where a page has more words than a page can have. */
  addWord(line: MutableLine, { text: given, ...members }: { readonly text: string } & WordMembers): void {
    const text = given.replace(/\s+/gu, ' ').trim().slice(0, maxWordLength);
    if (text === '') return;
    if (++this.#words > maxWords) throw new TextFaultError(`The page has more than ${maxWords} words.`);
    line.words.push({ text, ...present(members) } as SourceWord);
  }
}

/** The words of the text of a line, with their boxes. Throws TextFaultError where it is too long. */
export function wordsIn(text: string, box: Rect | undefined, direction: TextDirection): readonly SourceWord[] {
  if (text.length > maxLineLength) throw new TextFaultError(`A line has more than ${maxLineLength} characters.`);
  return wordsOfLine(text, box, direction);
}

export interface WordMembers {
  readonly box?: Rect | undefined;
  readonly isShare?: true | undefined;
  readonly confidence?: number | undefined;
  readonly language?: string | undefined;
  readonly joined?: string | undefined;
}

/** A number of an attribute; undefined where it is none. */
export function numberOf(text: string | undefined): number | undefined {
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) && Math.abs(number) < 1e9 ? number : undefined;
}

/** A part of 1; undefined where a text is none. */
export function fractionOf(text: string | undefined, whole = 1): number | undefined {
  const number = numberOf(text);
  return number === undefined || number < 0 || number > whole ? undefined : number / whole;
}

/** UTF-16 without a byte order mark, where the first two characters are of ASCII. */
function unmarkedUtf16(bytes: Buffer): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return 'utf-16be';
  return a !== 0 && b === 0 && c !== 0 && d === 0 ? 'utf-16le' : undefined;
}

function decodeAs(bytes: Buffer, encoding: string): string {
  const text = decodeXml(bytes, encoding);
  if (typeof text === 'string') return text;
  throw new TextFaultError(text.message, text.line);
}

/** Throws TextFaultError for an encoding that is not read, and for bytes that are not of theirs. */
export const decodeMarkup = (bytes: Buffer): string => decodeAs(bytes, unmarkedUtf16(bytes) ?? encodingOf(bytes));

/** The text of a plain file: by its byte order mark, else UTF-8. Throws TextFaultError. */
export function decodePlain(bytes: Buffer): string {
  const marked = bytes[0] === 0xff || bytes[0] === 0xfe ? encodingOf(bytes) : undefined;
  return decodeAs(bytes, unmarkedUtf16(bytes) ?? marked ?? 'utf-8');
}

/** Rejects with TextFaultError at the first fault, also for one of a handler. */
export async function readXmlEvents(text: string, handlers: XmlHandlers): Promise<void> {
  const parser = createXmlParser(handlers);
  try {
    for (let at = 0; at < text.length; at += charactersPerTurn) {
      if (at > 0) await nextTurn();
      parser.write(text.slice(at, at + charactersPerTurn));
    }
    parser.close();
  } catch (error) {
    throw error instanceof XmlSyntaxError ? new TextFaultError(error.sentence, error.line) : error;
  }
}
