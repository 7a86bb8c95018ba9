/** The units of length that the site has added. */
import type { Unit, UnitList } from '../../../src/image/model/units.ts';
import { fetchJson } from './fetch.ts';

/** None where they can't be had: all others are there without them. */
export async function fetchSiteUnits(): Promise<readonly Unit[]> {
  const answer = await fetchJson<UnitList>('api/units.json');
  return answer.ok ? answer.value.units : [];
}
