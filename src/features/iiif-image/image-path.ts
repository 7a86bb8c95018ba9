/** Parses the path of an IIIF image request (Image API, section 4). */
import type { ColorSteps } from '../../core/image/model/color.ts';
import { badRequest } from '../../core/image/model/errors.ts';
import { isWhole } from '../../core/image/model/geometry.ts';
import type { ImageRequest, Region, RegionFraming, RequestedSize } from '../../core/image/model/image-request.ts';
import type { ResolvedRegion } from '../../core/image/plan/plan-types.ts';
import { formatExtensions, type Version, versions } from './version.ts';

/** The four last segments of the path, decoded. */
export interface ImagePath {
  readonly region: string;
  readonly size: string;
  readonly rotation: string;
  /** Quality, a dot, and format. */
  readonly qualityAndFormat: string;
}

const numbersAfter = (text: string, count: number, form: RegExp): readonly number[] | undefined => {
  const parts = text.split(',');
  return parts.length === count && parts.every((part) => form.test(part)) ? parts.map(Number) : undefined;
};

/** The forms of numbers. */
export const integer = /^[0-9]{1,10}$/;
export const decimal = /^(?:[0-9]{1,10}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})$/;

/** `full`, `square`, `x,y,w,h` or `pct:x,y,w,h` (section 4.1). */
export function parseRegion(text: string, version: Version): Region {
  if (text === 'full') return { kind: 'full' };
  if (text === 'square' && versions[version].square) return { kind: 'square' };
  const percent = text.startsWith('pct:');
  const numbers = percent ? numbersAfter(text.slice(4), 4, decimal) : numbersAfter(text, 4, integer);
  if (numbers === undefined) {
    throw badRequest(`“${text}” is not a region; write full, square, x,y,w,h in pixels, or pct:x,y,w,h.`);
  }
  const [x = 0, y = 0, width = 0, height = 0] = numbers;
  if (width === 0 || height === 0) throw badRequest('The region’s width and height must be more than 0.');
  return { kind: percent ? 'percent' : 'pixels', x, y, width, height };
}

const sizeHint = 'write max, w, or ,h or w,h or !w,h or pct:n';

function parsePlainSize(text: string, version: Version, caret: boolean): RequestedSize | undefined {
  if (versions[version].fullSize.includes(text)) return { kind: 'max', enlarge: caret };
  if (text.startsWith('pct:')) {
    const [percent] = numbersAfter(text.slice(4), 1, decimal) ?? [];
    return percent === undefined || percent === 0 ? undefined : { kind: 'percent', percent };
  }
  const match = /^(!?)([0-9]{0,10}),([0-9]{0,10})$/.exec(text);
  if (match === null) return undefined;
  const [, confined, widthText = '', heightText = ''] = match;
  const [width, height] = [Number(widthText), Number(heightText)];
  if (widthText !== '' && heightText !== '') return { kind: confined ? 'confined' : 'exact', width, height };
  if (confined) return undefined;
  if (widthText !== '') return { kind: 'width', width };
  return heightText === '' ? undefined : { kind: 'height', height };
}

/** The size with or without `^` (section 4.2). */
export function parseSize(text: string, version: Version): Pick<RegionFraming, 'size' | 'upscaling'> {
  const needsCaret = versions[version].upscaling === 'caret';
  const caret = needsCaret && text.startsWith('^');
  const size = parsePlainSize(caret ? text.slice(1) : text, version, caret);
  if (size === undefined) throw badRequest(`“${text}” is not a size; ${sizeHint}.`);
  if (('width' in size && size.width === 0) || ('height' in size && size.height === 0)) {
    throw badRequest('The size must be at least 1 pixel on each side.');
  }
  return { size, upscaling: caret || !needsCaret ? 'allow' : 'deny' };
}

/** Degrees from 0 to 360, with `!` before them to mirror first (section 4.3). */
export function parseRotation(text: string): Pick<ImageRequest, 'mirror' | 'rotation'> {
  const horizontal = text.startsWith('!');
  const degrees = horizontal ? text.slice(1) : text;
  if (!decimal.test(degrees) || Number(degrees) > 360) {
    throw badRequest(`“${text}” is not a rotation; write degrees from 0 to 360, with ! before them to mirror.`);
  }
  return { mirror: { horizontal, vertical: false }, rotation: Number(degrees) };
}

const colorOfQuality = {
  default: {},
  color: {},
  gray: { operator: 'GRAYSCALE' },
  bitonal: { operator: 'BITONAL' },
} as const satisfies Record<string, ColorSteps>;

/** Quality and format (sections 4.4 and 4.5). */
export function parseQualityAndFormat(text: string, version: Version): Pick<ImageRequest, 'color' | 'format'> {
  const [qualityName = '', extension, ...more] = text.split('.');
  const { qualities } = versions[version];
  const quality = Object.hasOwn(qualities, qualityName) ? qualities[qualityName] : undefined;
  if (quality === undefined) {
    throw badRequest(`“${qualityName}” is not a quality; write ${Object.keys(qualities).join(', ')}.`);
  }
  const isFormat = extension !== undefined && more.length === 0 && Object.hasOwn(formatExtensions, extension);
  const format = isFormat ? formatExtensions[extension] : undefined;
  if (format === undefined) {
    throw badRequest(`“${text}” does not end in a format; write .${Object.keys(formatExtensions).join(' or .')}.`);
  }
  return { color: colorOfQuality[quality], format };
}

/** A request that frames by a region, as all of IIIF do. */
export type RegionRequest = ImageRequest & { readonly framing: RegionFraming };

/** The image request of a path. Throws ImageError `bad-request`, whose message shows the right form. */
export function parseImagePath(path: ImagePath, version: Version): RegionRequest {
  return {
    framing: { by: 'region', region: parseRegion(path.region, version), ...parseSize(path.size, version) },
    ...parseRotation(path.rotation),
    // digilib’s IIIF leaves them black, which its own versions do here too (digilib.md, section 2).
    ...(version === 3 && { corners: 'white' as const }),
    ...parseQualityAndFormat(path.qualityAndFormat, version),
    kernel: 'lanczos3',
    delivery: 'picture',
  };
}

/** A pattern without its anchors, for use inside of another one. */
const inside = ({ source }: RegExp): string => source.replace(/^\^|\$$/g, '');

const wholes = (count: number): string => Array(count).fill(inside(integer)).join(',');
const decimals = (count: number): string => Array(count).fill(inside(decimal)).join(',');

const anyOf = (forms: readonly string[]): string => `^(?:${forms.join('|')})$`;

/** The patterns and the lists of one version (Image API, section 4). */
export interface PathPatterns {
  readonly region: string;
  readonly size: string;
  readonly rotation: string;
  readonly qualities: readonly string[];
  readonly formats: readonly string[];
}

/** Everything that the parser accepts matches. Of what matches, it rejects zeros, more than 360 degrees and sizes beyond the limits. */
export function pathPatterns(version: Version): PathPatterns {
  const { fullSize, square, upscaling, qualities } = versions[version];
  const whole = inside(integer);
  const caret = upscaling === 'caret' ? '\\^?' : '';
  const sizes = [...fullSize, `${whole},`, `,${whole}`, `!?${wholes(2)}`, `pct:${decimals(1)}`];
  return {
    region: anyOf(['full', ...(square ? ['square'] : []), wholes(4), `pct:${decimals(4)}`]),
    size: `^${caret}(?:${sizes.join('|')})$`,
    rotation: `^!?${inside(decimal)}$`,
    qualities: Object.keys(qualities),
    formats: Object.keys(formatExtensions),
  };
}

const keepsShape = ({ region, output }: ResolvedRegion): boolean =>
  Math.max(1, Math.floor((output.width * region.height) / region.width + 0.5)) === output.height;

/** `max` where it gives the same, else pixels: 3.0 names both sides, 2.1 the height only where the shape changes. */
function canonicalSize(resolved: ResolvedRegion, version: Version): string {
  const { region, output, largest } = resolved;
  const isLargest = output.width === largest.width && output.height === largest.height;
  if (version === 3) {
    if (isLargest) return 'max';
    const caret = output.width > region.width || output.height > region.height ? '^' : '';
    return `${caret}${output.width},${output.height}`;
  }
  if (isLargest) return 'full';
  return keepsShape(resolved) ? `${output.width},` : `${output.width},${output.height}`;
}

const canonicalRegion = ({ region, full }: ResolvedRegion): string =>
  isWhole(region, full) ? 'full' : `${region.x},${region.y},${region.width},${region.height}`;

/** The path behind the identifier, canonical; `resolved` is what planning made of the request. */
export function canonicalPath(
  { mirror, rotation }: Pick<ImageRequest, 'mirror' | 'rotation'>,
  { qualityAndFormat }: ImagePath,
  resolved: ResolvedRegion,
  version: Version,
): string {
  const turn = `${mirror.horizontal ? '!' : ''}${rotation % 360 === 0 ? 0 : rotation}`;
  return `${canonicalRegion(resolved)}/${canonicalSize(resolved, version)}/${turn}/${qualityAndFormat}`;
}
