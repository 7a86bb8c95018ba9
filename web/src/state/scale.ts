/** How large the thing on the open image is, and the unit in which the reader wants to read it. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Unit } from '../../../src/image/model/units.ts';
import { askSiteUnits } from '../data/units.ts';
import { type ImageScale, scaleFromDpi } from '../model/measure.ts';
import { allUnits, keyOf, suitableUnit, withOwnUnits } from '../model/units.ts';
import { notes } from './notes.ts';
import { storedSignal } from './stored.ts';
import { resolution } from './viewport.ts';

/** Pixels of the image for a meter of the thing; undefined where nobody has said. */
export const imageScale: ReadonlySignal<ImageScale | undefined> = computed(
  () => notes.value.scale ?? (resolution.value && scaleFromDpi(resolution.value)),
);

const siteUnits = signal<readonly Unit[]>([]);

export const units: ReadonlySignal<readonly Unit[]> = computed(() => withOwnUnits(allUnits, siteUnits.value));

/** The site's own units, which come before all others where they are listed. */
export const ownUnits: ReadonlySignal<readonly Unit[]> = siteUnits;

let asked = false;

/** Asks for the site's units, once. */
export function needSiteUnits(): void {
  if (asked) return;
  asked = true;
  void askSiteUnits().then((found) => {
    siteUnits.value = found;
  });
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** `metric` and `imperial` take the unit that suits the length; all else is the key of a unit. */
export const unitChoice = storedSignal<string>('unit', 'metric', isText);

/** The unit in which a length is said. */
export function unitFor(meters: number): Unit {
  const choice = unitChoice.value;
  const chosen = units.value.find((unit) => keyOf(unit) === choice);
  return chosen ?? suitableUnit(meters, choice === 'imperial' ? 'imperial' : 'metric');
}
