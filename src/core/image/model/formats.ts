/** The image formats that are read and written: all facts of a format stand in its row, so that a new one can lack none. */

/** How files of the library in a format are read. */
interface SourceRule {
  /** File name extensions, lower case, without the dot. */
  readonly extensions: readonly string[];
  /** What digilib writes when the request names no format (digilib.md, section 2, "jpg / png / webp"). */
  readonly defaultOutput: 'jpeg' | 'png';
  /** Whether samples of more than 8 bits need not use all of their range (docs/decisions/0004-sample-ranges.md). */
  readonly openRange: boolean;
  /** The area in pixels above which a tile from the lower edge of a file without tiles takes more than about 25 ms. */
  readonly slowPixels: number;
  /** ms to decode a megapixel; JPEG 2000 is estimated from its code-blocks. */
  readonly decodingMs: number;
}

/** How derivatives in a format are written. */
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
  /** What writing costs; measured (docs/reference/measurements.md, “Estimated costs”). */
  readonly cost: {
    /** ms to encode a megapixel. */
    readonly ms: number;
    /** Bytes of memory for each pixel: those that the encoder needs for the whole picture, and those of the file. */
    readonly held: number;
    readonly written: number;
    /** Bytes of the file for each pixel of a scan, on the safe side: grain and text make larger files than smooth areas. */
    readonly atMost: number;
  };
}

interface FormatRow {
  /** For people. */
  readonly name: string;
  readonly mediaType: string;
  /** Absent where no files of this format are read (digilib.md, section 3), or written. */
  readonly source?: SourceRule;
  readonly output?: OutputRule;
}

const unbounded = Number.POSITIVE_INFINITY;

/** All formats by libvips' name of them. */
const formats = {
  jpeg: {
    name: 'JPEG',
    mediaType: 'image/jpeg',
    source: { extensions: ['jpg', 'jpeg'], defaultOutput: 'jpeg', openRange: false, slowPixels: 8e6, decodingMs: 3 },
    output: {
      extension: 'jpg',
      lossy: true,
      holds: { alpha: false, gray: true, profile: true },
      max: { side: 65_500, area: unbounded },
      encoder: { quality: 85, optimiseCoding: false },
      cost: { ms: 5, held: 0, written: 0.3, atMost: 1 },
    },
  },
  png: {
    name: 'PNG',
    mediaType: 'image/png',
    source: { extensions: ['png'], defaultOutput: 'png', openRange: false, slowPixels: 3e6, decodingMs: 6 },
    output: {
      extension: 'png',
      lossy: false,
      holds: { alpha: true, gray: true, profile: true },
      max: { side: 1_000_000, area: unbounded },
      encoder: { compressionLevel: 3 },
      cost: { ms: 20, held: 0, written: 1, atMost: 3 },
    },
  },
  webp: {
    name: 'WebP',
    mediaType: 'image/webp',
    source: { extensions: ['webp'], defaultOutput: 'png', openRange: false, slowPixels: 3e6, decodingMs: 25 },
    output: {
      extension: 'webp',
      lossy: true,
      holds: { alpha: true, gray: false, profile: true },
      max: { side: 16_383, area: unbounded },
      encoder: { quality: 80, effort: 2 },
      cost: { ms: 45, held: 4.5, written: 0.3, atMost: 1 },
    },
  },
  tiff: {
    name: 'TIFF',
    mediaType: 'image/tiff',
    source: { extensions: ['tif', 'tiff'], defaultOutput: 'png', openRange: true, slowPixels: 3e6, decodingMs: 8 },
    output: {
      extension: 'tif',
      lossy: false,
      holds: { alpha: true, gray: true, profile: true },
      max: { side: 1_000_000, area: unbounded },
      encoder: { compression: 'deflate' },
      cost: { ms: 20, held: 0, written: 1, atMost: 3 },
    },
  },
  gif: {
    name: 'GIF',
    mediaType: 'image/gif',
    source: { extensions: ['gif'], defaultOutput: 'png', openRange: false, slowPixels: 3e6, decodingMs: 10 },
    output: {
      extension: 'gif',
      lossy: false,
      holds: { alpha: true, gray: false, profile: false },
      max: { side: 65_535, area: 8_000_000 },
      encoder: { effort: 1 },
      cost: { ms: 220, held: 12, written: 1, atMost: 1 },
    },
  },
  avif: {
    name: 'AVIF',
    mediaType: 'image/avif',
    output: {
      extension: 'avif',
      lossy: true,
      holds: { alpha: true, gray: false, profile: true },
      max: { side: 16_384, area: 16_000_000 },
      encoder: { quality: 55, effort: 0 },
      cost: { ms: 50, held: 40, written: 0.3, atMost: 1 },
    },
  },
  jp2: {
    name: 'JPEG 2000',
    mediaType: 'image/jp2',
    source: {
      // Of JP2, JPX, JPH, and of code-streams without boxes.
      extensions: ['jp2', 'jpx', 'jpf', 'jph', 'j2k', 'j2c', 'jpc', 'jhc'],
      defaultOutput: 'jpeg',
      openRange: false,
      slowPixels: 1e6,
      decodingMs: 0,
    },
  },
} as const satisfies Readonly<Record<string, FormatRow>>;

type Format = keyof typeof formats;

type FormatWith<Use extends 'source' | 'output'> = {
  [F in Format]: (typeof formats)[F] extends { readonly [U in Use]: object } ? F : never;
}[Format];

/** A format that files of the library may have. */
export type SourceFormat = FormatWith<'source'>;

/** A format that derivatives are written in; also libvips' name of it. */
export type OutputFormat = FormatWith<'output'>;

/** Name and media type of every format. */
export const formatNames: Readonly<Record<Format, Pick<FormatRow, 'name' | 'mediaType'>>> = formats;

const rows: readonly (readonly [string, FormatRow])[] = Object.entries(formats);

/** The formats that the library reads. */
export const sourceFormats = Object.fromEntries(
  rows.flatMap(([format, { source }]) => (source ? [[format, source]] : [])),
) as Readonly<Record<SourceFormat, SourceRule>>;

/** The formats that derivatives are written in. */
export const outputFormats = Object.fromEntries(
  rows.flatMap(([format, { output }]) => (output ? [[format, output]] : [])),
) as Readonly<Record<OutputFormat, OutputRule>>;

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
