/** Parses and formats the Scaler's color parameters `cont`, `brgt`, `rgbm`, `rgba` and `colop`. */
import { isColorOperator, type Triple } from '../../../src/core/image/model/color.ts';
import { formatNumber, formatNumbers, parseNumber, parseNumbers } from './number-text.ts';
import type { Pair } from './query-pairs.ts';
import type { ViewColor } from './view-state.ts';

export const colorNames = ['cont', 'brgt', 'rgbm', 'rgba', 'colop'] as const;

function parseTriple(text: string): Triple {
  const [red, green, blue] = parseNumbers(text, 3, 'refused') ?? [];
  return red === undefined || green === undefined || blue === undefined ? [0, 0, 0] : [red, green, blue];
}

function parseOperation(text: string): ViewColor['operation'] {
  const name = text.toUpperCase();
  return isColorOperator(name) ? name : '';
}

/** Parses the colors of a query; `textOf` returns '' for a parameter that is absent. */
export const parseColor = (textOf: (name: (typeof colorNames)[number]) => string): ViewColor => ({
  contrast: parseNumber(textOf('cont')) ?? 0,
  brightness: parseNumber(textOf('brgt')) ?? 0,
  multiply: parseTriple(textOf('rgbm')),
  add: parseTriple(textOf('rgba')),
  operation: parseOperation(textOf('colop')),
});

const number = (name: string, value: number): readonly Pair[] => {
  const text = formatNumber(value);
  return text === '0' ? [] : [[name, text]];
};

const triple = (name: string, values: Triple): readonly Pair[] => {
  const text = formatNumbers(values);
  return text === '0/0/0' ? [] : [[name, text]];
};

/** The parameters for these colors, without those that have their default. */
export const formatColor = (color: ViewColor): readonly Pair[] => [
  ...number('cont', color.contrast),
  ...number('brgt', color.brightness),
  ...triple('rgbm', color.multiply),
  ...triple('rgba', color.add),
  ...(color.operation === '' ? [] : [['colop', color.operation] as const]),
];
