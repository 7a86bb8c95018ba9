/** Parses numbers of addresses leniently, and formats them with at most four decimals. */

const numberForm = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)[fd]?\s*$/i;

/** Parses a number as the Scaler does, but in double precision; undefined if it is malformed or not finite. */
export function parseNumber(text: string): number | undefined {
  const value = Number(numberForm.exec(text)?.[1] ?? Number.NaN);
  if (!Number.isFinite(value)) return undefined;
  return value === 0 ? 0 : value;
}

export function parsePositive(text: string): number | undefined {
  const value = parseNumber(text);
  return value !== undefined && value > 0 ? value : undefined;
}

/** Parses a whole number of at least 1. */
export function parseCount(text: string): number | undefined {
  const value = /^\s*\+?\d{1,9}\s*$/.test(text) ? Number(text) : 0;
  return value >= 1 ? value : undefined;
}

/** Parses `count` numbers separated by slashes; undefined if one is malformed or the count is wrong. */
export function parseNumbers(text: string, count: number, more: 'allowed' | 'refused'): readonly number[] | undefined {
  const parts = text.split('/');
  if (parts.length < count || (parts.length > count && more === 'refused')) return undefined;
  const numbers = parts.slice(0, count).map(parseNumber);
  return numbers.every((value) => value !== undefined) ? numbers : undefined;
}

/** Rounds to four decimals, as digilib's viewer does; the result is never -0. */
export const rounded = (value: number): number => Number(value.toFixed(4)) + 0;

export const formatNumber = (value: number): string => String(rounded(value));

export const formatNumbers = (values: readonly number[]): string => values.map(formatNumber).join('/');

/** With at most six decimals. */
export const formatPrecise = (value: number): string => String(Number(value.toFixed(6)) + 0);
