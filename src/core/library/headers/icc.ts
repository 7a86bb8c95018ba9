/** Recognizes ICC profiles that describe sRGB, by their tags and never by their names (ICC.1:2010, sections 7 to 10). */

const headBytes = 128;
const maxTags = 100;

type Triple = readonly [number, number, number];

/** sRGB’s primaries as profiles have them: adapted to D50 (IEC 61966-2-1, Bradford adaptation). */
const primaries: readonly (readonly [tag: string, xyz: Triple])[] = [
  ['rXYZ', [0.4361, 0.2225, 0.0139]],
  ['gXYZ', [0.3851, 0.7169, 0.0971]],
  ['bXYZ', [0.1431, 0.0606, 0.7141]],
];

/** Writers round primaries, and adapt them by matrices with few digits. */
const primaryTolerance = 0.001;

/** The white points in profiles: D50 as version 4 requires, or that of the display, D65, as in version 2. */
const whites: readonly Triple[] = [
  [0.9642, 1, 0.8249],
  [0.9505, 1, 1.089],
];

/** The white point has no effect on conversions that map white to white, so it only has to be close to one of these. */
const whiteTolerance = 0.01;

/** Half of an 8-bit step: a curve with this error changes a color by at most one. */
const curveTolerance = 0.5 / 255;

/** Tags of lookup tables, which color management prefers to primaries and curves. */
const tableTags = ['A2B0', 'A2B1', 'A2B2', 'D2B0', 'D2B1', 'D2B2', 'D2B3'];

const inputClasses = ['mntr', 'scnr', 'spac'];

const text = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4);

/** The tags of a profile by name; undefined where the profile is damaged. */
function tagsOf(profile: Buffer): ReadonlyMap<string, Buffer> | undefined {
  if (profile.length < headBytes + 4 || text(profile, 36) !== 'acsp') return undefined;
  const count = profile.readUInt32BE(headBytes);
  if (count > maxTags || profile.length < headBytes + 4 + count * 12) return undefined;
  const tags = new Map<string, Buffer>();
  for (let index = 0; index < count; index++) {
    const entry = headBytes + 4 + index * 12;
    const [start, length] = [profile.readUInt32BE(entry + 4), profile.readUInt32BE(entry + 8)];
    if (start + length > profile.length) return undefined;
    tags.set(text(profile, entry), profile.subarray(start, start + length));
  }
  return tags;
}

/** A signed number with 16 fractional bits (s15Fixed16Number). */
const fixed = (bytes: Buffer, at: number): number => bytes.readInt32BE(at) / 65_536;

function isNear(tag: Buffer | undefined, expected: Triple, tolerance: number): boolean {
  if (tag === undefined || tag.length < 20 || text(tag, 0) !== 'XYZ ') return false;
  return expected.every((value, index) => Math.abs(fixed(tag, 8 + index * 4) - value) <= tolerance);
}

/** Maps stored values to linear light, both from 0 to 1. */
type Curve = (value: number) => number;

/** A curve of type `curv`: a power, or a table with linear interpolation (section 10.5). */
function tableCurve(tag: Buffer): Curve | undefined {
  const count = tag.readUInt32BE(8);
  if (count < 1 || tag.length < 12 + count * 2) return undefined;
  if (count === 1) return (value) => value ** (tag.readUInt16BE(12) / 256);
  const point = (index: number): number => tag.readUInt16BE(12 + Math.min(index, count - 1) * 2) / 65_535;
  return (value) => {
    const position = value * (count - 1);
    const index = Math.floor(position);
    return point(index) + (point(index + 1) - point(index)) * (position - index);
  };
}

/** The number of parameters of each function of type `para` (section 10.15, table 65). */
const parameterCounts = [1, 3, 4, 5, 7];

/** A curve of type `para`: a power of a linear function above a limit, and a linear function below it. */
function formulaCurve(tag: Buffer): Curve | undefined {
  const kind = tag.readUInt16BE(8);
  const count = parameterCounts[kind];
  if (count === undefined || tag.length < 12 + count * 4) return undefined;
  const [g = 1, a = 1, b = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = Array.from({ length: count }, (_, index) =>
    fixed(tag, 12 + index * 4),
  );
  const power: Curve = (value) => Math.max(0, a * value + b) ** g;
  const forms: readonly Curve[] = [
    power,
    (value) => (value >= -b / a ? power(value) : 0),
    (value) => (value >= -b / a ? power(value) : 0) + third,
    (value) => (value >= fourth ? power(value) : third * value),
    (value) => (value >= fourth ? power(value) + fifth : third * value + sixth),
  ];
  return forms[kind];
}

function curveOf(tag: Buffer | undefined): Curve | undefined {
  if (tag === undefined || tag.length < 12) return undefined;
  if (text(tag, 0) === 'curv') return tableCurve(tag);
  return text(tag, 0) === 'para' ? formulaCurve(tag) : undefined;
}

const encodeSrgb = (light: number): number =>
  light <= 0.003_130_8 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;

/** Whether a curve is that of sRGB: at each 8-bit value, the light is encoded as sRGB and compared with the value. */
function isSrgbCurve(tag: Buffer | undefined): boolean {
  const curve = curveOf(tag);
  if (curve === undefined) return false;
  for (let step = 0; step <= 255; step++) {
    const light = curve(step / 255);
    if (!(light >= -curveTolerance && Math.abs(encodeSrgb(light) - step / 255) <= curveTolerance)) return false;
  }
  return true;
}

/** The color space of a profile’s samples: four characters such as `RGB ` or `GRAY`; undefined where it is no profile. */
export const profileSpace = (profile: Buffer): string | undefined =>
  profile.length >= headBytes && text(profile, 36) === 'acsp' ? text(profile, 16) : undefined;

/**
 * Whether the samples that a profile describes are sRGB, or gray with the curve of sRGB. Only profiles with primaries and
 * curves are recognized.
 */
export function isSrgbProfile(profile: Buffer): boolean {
  const tags = tagsOf(profile);
  if (tags === undefined || tableTags.some((name) => tags.has(name))) return false;
  if (!inputClasses.includes(text(profile, 12)) || text(profile, 20) !== 'XYZ ') return false;
  if (!whites.some((white) => isNear(tags.get('wtpt'), white, whiteTolerance))) return false;
  const space = profileSpace(profile);
  if (space === 'GRAY') return isSrgbCurve(tags.get('kTRC'));
  return (
    space === 'RGB ' &&
    primaries.every(([name, xyz]) => isNear(tags.get(name), xyz, primaryTolerance)) &&
    ['rTRC', 'gTRC', 'bTRC'].every((name) => isSrgbCurve(tags.get(name)))
  );
}
