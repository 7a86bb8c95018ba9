/** The type of `units.json`: the units of length that a site adds to those of the reading room. The web package imports the types alone. */
import * as z from 'zod';

export type Unit = z.infer<typeof unit>;
const unit = z
  .strictObject({
    name: z.string(),
    plural: z.string().exactOptional().describe('The name after other numbers than 1; without it, the name.'),
    symbol: z.string().exactOptional().describe('A short form that follows a number; without it, the name does.'),
    place: z.string().exactOptional().describe('Where it was used, or by whom; absent for units of today.'),
    meters: z.number().positive(),
    source: z.string().exactOptional().describe('Where the length comes from.'),
  })
  .readonly();

/** The answer of `GET {base_url}/api/units.json`. */
export type UnitList = z.infer<typeof unitList>;
export const unitList = z.strictObject({ units: z.array(unit).readonly() }).readonly();
