/** What the server says to the page in its head. */

/** Bounds of one picture, in pixels; null for none. */
export interface PictureLimits {
  readonly maxArea: number | null;
  readonly maxWidth: number | null;
  readonly maxHeight: number | null;
}

export interface PageSettings extends PictureLimits {
  readonly version: string;
  /** What stands for a slash in the identifiers of IIIF addresses. */
  readonly iiifSlash: string;
  /** The cookie in which the server looks for a login's token. */
  readonly tokenCookie: string;
}

const defaults: PageSettings = {
  version: '',
  iiifSlash: '!',
  tokenCookie: 'id_token',
  maxArea: null,
  maxWidth: null,
  maxHeight: null,
};

function readSettings(): PageSettings {
  const content = document.querySelector<HTMLMetaElement>('meta[name="lectern"]')?.content;
  return content === undefined ? defaults : { ...defaults, ...(JSON.parse(content) as Partial<PageSettings>) };
}

export const pageSettings: PageSettings = readSettings();

/** The address that everything of this server is below, with a slash at its end. */
export const baseAddress = (): string => new URL('./', document.baseURI).href;
