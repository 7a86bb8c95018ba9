/** Reads the file of a site's own units of length (setting `readingRoom.units`). */
import { readFileSync } from 'node:fs';
import type { Unit } from '../../core/image/model/units.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../core/parsing/parse.ts';

/** The units of a file, and a sentence for each entry that is wrong. */
export interface UnitsFile {
  readonly units: readonly Unit[];
  readonly faults: readonly string[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const optionalTexts = ['place', 'symbol', 'source'] as const;

/** One entry, or a sentence on what is wrong with it. */
function parseUnit(entry: unknown, index: number): Unit | string {
  const members: JsonObject = isJsonObject(entry) ? entry : {};
  const name = textOf(members['name']);
  if (name === '') return `Unit ${index + 1} has no name.`;
  const { meters } = members;
  if (typeof meters !== 'number' || !(meters > 0))
    return `Unit ${index + 1} (“${name}”) needs “meters”, a number above 0.`;
  const wrong = optionalTexts.find((member) => !['string', 'undefined'].includes(typeof members[member]));
  if (wrong !== undefined) return `Unit ${index + 1} (“${name}”) has a “${wrong}” that is no text.`;
  const texts = optionalTexts.map((member) => [member, textOf(members[member])] as const);
  return { name, meters, ...Object.fromEntries(texts.filter(([, text]) => text !== '')) };
}

/** Reads a site's file: `{ "units": [{ "name": "Elle", "place": "Ulm", "meters": 0.568 }] }`. */
export function parseUnits(text: string): UnitsFile {
  const members = parseJsonObject(text);
  if (members === undefined) return { units: [], faults: ['The file of units is no JSON object.'] };
  const { units: entries } = members;
  if (!Array.isArray(entries)) return { units: [], faults: ['The file of units needs a list “units”.'] };
  const parsed = entries.map(parseUnit);
  return {
    units: parsed.filter((unit) => typeof unit !== 'string'),
    faults: parsed.filter((unit) => typeof unit === 'string'),
  };
}

/** Reads a file; one that can't be read has this as its only fault. */
export function readUnitsFile(file: string): UnitsFile {
  try {
    return parseUnits(readFileSync(file, 'utf8'));
  } catch {
    return { units: [], faults: [`there is no file ${file} that can be read`] };
  }
}
