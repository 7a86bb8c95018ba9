/** The image formats that are read and written: all facts of a format stand in its row, so that a new one can lack none. */

/** A format that files of the library may have. */
export type SourceFormat = 'jpeg' | 'png' | 'gif' | 'tiff' | 'webp' | 'jp2';

/** A format that derivatives are written in; also libvips' name of it. */
export type OutputFormat = 'jpeg' | 'png' | 'webp' | 'tiff' | 'gif' | 'avif';

interface FormatName {
  /** For people. */
  readonly name: string;
  readonly mediaType: string;
}

export const formatNames: Readonly<Record<SourceFormat | OutputFormat, FormatName>> = {
  jpeg: { name: 'JPEG', mediaType: 'image/jpeg' },
  png: { name: 'PNG', mediaType: 'image/png' },
  gif: { name: 'GIF', mediaType: 'image/gif' },
  tiff: { name: 'TIFF', mediaType: 'image/tiff' },
  webp: { name: 'WebP', mediaType: 'image/webp' },
  jp2: { name: 'JPEG 2000', mediaType: 'image/jp2' },
  avif: { name: 'AVIF', mediaType: 'image/avif' },
};

interface SourceRule {
  /** File name extensions, lower case, without the dot. */
  readonly extensions: readonly string[];
  /** What digilib writes when the request names no format (digilib.md, section 2, "jpg / png / webp"). */
  readonly defaultOutput: OutputFormat;
  /** Whether samples of more than 8 bits need not use all of their range (docs/decisions/0004-sample-ranges.md). */
  readonly openRange: boolean;
  /** The area in pixels above which a tile from the lower edge of a file without tiles takes more than about 25 ms. */
  readonly slowPixels: number;
}

/** Of JP2, JPX, JPH, and of code-streams without boxes. */
const jpeg2000Extensions = ['jp2', 'jpx', 'jpf', 'jph', 'j2k', 'j2c', 'jpc', 'jhc'];

/** The formats that the library reads (digilib.md, section 3). */
export const sourceFormats: Readonly<Record<SourceFormat, SourceRule>> = {
  jpeg: { extensions: ['jpg', 'jpeg'], defaultOutput: 'jpeg', openRange: false, slowPixels: 8e6 },
  png: { extensions: ['png'], defaultOutput: 'png', openRange: false, slowPixels: 3e6 },
  gif: { extensions: ['gif'], defaultOutput: 'png', openRange: false, slowPixels: 3e6 },
  tiff: { extensions: ['tif', 'tiff'], defaultOutput: 'png', openRange: true, slowPixels: 3e6 },
  webp: { extensions: ['webp'], defaultOutput: 'png', openRange: false, slowPixels: 3e6 },
  jp2: { extensions: jpeg2000Extensions, defaultOutput: 'jpeg', openRange: false, slowPixels: 1e6 },
};

interface OutputRule {
  /** File name extension without the dot, which is also IIIF's name of the format (Image API 3.0, section 4.5). */
  readonly extension: string;
  /** Whether decoding gives other pixels than were encoded. */
  readonly lossy: boolean;
  /** Whether transparency, gray pictures as such, and an ICC profile beside the pixels can be stored. */
  readonly holds: { readonly alpha: boolean; readonly gray: boolean; readonly profile: boolean };
  /**
   * The longest side in pixels that the format holds, or that its common writers and readers allow; and the largest area in
   * pixels, where writing costs so much that it has a bound of its own.
   */
  readonly max: { readonly side: number; readonly area: number };
  /** The options of sharp's encoder. A change needs another `rendererVersion`. */
  readonly encoder: Readonly<Record<string, string | number | boolean>>;
}

const unbounded = Number.POSITIVE_INFINITY;

/** The formats that derivatives are written in. */
export const outputFormats: Readonly<Record<OutputFormat, OutputRule>> = {
  jpeg: {
    extension: 'jpg',
    lossy: true,
    holds: { alpha: false, gray: true, profile: true },
    max: { side: 65_500, area: unbounded },
    encoder: { quality: 85, optimiseCoding: false },
  },
  png: {
    extension: 'png',
    lossy: false,
    holds: { alpha: true, gray: true, profile: true },
    max: { side: 1_000_000, area: unbounded },
    encoder: { compressionLevel: 3 },
  },
  webp: {
    extension: 'webp',
    lossy: true,
    holds: { alpha: true, gray: false, profile: true },
    max: { side: 16_383, area: unbounded },
    encoder: { quality: 80, effort: 2 },
  },
  tiff: {
    extension: 'tif',
    lossy: false,
    holds: { alpha: true, gray: true, profile: true },
    max: { side: 1_000_000, area: unbounded },
    encoder: { compression: 'deflate' },
  },
  gif: {
    extension: 'gif',
    lossy: false,
    holds: { alpha: true, gray: false, profile: false },
    max: { side: 65_535, area: 8_000_000 },
    encoder: { effort: 1 },
  },
  avif: {
    extension: 'avif',
    lossy: true,
    holds: { alpha: true, gray: false, profile: true },
    max: { side: 16_384, area: 16_000_000 },
    encoder: { quality: 55, effort: 0 },
  },
};

/**
 * Part of every cache key and ETag: it has to change when the same plan is rendered to other bytes, as with other options of
 * an encoder.
 */
export const rendererVersion = '4';

/** The extensions of images, in lower case. */
export const imageExtensions: ReadonlySet<string> = new Set(
  Object.values(sourceFormats).flatMap(({ extensions }) => extensions),
);

/** A file name without its last extension; a name that only begins with a dot has none. */
export function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Whether a file name has an extension of an image and does not start with a dot (digilib.md, section 3). */
export function isImageName(name: string): boolean {
  const dot = name.lastIndexOf('.');
  return dot > 0 && !name.startsWith('.') && imageExtensions.has(name.slice(dot + 1).toLowerCase());
}
