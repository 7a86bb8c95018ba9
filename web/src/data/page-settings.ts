/** Settings of the server, which it writes into a `meta` element of the page. */
import type { LanguageMap } from '../../../src/core/image/folder/folder-metadata.ts';
import type { ServerLimits } from '../model/scaler-address.ts';
import type { ViewerTemplate } from '../model/viewer-links.ts';

export interface PageSettings extends ServerLimits {
  readonly version: string;
  /** The name of the library; empty where it has none. */
  readonly name: LanguageMap;
  /** The address of the site's logo, relative to the base; null for Lectern's own. */
  readonly logo: string | null;
  /** The site's accent color in both themes, as CSS has it; null for the usual one. */
  readonly accent: { readonly light: string; readonly dark: string } | null;
  /** Replaces slashes in identifiers of IIIF addresses. */
  readonly iiifSlash: string;
  /** The name of the cookie for the token of a login. */
  readonly tokenCookie: string;
  /** Whether the server shows what it can decode of truncated and damaged images. */
  readonly showsTruncated: boolean;
  /** Viewers of other sites that open manifests. */
  readonly viewers: readonly ViewerTemplate[];
  /** The hosts of which manifests and images may be loaded, as sources of a Content-Security-Policy; empty for none. */
  readonly manifests: readonly string[];
}

const defaults: PageSettings = {
  version: '',
  name: {},
  logo: null,
  accent: null,
  iiifSlash: '!',
  tokenCookie: 'id_token',
  showsTruncated: false,
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

/** Whether manifests of any other hosts may be opened. */
export const opensManifests = pageSettings.manifests.length > 0;
