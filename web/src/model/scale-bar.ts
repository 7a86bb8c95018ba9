/** The length of a scale bar: a round number of a unit. */

export interface ScaleBar {
  readonly meters: number;
  /** Of the length that was available, from 0 to 1. */
  readonly share: number;
}

/** The longest of 1, 2 and 5 times a power of ten units that is at most `available` meters; undefined without length. */
export function scaleBarWithin(available: number, metersPerUnit: number): ScaleBar | undefined {
  const units = available / metersPerUnit;
  if (!(units > 0) || !Number.isFinite(units)) return undefined;
  const power = 10 ** Math.floor(Math.log10(units));
  const round = [5, 2, 1].find((factor) => factor * power <= units * (1 + 1e-9)) ?? 1;
  return { meters: round * power * metersPerUnit, share: (round * power) / units };
}
