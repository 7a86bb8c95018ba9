/** Numbers as addresses hold them: read generously, written with at most four decimals. */

const numberForm = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)[fd]?\s*$/i;

/** Reads a number as the Scaler does, but in full precision; undefined for anything else and for what is not finite. */
export function parseNumber(text: string): number | undefined {
  const value = Number(numberForm.exec(text)?.[1] ?? Number.NaN);
  if (!Number.isFinite(value)) return undefined;
  return value === 0 ? 0 : value;
}

/** Reads a number above zero. */
export function parsePositive(text: string): number | undefined {
  const value = parseNumber(text);
  return value !== undefined && value > 0 ? value : undefined;
}

/** Reads a whole number from 1 on. */
export function parseCount(text: string): number | undefined {
  const value = /^\s*\+?\d{1,9}\s*$/.test(text) ? Number(text) : 0;
  return value >= 1 ? value : undefined;
}

/** Reads numbers between slashes: `count` of them, or more where more are allowed; undefined unless each is one. */
export function parseNumbers(text: string, count: number, more: 'allowed' | 'refused'): readonly number[] | undefined {
  const parts = text.split('/');
  if (parts.length < count || (parts.length > count && more === 'refused')) return undefined;
  const numbers = parts.slice(0, count).map(parseNumber);
  return numbers.every((value) => value !== undefined) ? numbers : undefined;
}

/** The number with four decimals, as the old viewer writes fractions; zero has no sign. */
export const rounded = (value: number): number => Number(value.toFixed(4)) + 0;

/** Prints a number with at most four decimals. */
export const formatNumber = (value: number): string => String(rounded(value));

/** Prints numbers between slashes. */
export const formatNumbers = (values: readonly number[]): string => values.map(formatNumber).join('/');
