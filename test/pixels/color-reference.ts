/** The Scaler's color operations and turns as a plain reference: one pixel at a time, in doubles (digilib.md, section 2). */

/** Red, green, blue and alpha from 0 to 255, with fractions where the source has more than 8 bits. */
export type Pixel = readonly [red: number, green: number, blue: number, alpha: number];

export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: readonly Pixel[];
}

type Triple = readonly [number, number, number];

export interface ColorSetting {
  readonly rgbm: Triple;
  readonly rgba: Triple;
  readonly cont: number;
  readonly brgt: number;
  readonly colop: string;
}

export interface TurnSetting {
  readonly hmir: boolean;
  readonly vmir: boolean;
  readonly rot: 0 | 90 | 180 | 270;
}

const clamp = (value: number): number => Math.min(255, Math.max(0, value));

/** Zero stays zero, however large the factor. */
const times = (value: number, exponent: number): number => (value === 0 ? 0 : value * 2 ** exponent);

function mapGray(gray: number): Triple {
  if (gray < 64) return [0, 4 * gray, 255];
  if (gray < 192) return [2 * (gray - 64), 255, 255 - 2 * (gray - 64)];
  return [255, 255 - 4 * (gray - 192), 0];
}

function operate(colop: string, [red, green, blue]: Triple): Triple {
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const ntsc = 0.299 * red + 0.587 * green + 0.114 * blue;
  const twoToned = luminance >= 128 ? 255 : 0;
  switch (colop.toUpperCase()) {
    case 'GRAYSCALE':
      return [luminance, luminance, luminance];
    case 'NTSC_GRAY':
      return [ntsc, ntsc, ntsc];
    case 'BITONAL':
      return [twoToned, twoToned, twoToned];
    case 'INVERT':
      return [255 - red, 255 - green, 255 - blue];
    case 'MAP_GRAY_BGR':
      return mapGray(luminance);
    default:
      return [red, green, blue];
  }
}

/** The color before the operator: rgbm and rgba, then cont and brgt, each clamped. */
function beforeOperator([red, green, blue]: Pixel, { rgbm, rgba, cont, brgt }: ColorSetting): Triple {
  const change = (value: number, channel: 0 | 1 | 2): number => {
    const channeled = clamp(times(value, rgbm[channel]) + rgba[channel]);
    return clamp(times(channeled, cont) + brgt);
  };
  return [change(red, 0), change(green, 1), change(blue, 2)];
}

/** The pixel after all color operations. */
export function colored(pixel: Pixel, setting: ColorSetting): Pixel {
  const [red, green, blue] = operate(setting.colop, beforeOperator(pixel, setting));
  return [clamp(red), clamp(green), clamp(blue), pixel[3]];
}

/** Whether the pixel is so close to BITONAL's threshold that the rounding of doubles decides. */
export function isOnThreshold(pixel: Pixel, setting: ColorSetting): boolean {
  const [red, green, blue] = beforeOperator(pixel, setting);
  return Math.abs(0.2126 * red + 0.7152 * green + 0.0722 * blue - 128) < 1e-6;
}

/** The pixel blended with white. */
export const onWhite = ([red, green, blue, alpha]: Pixel): Pixel => {
  const show = (value: number): number => (value * alpha + 255 * (255 - alpha)) / 255;
  return [show(red), show(green), show(blue), 255];
};

/** Mirrored left to right, then top to bottom, then turned clockwise. */
export function turned({ width, height, pixels }: Raster, { hmir, vmir, rot }: TurnSetting): Raster {
  const at = (x: number, y: number): Pixel => {
    const column = hmir ? width - 1 - x : x;
    const row = vmir ? height - 1 - y : y;
    return pixels[row * width + column] ?? [0, 0, 0, 0];
  };
  const size = rot % 180 === 0 ? { width, height } : { width: height, height: width };
  const source = (x: number, y: number): Pixel => {
    if (rot === 90) return at(y, height - 1 - x);
    if (rot === 180) return at(width - 1 - x, height - 1 - y);
    return rot === 270 ? at(width - 1 - y, x) : at(x, y);
  };
  const positions = Array.from({ length: size.width * size.height }, (_, i) => [
    i % size.width,
    Math.floor(i / size.width),
  ]);
  return { ...size, pixels: positions.map(([x = 0, y = 0]) => source(x, y)) };
}
