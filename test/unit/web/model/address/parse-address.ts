/** Splits an address into path, query and fragment, as a browser does. */
import type { RouteAddress } from '../../../../../web/src/model/address/address.ts';

export function partsOf(address: string): RouteAddress {
  const [rest = '', ...fragment] = address.split('#');
  const [path = '', ...query] = rest.split('?');
  return { path, query: query.join('?'), fragment: fragment.join('#') };
}
