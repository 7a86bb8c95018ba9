/** Takes the token that a login leaves in the address (digilib-viewer.md, `#id_token=`). */

const cookieName = 'id_token';

/** Keeps the token as the cookie that the server reads, and takes it out of the address, which people copy. */
export function takeToken(): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get('id_token');
  if (token === null) return;
  const path = new URL('./', document.baseURI).pathname;
  // A token holds nothing that would end the cookie's value; what does is no token.
  if (/^[\w.~+/=-]+$/.test(token)) {
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in all browsers, nor on plain HTTP.
    document.cookie = `${cookieName}=${token}; Path=${path}; SameSite=Lax${secure}`;
  }
  for (const name of ['id_token', 'access_token', 'token_type', 'expires_in', 'state', 'session_state', 'scope'])
    fragment.delete(name);
  const rest = fragment.toString();
  history.replaceState(history.state, '', `${location.pathname}${location.search}${rest === '' ? '' : `#${rest}`}`);
}
