/** The scale of the open image, and the unit for lengths. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Unit } from '../../../../src/core/image/model/units.ts';
import { fetchSiteUnits } from '../../data/fetch.ts';
import { scaleFromDpi } from '../../model/measure/extents.ts';
import type { ImageScale } from '../../model/measure/measure.ts';
import { allUnits, keyOf, suitableUnit, withOwnUnits } from '../../model/measure/units.ts';
import { storedSignal } from '../stored-preferences.ts';
import { resolution } from '../viewport.ts';
import { notes } from './notes.ts';

/** Pixels of the image per meter of the object; undefined where neither the reader nor the file gives a scale. */
export const imageScale: ReadonlySignal<ImageScale | undefined> = computed(
  () => notes.value.scale ?? (resolution.value && scaleFromDpi(resolution.value)),
);

const siteUnits = signal<readonly Unit[]>([]);

export const units: ReadonlySignal<readonly Unit[]> = computed(() => withOwnUnits(allUnits, siteUnits.value));

/** The units of the site, which are listed before all others. */
export const ownUnits: ReadonlySignal<readonly Unit[]> = siteUnits;

let requested = false;

/** Requests the units of the site, once. */
export function loadSiteUnits(): void {
  if (requested) return;
  requested = true;
  void fetchSiteUnits().then((found) => {
    siteUnits.value = found;
  });
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** `metric` and `imperial` choose a unit that suits the length; other values are keys of units. */
export const unitChoice = storedSignal<string>('unit', 'metric', isText);

/** Whether a choice lets the unit depend on the length. */
export const isAutomatic = (choice: string): boolean => choice === 'metric' || choice === 'imperial';

/** The unit in which to show a length. */
export function unitFor(meters: number): Unit {
  const choice = unitChoice.value;
  const chosen = units.value.find((unit) => keyOf(unit) === choice);
  return chosen ?? suitableUnit(meters, choice === 'imperial' ? 'imperial' : 'metric');
}
