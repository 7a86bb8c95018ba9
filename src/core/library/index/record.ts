/** One value in one line of text, with a checksum: damage by a crash or a disk is detected, and ends with the line. */
import { createHash } from 'node:crypto';

export const checksumLength = 16;

/** The checksum includes the id of the file, so that a line in the wrong file counts as damaged. */
const checksumOf = (fileId: string, text: string): string =>
  createHash('sha256').update(fileId).update('\0').update(text).digest('base64url').slice(0, checksumLength);

/** The key of a name: JSON, so that it contains neither a tab nor a line end. */
export const keyOf = (name: string): string => JSON.stringify(name);

/** A line without its end. JSON contains no tab, so tabs separate the three fields. */
export function formatRecord(fileId: string, key: string, fingerprint: string, value: unknown): string {
  const text = `${key}\t${fingerprint}\t${JSON.stringify(value)}`;
  return `${checksumOf(fileId, text)} ${text}`;
}

/** The key of a line; undefined for one that is no record. The checksum is not verified. */
export function keyIn(line: string): string | undefined {
  const end = line.indexOf('\t', checksumLength + 1);
  return line[checksumLength] === ' ' && end > 0 ? line.slice(checksumLength + 1, end) : undefined;
}

/** The value of a line; undefined where the line is damaged, or has another fingerprint. */
export function parseRecord(fileId: string, fingerprint: string, line: string): unknown {
  const text = line.slice(checksumLength + 1);
  const [, found, json] = text.split('\t', 3);
  if (found !== fingerprint || json === undefined) return undefined;
  if (!line.startsWith(checksumOf(fileId, text))) return undefined;
  return JSON.parse(json);
}
