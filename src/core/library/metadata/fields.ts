/** Reads the keys of a map from a closed list: repeated and unknown keys are faults. */
import { suggestion } from '../../text/nearest.ts';
import { enumerate, quote } from '../../text/quote.ts';
import type { Faults } from './faults.ts';
import type { Entry, MapValue, Value } from './value.ts';

/** The name in a list that equals a key except for case. */
export function canonicalName<Name extends string>(key: string, names: readonly Name[]): Name | undefined {
  const lower = key.toLowerCase();
  return names.find((name) => name.toLowerCase() === lower);
}

const unknownKey = (key: string, names: readonly string[]): string =>
  `${quote(key)} is no key that is known here${suggestion(key, names, quote) || `; known are ${enumerate(names)}.`}`;

/** Entries without those that repeat a key, each repetition a fault. */
export function* uniqueEntries(entries: readonly Entry[], faults: Faults): Generator<Entry> {
  const lines = new Map<string, number>();
  for (const entry of entries) {
    const { key, line } = entry;
    const first = lines.get(key);
    if (first === undefined) {
      lines.set(key, line);
      yield entry;
    } else faults.add(line, `${quote(key)} is given a second time; what line ${first} says counts.`);
  }
}

/** The values of a map by the names of a list, in the map's order. */
export function readFields<Name extends string>(
  map: MapValue,
  names: readonly Name[],
  faults: Faults,
): ReadonlyMap<Name, Value> {
  const listed: Entry[] = [];
  for (const entry of map.entries) {
    const name = canonicalName(entry.key, names);
    if (name === undefined) faults.add(entry.line, () => unknownKey(entry.key, names));
    else listed.push({ ...entry, key: name });
  }
  return new Map(Array.from(uniqueEntries(listed, faults), ({ key, value }) => [key as Name, value]));
}
