/** The networks to which costs are counted: nothing that is kept names one person's machine. */

/** The network of a client's key (`clientKeyOf`): 24 bits of an IPv4 address, 48 of an IPv6 address. */
export function networkOf(clientKey: string): string {
  if (clientKey.includes(':')) return `${clientKey.split(':').slice(0, 3).join(':')}::/48`;
  const end = clientKey.lastIndexOf('.');
  return end < 0 ? clientKey : `${clientKey.slice(0, end)}.0/24`;
}
