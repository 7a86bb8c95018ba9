/**
 * Settings of the server, which it writes into a `meta` element of the page, and the token that a login leaves in the address
 * (digilib-viewer.md, `#id_token=`).
 */
import type { LanguageMap } from '../../../src/core/image/folder/folder-metadata.ts';
import { decodeText } from '../model/address/address-text.ts';
import type { ViewerTemplate } from '../model/cite/content-states.ts';
import type { ServerLimits } from '../model/cite/picture-address.ts';

interface PageSettings extends ServerLimits {
  readonly version: string;
  /** The name of the library; empty where it has none. */
  readonly name: LanguageMap;
  /** The address of the site's logo, relative to the base; null for Lectern's own. */
  readonly logo: string | null;
  /** The site's accent color in both themes, as CSS has it; null for the usual one. */
  readonly accent: { readonly light: string; readonly dark: string } | null;
  /** The site's surfaces in both themes by the names of their tokens, as CSS has them; null for the usual ones. */
  readonly paper: Readonly<Record<'light' | 'dark', Readonly<Record<string, string>>>> | null;
  /** The addresses of the site's own typefaces, relative to the base; null for those of the room. */
  readonly typefaces: { readonly headings: string | null; readonly text: string | null };
  /** What the site says at the end of its pages. */
  readonly footer: {
    readonly text: LanguageMap;
    readonly links: readonly { readonly label: LanguageMap; readonly address: string }[];
  };
  /** Replaces slashes in identifiers of IIIF addresses. */
  readonly iiifSlash: string;
  readonly tokenCookie: string;
  readonly showsTruncated: boolean;
  /** Whether people can sign in. */
  readonly signsIn: boolean;
  readonly viewers: readonly ViewerTemplate[];
  /** The hosts of which manifests and images may be loaded, as sources of a Content-Security-Policy; empty for none. */
  readonly manifests: readonly string[];
  /** The map below images that have a place on it; absent for none. */
  readonly baseMap?: BaseMap;
}

export interface BaseMap {
  /** With `{z}`, `{x}` and `{y}`. */
  readonly tiles: string;
  readonly attribution: string;
  readonly attributionAddress?: string;
  readonly maxZoom: number;
}

const defaults: PageSettings = {
  version: '',
  name: {},
  logo: null,
  accent: null,
  paper: null,
  typefaces: { headings: null, text: null },
  footer: { text: {}, links: [] },
  iiifSlash: '!',
  tokenCookie: 'id_token',
  showsTruncated: false,
  signsIn: false,
  viewers: [],
  manifests: [],
  maxArea: null,
  maxWidth: null,
  maxHeight: null,
};

function readSettings(): PageSettings {
  const content = document.querySelector<HTMLMetaElement>('meta[name="lectern"]')?.content;
  return content === undefined ? defaults : { ...defaults, ...(JSON.parse(content) as Partial<PageSettings>) };
}

export const pageSettings: PageSettings = readSettings();

/** The absolute base of all addresses of the server, with a slash at its end. */
export const baseAddress = (): string => new URL('./', document.baseURI).href;

export const opensManifests = pageSettings.manifests.length > 0;

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
