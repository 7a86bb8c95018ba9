/** An address in one text, taken apart as a browser does. */
import type { RoomAddress } from '../../../web/src/model/address.ts';

export function partsOf(address: string): RoomAddress {
  const [rest = '', ...fragment] = address.split('#');
  const [path = '', ...query] = rest.split('?');
  return { path, query: query.join('?'), fragment: fragment.join('#') };
}
