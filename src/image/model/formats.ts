/** The image formats that are read and written: all facts of a format stand in its row, so that a new one can lack none. */

/** A format that files of the library may have. */
export type SourceFormat = 'jpeg' | 'png' | 'gif' | 'tiff' | 'webp' | 'jp2';

/** A format that derivatives are written in; also libvips' name of it. */
export type OutputFormat = 'jpeg' | 'png' | 'webp' | 'tiff' | 'gif' | 'avif';

interface SourceRule {
  /** For people. */
  readonly name: string;
  readonly mediaType: string;
  /** File name extensions, lower case, without the dot. */
  readonly extensions: readonly string[];
  /** What digilib writes when the request names no format (digilib.md, section 2, "jpg / png / webp"). */
  readonly defaultOutput: OutputFormat;
  /** Whether the pixels can be decoded; where not, the header is described and a rendering answers 501. */
  readonly decodable: boolean;
  /** Whether samples of more than 8 bits need not use all of their range (docs/decisions/0004-sample-ranges.md). */
  readonly openRange: boolean;
  /** The area in pixels above which a tile from the lower edge of a file without tiles takes more than about 25 ms. */
  readonly slowPixels: number;
}

/** The formats that the library reads (digilib.md, section 3). */
export const sourceFormats: Readonly<Record<SourceFormat, SourceRule>> = {
  jpeg: {
    name: 'JPEG',
    mediaType: 'image/jpeg',
    extensions: ['jpg', 'jpeg'],
    defaultOutput: 'jpeg',
    decodable: true,
    openRange: false,
    slowPixels: 8_000_000,
  },
  png: {
    name: 'PNG',
    mediaType: 'image/png',
    extensions: ['png'],
    defaultOutput: 'png',
    decodable: true,
    openRange: false,
    slowPixels: 3_000_000,
  },
  gif: {
    name: 'GIF',
    mediaType: 'image/gif',
    extensions: ['gif'],
    defaultOutput: 'png',
    decodable: true,
    openRange: false,
    slowPixels: 3_000_000,
  },
  tiff: {
    name: 'TIFF',
    mediaType: 'image/tiff',
    extensions: ['tif', 'tiff'],
    defaultOutput: 'png',
    decodable: true,
    openRange: true,
    slowPixels: 3_000_000,
  },
  webp: {
    name: 'WebP',
    mediaType: 'image/webp',
    extensions: ['webp'],
    defaultOutput: 'png',
    decodable: true,
    openRange: false,
    slowPixels: 3_000_000,
  },
  jp2: {
    name: 'JPEG 2000',
    mediaType: 'image/jp2',
    extensions: ['jp2'],
    defaultOutput: 'jpeg',
    decodable: false,
    openRange: false,
    slowPixels: 3_000_000,
  },
};

interface OutputRule {
  /** For people. */
  readonly name: string;
  readonly mediaType: string;
  /** File name extension without the dot, which is also IIIF's name of the format (Image API 3.0, section 4.5). */
  readonly extension: string;
  /** Whether decoding gives other pixels than were encoded. */
  readonly lossy: boolean;
  /** Whether transparent pixels survive. */
  readonly alpha: boolean;
  /** Whether gray pictures are stored as such, and not as RGB. */
  readonly gray: boolean;
  /** Whether an ICC profile can be stored beside the pixels. */
  readonly profile: boolean;
  /** The longest side in pixels that the format holds, or that its common writers and readers allow. */
  readonly maxSide: number;
  /** The largest area in pixels, where writing costs so much that it has a bound of its own. */
  readonly maxArea: number;
  /** The options of sharp's encoder. A change needs another `rendererVersion`. */
  readonly encoder: Readonly<Record<string, string | number | boolean>>;
}

const unbounded = Number.POSITIVE_INFINITY;

/** The formats that derivatives are written in. */
export const outputFormats: Readonly<Record<OutputFormat, OutputRule>> = {
  jpeg: {
    name: 'JPEG',
    mediaType: 'image/jpeg',
    extension: 'jpg',
    lossy: true,
    alpha: false,
    gray: true,
    profile: true,
    maxSide: 65_500,
    maxArea: unbounded,
    encoder: { quality: 85, optimiseCoding: false },
  },
  png: {
    name: 'PNG',
    mediaType: 'image/png',
    extension: 'png',
    lossy: false,
    alpha: true,
    gray: true,
    profile: true,
    maxSide: 1_000_000,
    maxArea: unbounded,
    encoder: { compressionLevel: 3 },
  },
  webp: {
    name: 'WebP',
    mediaType: 'image/webp',
    extension: 'webp',
    lossy: true,
    alpha: true,
    gray: false,
    profile: true,
    maxSide: 16_383,
    maxArea: unbounded,
    encoder: { quality: 80, effort: 2 },
  },
  tiff: {
    name: 'TIFF',
    mediaType: 'image/tiff',
    extension: 'tif',
    lossy: false,
    alpha: true,
    gray: true,
    profile: true,
    maxSide: 1_000_000,
    maxArea: unbounded,
    encoder: { compression: 'deflate' },
  },
  gif: {
    name: 'GIF',
    mediaType: 'image/gif',
    extension: 'gif',
    lossy: false,
    alpha: true,
    gray: false,
    profile: false,
    maxSide: 65_535,
    maxArea: 8_000_000,
    encoder: { effort: 1 },
  },
  avif: {
    name: 'AVIF',
    mediaType: 'image/avif',
    extension: 'avif',
    lossy: true,
    alpha: true,
    gray: false,
    profile: true,
    maxSide: 16_384,
    maxArea: 16_000_000,
    encoder: { quality: 55, effort: 0 },
  },
};

/**
 * Part of every cache key and ETag: it has to change when the same plan is rendered to other bytes, as with other options of
 * an encoder.
 */
export const rendererVersion = '2';

const imageExtensions: ReadonlySet<string> = new Set(Object.values(sourceFormats).flatMap((rule) => rule.extensions));

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
