import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyColor } from '../../../../../src/core/image/model/color.ts';
import { parseQuery } from '../../../../../src/features/digilib/parameters.ts';
import { toImageRequest } from '../../../../../src/features/digilib/scaler-request.ts';
import { formatPairs } from '../../../../../web/src/model/address/address-text.ts';
import { formatColor, parseColor } from '../../../../../web/src/model/address/view-query.ts';
import { colorSteps, isPlain, linkedBrightness } from '../../../../../web/src/model/view/color.ts';
import { plainColor, type ViewColor } from '../../../../../web/src/model/view-state.ts';

const numbers = (bound: number) => fc.double({ min: -bound, max: bound, noNaN: true });
const triples = (bound: number) => fc.tuple(numbers(bound), numbers(bound), numbers(bound));

const colors: fc.Arbitrary<ViewColor> = fc.record({
  brightness: fc.oneof(fc.constant(0), numbers(255)),
  contrast: fc.oneof(fc.constant(0), numbers(4)),
  multiply: fc.oneof(fc.constant([0, 0, 0] as const), triples(4)),
  add: fc.oneof(fc.constant([0, 0, 0] as const), triples(255)),
  operation: fc.constantFrom('', 'GRAYSCALE', 'NTSC_GRAY', 'BITONAL', 'INVERT', 'MAP_GRAY_BGR'),
});

const serverSteps = (color: ViewColor) => toImageRequest(parseQuery(formatPairs(formatColor(color)))).color;

describe('the colors of a view', () => {
  it('are those that the Scaler parses from its address', () => {
    fc.assert(
      fc.property(colors, (color) => {
        expect(colorSteps(color)).toEqual(serverSteps(color));
      }),
    );
  });

  it('are plain if and only if the address has no parameters for them', () => {
    fc.assert(
      fc.property(colors, (color) => {
        expect(isPlain(color)).toBe(formatColor(color).length === 0);
      }),
    );
    expect(isPlain(plainColor)).toBe(true);
  });

  it('are parsed from their parameters', () => {
    const color: ViewColor = {
      brightness: -20,
      contrast: 0.5,
      multiply: [1, 0, -0.25],
      add: [0, 5, 255],
      operation: 'INVERT',
    };
    const pairs = new Map(formatColor(color));
    expect(parseColor((name) => pairs.get(name) ?? '')).toEqual(color);
  });
});

it.each([
  [0, 0],
  [1, -127],
  [-1, 63.5],
  [4, -1905],
])('a contrast of %d has the brightness %d', (contrast, brightness) => {
  expect(linkedBrightness(contrast)).toBe(brightness);
});

it('leaves middle gray unchanged with the linked brightness', () => {
  const contrast = 1.3;
  const steps = colorSteps({ ...plainColor, contrast, brightness: linkedBrightness(contrast) });
  expect([...applyColor(new Uint8ClampedArray([127, 127, 127, 9]), 4, steps)]).toEqual([127, 127, 127, 9]);
});
