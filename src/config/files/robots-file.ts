/** Reads the list of robots that gather what models are trained with (setting `robots.trainingRobots`). */
import { readFileSync } from 'node:fs';

/** The names of a file and its date, and a sentence for each line that is wrong. */
export interface RobotsFile {
  /** As `2026-11-26`; empty where the file says none. */
  readonly date: string;
  readonly names: readonly string[];
  readonly faults: readonly string[];
}

/** More names would make `robots.txt` longer than crawlers read it (RFC 9309, section 2.5: 500 KiB). */
const mostNames = 2000;

/** Product tokens (RFC 9309, section 2.2.1), and those with digits, dots and spaces that operators name. */
const isName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$/.test(text);

const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;

/** A line with `date:`, and one for each name; empty lines and those that begin with `#` say nothing. */
export function parseRobotsFile(text: string): RobotsFile {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'));
  const dates = lines.filter(({ line }) => /^date:/i.test(line)).map(({ line }) => line.slice(5).trim());
  const named = lines.filter(({ line }) => !/^date:/i.test(line));
  const [date = ''] = dates;
  const faults = [
    ...(dates.length === 1 && isDate(date) ? [] : ['The list of robots needs one line such as “date: 2026-11-26”.']),
    ...(named.length === 0 ? ['The list of robots names none.'] : []),
    ...(named.length > mostNames ? [`The list of robots has more than ${mostNames} names.`] : []),
    ...named
      .filter(({ line }) => !isName(line))
      .map(({ number }) => `Line ${number} of the list of robots is no name: letters, digits, spaces and . _ - only.`),
  ];
  return { date, names: [...new Set(named.map(({ line }) => line))], faults };
}

/** Reads a file; one that can't be read has this as its only fault. */
export function readRobotsFile(file: string | URL): RobotsFile {
  try {
    return parseRobotsFile(readFileSync(file, 'utf8'));
  } catch {
    return { date: '', names: [], faults: [`there is no file ${String(file)} that can be read`] };
  }
}
