/** Requests the units of length that the site has configured. */
import type { Unit, UnitList } from '../../../src/core/image/model/units.ts';
import { fetchJson } from './fetch.ts';

/** Empty on errors: all other units are available without them. */
export async function fetchSiteUnits(): Promise<readonly Unit[]> {
  const answer = await fetchJson<UnitList>('api/units.json');
  return answer.ok ? answer.value.units : [];
}
