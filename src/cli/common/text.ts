/** Texts of the commands: numbers as people read them, and paths on one line. */

/** A path on one line: a file name can hold any character. */
export const printable = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '�');

/** The message of an error, or whatever else was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** `1,234`. */
export const numberText = (value: number): string => value.toLocaleString('en');

/** `no images`, `1 image`, `1,234 images`. */
export const counted = (count: number, one: string, many: string): string =>
  `${count === 0 ? 'no' : numberText(count)} ${count === 1 ? one : many}`;

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** `640 bytes`, `25 MB`, `1.2 GB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

/** `0.8 s`, `42 s`, `3 min`, `5.5 h`. */
export function durationText(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
