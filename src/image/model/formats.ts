/** The image formats that are read and written: their names, media types and extensions, in one table each. */

/** A format that files of the library may have. */
export type SourceFormat = 'jpeg' | 'png' | 'gif' | 'tiff' | 'webp' | 'jp2';

/** A format that derivatives are written in. */
export type OutputFormat = 'jpeg' | 'png' | 'webp' | 'tiff' | 'gif' | 'avif';

interface SourceRule {
  readonly mediaType: string;
  /** File name extensions, lower case, without the dot. */
  readonly extensions: readonly string[];
  /** What digilib writes when the request names no format (digilib.md, section 2, "jpg / png / webp"). */
  readonly defaultOutput: OutputFormat;
  /** Whether the pixels can be decoded; where not, the header is described and a rendering answers 501. */
  readonly decodable: boolean;
}

/** The formats that the library reads (digilib.md, section 3). */
export const sourceFormats: Readonly<Record<SourceFormat, SourceRule>> = {
  jpeg: { mediaType: 'image/jpeg', extensions: ['jpg', 'jpeg'], defaultOutput: 'jpeg', decodable: true },
  png: { mediaType: 'image/png', extensions: ['png'], defaultOutput: 'png', decodable: true },
  gif: { mediaType: 'image/gif', extensions: ['gif'], defaultOutput: 'png', decodable: true },
  tiff: { mediaType: 'image/tiff', extensions: ['tif', 'tiff'], defaultOutput: 'png', decodable: true },
  webp: { mediaType: 'image/webp', extensions: ['webp'], defaultOutput: 'png', decodable: true },
  jp2: { mediaType: 'image/jp2', extensions: ['jp2'], defaultOutput: 'jpeg', decodable: false },
};

interface OutputRule {
  readonly mediaType: string;
  readonly extension: string;
  /** Whether transparent pixels survive. */
  readonly alpha: boolean;
  /** The longest side in pixels that the format holds, or that its common writers and readers allow. */
  readonly maxSide: number;
  /** The largest area in pixels, where writing costs so much that it has a bound of its own. */
  readonly maxArea: number;
}

const unbounded = Number.POSITIVE_INFINITY;

/** The formats that derivatives are written in. */
export const outputFormats: Readonly<Record<OutputFormat, OutputRule>> = {
  jpeg: { mediaType: 'image/jpeg', extension: 'jpg', alpha: false, maxSide: 65_500, maxArea: unbounded },
  png: { mediaType: 'image/png', extension: 'png', alpha: true, maxSide: 1_000_000, maxArea: unbounded },
  webp: { mediaType: 'image/webp', extension: 'webp', alpha: true, maxSide: 16_383, maxArea: unbounded },
  tiff: { mediaType: 'image/tiff', extension: 'tif', alpha: true, maxSide: 1_000_000, maxArea: unbounded },
  gif: { mediaType: 'image/gif', extension: 'gif', alpha: true, maxSide: 65_535, maxArea: 8_000_000 },
  avif: { mediaType: 'image/avif', extension: 'avif', alpha: true, maxSide: 16_384, maxArea: 16_000_000 },
};

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
