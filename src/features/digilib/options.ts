/** The options of the `mo` parameter, in the order in which they print (digilib.md, section 2). */

/** Every option with its meaning. */
export const optionMeanings = {
  fit: 'one factor, so that the area fits inside dw x dh (the default mode)',
  squeeze: 'separate factors for x and y: fills dw x dh exactly',
  crop: 'with fit: the area’s longer side is cut, centered, to fill dw x dh',
  fill: 'with fit: the area grows, centered, to fill dw x dh as far as the image reaches',
  clip: 'no scaling: dw x dh pixels of the highest resolution from wx, wy',
  osize: 'true size on the display: display dpi / image dpi',
  ascale: 'the factor `scale` on the highest resolution',
  file: 'the original file',
  rawfile: 'the original file as a download',
  errtxt: 'errors as text',
  errimg: 'errors as a picture',
  errcode: 'errors as a status code alone',
  q0: 'fastest interpolation',
  q1: 'better interpolation',
  q2: 'good interpolation (the default)',
  q3: 'best interpolation',
  hires: 'read the highest resolution only',
  autores: 'read the smallest resolution that suffices (the default)',
  lores: 'read the largest resolution that is not bigger than needed',
  vmir: 'mirror top to bottom',
  hmir: 'mirror left to right',
  jpg: 'write JPEG',
  png: 'write PNG',
  webp: 'write WebP',
  pxarea: 'wx, wy, ww, wh are pixels of the highest resolution',
  sqarea: 'the centered square over the short side',
  info: 'the info.json of the image in place of a picture',
  redirect_info: 'redirects to the info.json of the image',
  dir: 'folder information without the list of files',
  deny_upscale: 'an error instead of a result larger than the image',
} as const;

export type Option = keyof typeof optionMeanings;

/** The options in their printing order. */
export const optionNames = Object.keys(optionMeanings) as readonly Option[];

/** Reads a comma-separated list; unknown options are dropped. */
export function parseOptions(text: string): ReadonlySet<Option> {
  const named = new Set(text.split(','));
  return new Set(optionNames.filter((name) => named.has(name)));
}

/** Prints options in their order, comma-separated. */
export const formatOptions = (options: ReadonlySet<Option>): string =>
  optionNames.filter((name) => options.has(name)).join(',');
