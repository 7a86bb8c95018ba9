// The addresses of the simulation: the crawlers' in their networks, the university's, the readers' and the harvester's.

/** The university: a network in which many crawlers and one reader are. */
export const universityCrawlers = 200;
const university = '198.18.0';

const ipv4 = (network, host) => `100.${64 + (network >> 8)}.${network & 255}.${host + 1}`;
const ipv6 = (network, host) => `2001:db8:${network.toString(16)}:${host.toString(16)}::1`;

/** One network in ten is of IPv6: a /48, in which each address has a /64 of its own. */
const addressIn = (network, host) => (network % 10 === 9 ? ipv6(network, host) : ipv4(network, host));

/** So many addresses in so many networks; the first network is the university's. */
export function crawlerAddresses(addresses, networks) {
  const inUniversity = Math.min(universityCrawlers, Math.floor(addresses / 4));
  const first = Array.from({ length: inUniversity }, (_, host) => `${university}.${host + 1}`);
  const others = Array.from({ length: addresses - inUniversity }, (_, index) => {
    const network = index % (networks - 1);
    return addressIn(network, Math.floor(index / (networks - 1)));
  });
  return [...first, ...others];
}

/** The address of a reader; the first one is in the university's network, the others in networks of their own. */
export const readerAddress = (reader) => (reader === 0 ? `${university}.250` : `198.51.${reader}.77`);

export const harvesterAddress = '203.0.113.9';

/** The address from which the capacity is measured. */
export const measuringAddress = '203.0.113.200';
