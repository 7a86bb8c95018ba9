/** Reads plain text: lines as they are, an empty line between blocks, a form feed between pages. */
import type { PlainBlocks, SourcePage } from '../../../core/image/page-text/page-text.ts';
import { maxPlainLength, maxWordLength, maxWords } from './limits.ts';
import { TextFaultError } from './text-fault.ts';

const cut = (word: string): string => (word.length > maxWordLength ? word.slice(0, maxWordLength) : word);

const wordsOf = (line: string): readonly string[] => line.split(/\s+/u).filter((word) => word !== '');

/** The words of a page of the file, by its number from 1; undefined where the file has fewer pages. Throws TextFaultError. */
export function plainBlocks(text: string, page: number): PlainBlocks | undefined {
  if (text.length > maxPlainLength) throw new TextFaultError(`The text is longer than ${maxPlainLength} characters.`);
  const own = text.split('\f')[page - 1]?.replace(/\r\n?/g, '\n');
  if (own === undefined) return undefined;
  let count = 0;
  const blocks = own.split(/\n[^\S\n]*\n/).map((block) =>
    block
      .split('\n')
      .map((line) => wordsOf(line).map(cut))
      .filter(({ length }) => {
        count += length;
        return length > 0;
      }),
  );
  if (count > maxWords) throw new TextFaultError(`The page has more than ${maxWords} words.`);
  return blocks.filter(({ length }) => length > 0);
}

/** The same as a page of text. */
export function readPlain(text: string, page: number): SourcePage | undefined {
  const blocks = plainBlocks(text, page);
  return (
    blocks && {
      unit: 'pixel',
      blocks: blocks.map((lines) => ({
        lines: lines.map((words) => ({ words: words.map((word) => ({ text: word })) })),
      })),
    }
  );
}
