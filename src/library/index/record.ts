/** One fact in one line of text, with a checksum: what a crash or a disk has damaged is seen, and the next line is whole. */
import { createHash } from 'node:crypto';

const sumLength = 16;

/** `belonging` says what the line is kept for, so that a line in the wrong file is a damaged one. */
const sumOf = (belonging: string, text: string): string =>
  createHash('sha256').update(belonging).update('\0').update(text).digest('base64url').slice(0, sumLength);

/** The key of a name: JSON, so that it holds neither a tab nor the end of a line. */
export const keyOf = (name: string): string => JSON.stringify(name);

/** A line without its end. JSON holds no tab of its own, so that tabs part the three fields. */
export function formatRecord(belonging: string, key: string, fingerprint: string, value: unknown): string {
  const text = `${key}\t${fingerprint}\t${JSON.stringify(value)}`;
  return `${sumOf(belonging, text)} ${text}`;
}

/** The key of a line; undefined for one that is no record. Its checksum is not looked at. */
export function keyIn(line: string): string | undefined {
  const end = line.indexOf('\t', sumLength + 1);
  return line[sumLength] === ' ' && end > 0 ? line.slice(sumLength + 1, end) : undefined;
}

/** The value of a line; undefined where the line is damaged, or tells of another fingerprint. */
export function parseRecord(belonging: string, fingerprint: string, line: string): unknown {
  const text = line.slice(sumLength + 1);
  const [, found, json] = text.split('\t', 3);
  if (found !== fingerprint || json === undefined) return undefined;
  if (!line.startsWith(sumOf(belonging, text))) return undefined;
  return JSON.parse(json);
}
