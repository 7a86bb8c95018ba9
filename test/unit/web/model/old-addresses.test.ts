import { describe, expect, it } from 'vitest';
import { formatRoute, parseRoute } from '../../../../web/src/model/address.ts';
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

const placeAt = (address: string) => parseRoute(partsOf(address));

describe('addresses of old viewers', () => {
  it.each(oldAddresses)('$address leads to its place', ({ address, place }) => {
    expect(placeAt(address)).toEqual(place);
  });

  it.each(oldAddresses)('$address becomes $today', ({ place, today }) => {
    expect(formatRoute(place)).toBe(today);
  });

  it.each(oldAddresses)('$today leads to the same place', ({ today, place }) => {
    expect(placeAt(today)).toEqual(place);
  });

  it('are addresses of every page that digilib has been shipped with', () => {
    const addresses = oldAddresses.map(({ address }) => partsOf(address).path);
    expect(oldPages.filter((page) => !addresses.includes(page))).toEqual([]);
    expect(oldAddresses.length).toBeGreaterThanOrEqual(60);
  });
});
