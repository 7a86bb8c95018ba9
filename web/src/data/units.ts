/** The units of length that the site has added. */

import type { Unit } from '../model/unit-table.ts';
import { parseUnits } from '../model/units.ts';
import { ask } from './ask.ts';

/** None where the site has none, or they can't be had: all others are there without them. */
export async function askSiteUnits(): Promise<readonly Unit[]> {
  const answer = await ask<unknown>('api/units.json');
  return answer.ok ? parseUnits(JSON.stringify(answer.value)).units : [];
}
