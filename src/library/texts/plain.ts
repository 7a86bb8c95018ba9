/** Reads plain text: lines as they are, an empty line between blocks, a form feed between pages. */
import { wordsOfLine } from '../../image/page-text/line-words.ts';
import type { SourcePage } from '../../image/page-text/source-page.ts';
import { maxPlainLength } from './limits.ts';
import { PageBuilder } from './page-builder.ts';
import { TextFaultError } from './text-fault.ts';

/** The text of a page of the file, by its number from 1; undefined where the file has fewer pages. Throws TextFaultError. */
export function readPlain(text: string, page: number): SourcePage | undefined {
  if (text.length > maxPlainLength) throw new TextFaultError(`The text is longer than ${maxPlainLength} characters.`);
  const own = text.split('\f')[page - 1]?.replace(/\r\n?/g, '\n');
  if (own === undefined) return undefined;
  const builder = new PageBuilder();
  for (const block of own.split(/\n[^\S\n]*\n/)) {
    const lines = block.split('\n').filter((line) => line.trim() !== '');
    if (lines.length === 0) continue;
    const added = builder.addBlock({ box: undefined, language: undefined });
    for (const line of lines) {
      const target = builder.addLine(added, { box: undefined, language: undefined });
      for (const word of wordsOfLine(line, undefined, 'ltr')) builder.addWord(target, word);
    }
  }
  return { unit: 'pixel', blocks: builder.blocks };
}
