import { describe, expect, it } from 'vitest';
import { formatRoute, parseRoute } from '../../../../../web/src/model/address/address.ts';
import { oldAddresses } from './old-address-rows.ts';
import { partsOf } from './parse-address.ts';

const oldPages = [
  'digilib.html',
  'jquery/digilib.html',
  'embedded.html',
  'jquery/digicat.html',
  'digicat.html',
  'digicat.jsp',
  'greyskin/digilib.html',
  'greyskin/diginew.jsp',
  'oldskin/digilib.html',
  'oldskin/digilib.jsp',
  'oldskin/digimage.jsp',
  'oldskin/digicat.jsp',
];

const routeAt = (address: string) => parseRoute(partsOf(address));

describe('addresses of old viewers', () => {
  it.each(oldAddresses)('$address is parsed to its route', ({ address, route }) => {
    expect(routeAt(address)).toEqual(route);
  });

  it.each(oldAddresses)('$address is formatted as $current', ({ route, current }) => {
    expect(formatRoute(route)).toBe(current);
  });

  it.each(oldAddresses)('$current is parsed to the same route', ({ current, route }) => {
    expect(routeAt(current)).toEqual(route);
  });

  it('are addresses of every page that digilib has been shipped with', () => {
    const addresses = oldAddresses.map(({ address }) => partsOf(address).path);
    expect(oldPages.filter((page) => !addresses.includes(page))).toEqual([]);
    expect(oldAddresses.length).toBeGreaterThanOrEqual(60);
  });
});
