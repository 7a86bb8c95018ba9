/** Compresses texts with a dictionary of an index's own words: a page alone is too short to be compressed well. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Deflate reads it anew for each page: with its 32 KiB, texts take 2 % less and twice the time. */
const dictionaryBytes = 16 * 1024;

/** Level 6 takes 2 % less and a quarter more time. */
const level = 4;

/** A dictionary is made from texts of at least this length. */
export const leastSampleLength = 500_000;

const mostTextBytes = 16 * 2 ** 20;

/** The most frequent words of some texts, the most frequent ones last: deflate refers to them in fewer bits. */
export function makeDictionary(texts: readonly string[]): Uint8Array {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const word of text.split(/[ \n]/)) if (word.length > 1) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const gain = ([word, count]: readonly [string, number]): number => (count - 1) * word.length;
  const words = [...counts].filter(([, count]) => count > 1).sort((a, b) => gain(b) - gain(a));
  let chosen = '';
  for (const [word] of words) {
    if (chosen.length > dictionaryBytes) break;
    chosen = `${word} ${chosen}`;
  }
  return Buffer.from(chosen).subarray(-dictionaryBytes);
}

/** An empty dictionary is none. */
export const compress = (text: string, dictionary: Uint8Array): Uint8Array =>
  deflateRawSync(text, { level, ...(dictionary.length > 0 ? { dictionary } : {}) });

/** Throws where the bytes are damaged or the dictionary is another one. */
export const decompress = (bytes: Uint8Array, dictionary: Uint8Array): string =>
  inflateRawSync(bytes, {
    maxOutputLength: mostTextBytes,
    ...(dictionary.length > 0 ? { dictionary } : {}),
  }).toString('utf8');
