/** Names the gap between two columns by its ratio to their diameter, as Vitruvius does (De architectura 3.3). */

/** Temple types by the gap in column diameters; araeostyle is everything wider than diastyle. */
const types = [
  { name: 'pycnostyle', diameters: 1.5 },
  { name: 'systyle', diameters: 2 },
  { name: 'eustyle', diameters: 2.25 },
  { name: 'diastyle', diameters: 3 },
  { name: 'araeostyle', diameters: 3.5 },
] as const;

export type TempleType = (typeof types)[number]['name'];

/** The narrowest gap that is given a name, in column diameters. */
const narrowest = 1.25;

/** The type whose gap is nearest; undefined for gaps much narrower than Vitruvius' narrowest. */
export function templeTypeOf(diameters: number): TempleType | undefined {
  if (!(diameters >= narrowest)) return undefined;
  return types.reduce((best, one) =>
    Math.abs(one.diameters - diameters) < Math.abs(best.diameters - diameters) ? one : best,
  ).name;
}
