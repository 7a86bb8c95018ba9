/** Reads WebVTT (and SubRip, which is nearly the same) as lines with their times. */

export interface Cue {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Who speaks, where the file says. */
  readonly voice: string;
}

/** Bounds: a day of speech has some 20,000 lines. */
const limits = { cues: 50_000, text: 2000, file: 8_000_000 };

const timing = /^\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})\s*-->\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})/;

const seconds = (text: string): number =>
  text
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0);

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
};

/** Without tags, which name voices, languages, classes, and times within the line. */
const plain = (text: string): string =>
  text
    .replace(/<[^<>]*>/g, '')
    .replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/[ \t]+/g, ' ')
    .trim();

const voiceIn = (text: string): string => plain(/<v(?:\.[^\s<>]*)?\s+([^<>]+)>/.exec(text)?.[1] ?? '');

function cueOf(block: string): readonly Cue[] {
  const lines = block.split('\n');
  // The line before the times may be the name of the cue.
  const at = lines.slice(0, 2).findIndex((line) => timing.test(line));
  const [, start, end] = timing.exec(lines[at] ?? '') ?? [];
  if (start === undefined || end === undefined) return [];
  const written = lines
    .slice(at + 1)
    .join('\n')
    .slice(0, limits.text);
  const [from, to, text] = [seconds(start), seconds(end), plain(written)];
  return text === '' || !(to > from) ? [] : [{ from, to, text, voice: voiceIn(written) }];
}

/** The lines of a file in the order of their times; those that can't be read are left out. */
export function parseCaptions(file: string): readonly Cue[] {
  const text = file
    .slice(0, limits.file)
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n');
  const blocks = text.split(/\n{2,}/).slice(0, 2 * limits.cues);
  return blocks
    .flatMap(cueOf)
    .slice(0, limits.cues)
    .toSorted((one, other) => one.from - other.from);
}

/** The index of the last line that has begun at a time; -1 before the first. */
export function lineAt(cues: readonly Pick<Cue, 'from'>[], time: number): number {
  let [low, high] = [0, cues.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cues[middle]?.from ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The lines that are shown at a time, in their order; few overlap, so that only those just before are looked at. */
export function linesShown(cues: readonly Cue[], time: number): readonly Cue[] {
  const last = lineAt(cues, time);
  return cues.slice(Math.max(0, last - 3), last + 1).filter(({ to }) => time < to);
}
