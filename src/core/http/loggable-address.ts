/** Addresses as logs may hold them: without tokens. */
import { decodeFormText } from '../text/parse.ts';

/** A signed token (RFC 7519), under whatever name it was sent. */
const jsonWebToken = /eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g;

const namesToken = (text: string): boolean => /token/i.test(decodeFormText(text));

/** A query's parameter without its value, where its name or value speaks of a token in any case or encoding. */
const withoutValue = (parameter: string): string =>
  namesToken(parameter) ? `${/^[\w-]+(?==)/.exec(parameter)?.[0] ?? ''}=…` : parameter;

/** An address without what may hold credentials as a whole: the fragment, and a user before the host. */
const withoutCredentials = (address: string): string =>
  address.replace(/#.*/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?]*@/i, '$1');

/** A request target or a referring address without its tokens. */
export function loggableAddress(address: string): string {
  const [path = '', ...query] = withoutCredentials(address).split('?');
  const shownPath = path.replace(jsonWebToken, '…');
  if (query.length === 0) return shownPath;
  const text = query.join('?').replace(jsonWebToken, '…');
  if (!namesToken(text)) return `${shownPath}?${text}`;
  const shown = text.split(/([&;])/).map((part) => (part.length > 1 ? withoutValue(part) : part));
  return `${shownPath}?${shown.join('')}`;
}
