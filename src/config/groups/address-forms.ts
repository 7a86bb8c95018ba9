/** The forms in which settings write client and proxy addresses. */
import { isIP } from 'node:net';

/** Whether a text is an address or a CIDR range, of IPv4 or IPv6. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

const isByte = (text: string): boolean => /^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 255;

/** Whether a text is the first parts of an IPv4 address, as digilib writes them: `130.92`. */
function isIPv4Prefix(text: string): boolean {
  const parts = text.replace(/\.$/, '').split('.');
  return parts.length <= 3 && parts.every(isByte);
}

/** Whether a text is the first groups of an IPv6 address. A single group needs its colon: `1300` is more likely a typo. */
const isIPv6Prefix = (text: string): boolean =>
  /^[0-9a-f]{1,4}:(?:[0-9a-f]{1,4}:){0,5}(?:[0-9a-f]{1,4})?:?$/i.test(text);

/** Whether a text is an address, a CIDR range, or the first parts of an address. */
export const isAddressPattern = (text: string): boolean =>
  isAddressRange(text) || isIPv4Prefix(text) || isIPv6Prefix(text);
