/** Applies color steps to 8-bit pixels in digilib's order, by one table look-up for each channel and one operator. */
import type { ColorOperator, ColorSteps } from '../image/color.ts';

const clamp = (value: number): number => (value <= 0 ? 0 : value >= 255 ? 255 : Math.round(value));

/** What the steps before the operator make of each value of one channel (0 red, 1 green, 2 blue). */
function channelTable(steps: ColorSteps, channel: 0 | 1 | 2): Uint8Array {
  const table = new Uint8Array(256);
  for (let value = 0; value < 256; value++) {
    let result = value;
    if (steps.channels) result = clamp(result * steps.channels.factors[channel] + steps.channels.offsets[channel]);
    if (steps.contrast) result = clamp(result * steps.contrast.factor + steps.contrast.offset);
    table[value] = result;
  }
  return table;
}

const luminance = (red: number, green: number, blue: number): number =>
  Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);

type Pixel = readonly [red: number, green: number, blue: number];

const grayPixel = (value: number): Pixel => [value, value, value];

/** The false colors of MAP_GRAY_BGR: blue to cyan, to yellow, to red (digilib.md, section 2). */
function falseColor(gray: number): Pixel {
  if (gray < 64) return [0, 4 * gray, 255];
  if (gray < 192) return [2 * (gray - 64), 255, 255 - 2 * (gray - 64)];
  return [255, 255 - 4 * (gray - 192), 0];
}

const operators: Readonly<Record<ColorOperator, (red: number, green: number, blue: number) => Pixel>> = {
  GRAYSCALE: (red, green, blue) => grayPixel(luminance(red, green, blue)),
  NTSC_GRAY: (red, green, blue) => grayPixel(Math.round(0.299 * red + 0.587 * green + 0.114 * blue)),
  BITONAL: (red, green, blue) => grayPixel(luminance(red, green, blue) >= 128 ? 255 : 0),
  INVERT: (red, green, blue) => [255 - red, 255 - green, 255 - blue],
  MAP_GRAY_BGR: (red, green, blue) => falseColor(luminance(red, green, blue)),
};

/**
 * Changes the colors of `pixels` in place: interleaved 8-bit samples of 3 (RGB) or 4 (RGBA) channels. Alpha is left alone.
 */
export function applyColor(pixels: Uint8Array, channels: 3 | 4, steps: ColorSteps): void {
  const [redTable, greenTable, blueTable] = [channelTable(steps, 0), channelTable(steps, 1), channelTable(steps, 2)];
  const operator = steps.operator && operators[steps.operator];
  for (let at = 0; at + 2 < pixels.length; at += channels) {
    const red = redTable[pixels[at] ?? 0] ?? 0;
    const green = greenTable[pixels[at + 1] ?? 0] ?? 0;
    const blue = blueTable[pixels[at + 2] ?? 0] ?? 0;
    const result = operator ? operator(red, green, blue) : undefined;
    pixels[at] = result ? result[0] : red;
    pixels[at + 1] = result ? result[1] : green;
    pixels[at + 2] = result ? result[2] : blue;
  }
}
