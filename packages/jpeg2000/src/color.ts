/** Resolves the color boxes of a JPEG 2000 file to the channels of a color (ISO 15444-1, sections I.5.3.3 to I.5.3.6). */

import type { Boxes } from './boxes.ts';
import { damaged } from './error.ts';
import type { Channel, CodeStream, Jpeg2000Color } from './model.ts';

/** What the samples of a file are. */
export type ColorKind = 'rgb' | 'gray' | 'bilevel' | 'cmyk' | 'lab' | 'palette';

interface Space {
  readonly space: Jpeg2000Color['space'];
  /** Number of its colors. */
  readonly count: number;
  readonly stored: ColorKind;
}

const gray: Space = { space: 'gray', count: 1, stored: 'gray' };
const sycc: Space = { space: 'sycc', count: 3, stored: 'rgb' };

/** The spaces by their numbers (table I.10; ISO 15444-2, table M.25): black and white, YCbCr as in JFIF and others. */
const enumeratedSpaces: ReadonlyMap<number, Space> = new Map([
  [0, gray],
  [3, sycc],
  [12, { space: 'cmyk', count: 4, stored: 'cmyk' }],
  [14, { space: 'lab', count: 3, stored: 'lab' }],
  [15, gray],
  [16, { space: 'srgb', count: 3, stored: 'rgb' }],
  [17, gray],
  [18, sycc],
  [24, { space: 'esycc', count: 3, stored: 'rgb' }],
]);

const profileSpaces: ReadonlyMap<string, Space> = new Map([
  ['RGB ', { space: 'profile', count: 3, stored: 'rgb' }],
  ['GRAY', { space: 'profile', count: 1, stored: 'gray' }],
  ['CMYK', { space: 'profile', count: 4, stored: 'cmyk' }],
  ['Lab ', { space: 'profile', count: 3, stored: 'lab' }],
]);

/** The colors of a file, and what they are as facts of the image. */
export interface ResolvedColor {
  readonly color: Jpeg2000Color;
  readonly stored: ColorKind;
  /** Bits of the widest channel. */
  readonly bits: number;
}

/** The channels, in the order in which channel definitions number them. */
function channelsOf({ palette, mappings }: Boxes, { components }: CodeStream): readonly Channel[] {
  if (palette === undefined) return components.map((_, component) => ({ component }));
  const mapped = mappings ?? palette.columns.map((_, column) => ({ component: 0, column }));
  const isThere = ({ component, column = 0 }: Channel): boolean =>
    component < components.length && column < palette.columns.length;
  if (!mapped.every(isThere)) throw damaged('The JPEG 2000 palette is used for channels that are not there.');
  return mapped;
}

/** A space that needs more channels than there are counts as unknown, as does one that is not known or not said. */
function spaceOf({ color }: Boxes, available: number): Space {
  const { enumerated, profileSpace } = color ?? {};
  const said = enumerated === undefined ? profileSpaces.get(profileSpace ?? '') : enumeratedSpaces.get(enumerated);
  if (said !== undefined && said.count <= available) return said;
  return available < 3 ? { ...gray, space: 'unknown' } : { space: 'unknown', count: 3, stored: 'rgb' };
}

/** The channels that are not defined as something else than a color. */
function possibleColors(channels: readonly Channel[], { definitions = [] }: Boxes): readonly Channel[] {
  const others = new Set(definitions.filter(({ type }) => type !== 0).map(({ channel }) => channel));
  return channels.filter((_, index) => !others.has(index));
}

/** The channels of the colors, by their definitions; in the order of the channels where there are none. */
function colorsOf(channels: readonly Channel[], count: number, boxes: Boxes): readonly Channel[] {
  const possible = possibleColors(channels, boxes);
  return Array.from({ length: count }, (_, index) => {
    const defined = boxes.definitions?.find(({ type, association }) => type === 0 && association === index + 1);
    return channels[defined?.channel ?? -1] ?? possible[index] ?? channels[0] ?? { component: 0 };
  });
}

/** The opacity of the whole image, which in a gray one can also be that of its only color. */
function alphaOf(channels: readonly Channel[], count: number, { definitions = [] }: Boxes): Jpeg2000Color['alpha'] {
  const [opacity, premultiplied] = [1, 2];
  const defined = definitions.find(
    ({ type, association }) =>
      (type === opacity || type === premultiplied) && (association === 0 || (count === 1 && association === 1)),
  );
  const channel = defined && channels[defined.channel];
  return channel && { ...channel, premultiplied: defined.type === premultiplied };
}

/** The colors of a code-stream by its boxes. Throws Jpeg2000Error where the boxes name channels that are not there. */
export function resolveColor(boxes: Boxes, codeStream: CodeStream): ResolvedColor {
  const { palette, color: specified } = boxes;
  const channels = channelsOf(boxes, codeStream);
  const { space, count, stored } = spaceOf(boxes, possibleColors(channels, boxes).length);
  const [first = { component: 0 }, ...others] = colorsOf(channels, count, boxes);
  const alpha = alphaOf(channels, count, boxes);
  const bitsOf = ({ component, column }: Channel): number =>
    (column === undefined ? codeStream.components[component] : palette?.columns[column])?.bits ?? 8;
  const bits = Math.max(...[first, ...others].map(bitsOf));
  const profile = space === 'profile' ? specified?.profile : undefined;
  return {
    color: {
      space,
      ...(profile && { profile }),
      ...(palette && { palette }),
      colors: [first, ...others],
      ...(alpha && { alpha }),
    },
    stored: first.column === undefined ? (stored === 'gray' && bits === 1 ? 'bilevel' : stored) : 'palette',
    bits,
  };
}
