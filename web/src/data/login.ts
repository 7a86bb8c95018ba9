/** Stores the token that a login leaves in the address (digilib-viewer.md, `#id_token=`). */
import { decodeText } from '../model/query-pairs.ts';
import { pageSettings } from './page-settings.ts';

const tokenName = 'id_token';

/** Other parameters that a login adds to the fragment. */
const loginNames = ['access_token', 'token_type', 'expires_in', 'state', 'session_state', 'scope'];

/** In queries only these are removed: `state` and the like may have another meaning there. */
const secretNames: readonly string[] = [tokenName, 'access_token'];

const isSecret = (pair: string): boolean => secretNames.includes(decodeText(pair.split('=')[0] ?? '').toLowerCase());

function storeToken(token: string): void {
  // Other characters could end the value of the cookie; tokens do not contain them.
  if (!/^[\w.~+/=-]+$/.test(token)) return;
  const path = new URL('./', document.baseURI).pathname;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in all browsers, nor on plain HTTP.
  document.cookie = `${pageSettings.tokenCookie}=${token}; Path=${path}; SameSite=Lax${secure}`;
}

/** The rest of the query stays as it is written, since the positional form has no pairs. */
const withoutSecrets = (search: string): string => {
  const rest = search
    .slice(1)
    .split('&')
    .filter((pair) => !isSecret(pair));
  return rest.join('&') === '' ? '' : `?${rest.join('&')}`;
};

/** Stores the token in the cookie that the server reads, and removes it from the address, which readers copy. */
export function storeLoginToken(): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const query = new URLSearchParams(location.search);
  const token = fragment.get(tokenName) ?? query.get(tokenName);
  if (token !== null) storeToken(token);
  const search = withoutSecrets(location.search);
  if (!fragment.has(tokenName) && search === location.search) return;
  if (fragment.has(tokenName)) for (const name of [tokenName, ...loginNames]) fragment.delete(name);
  const rest = fragment.toString();
  history.replaceState(history.state, '', `${location.pathname}${search}${rest === '' ? '' : `#${rest}`}`);
}
