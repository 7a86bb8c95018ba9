/** Numbers, times and bytes as people read them, in their language. */
import type { PageLanguage } from '../../core/http/words.ts';

interface Amounts {
  count(value: number): string;
  /** Of ms. */
  time(ms: number): string;
  bytes(value: number): string;
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

function amountsIn(language: PageLanguage): Amounts {
  const plain = new Intl.NumberFormat(language);
  const withUnit = (unit: string): Intl.NumberFormat =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumSignificantDigits: 3 });
  const [milliseconds, seconds, minutes] = ['millisecond', 'second', 'minute'].map(withUnit);
  const ofBytes = byteUnits.map(withUnit);
  return {
    count: (value) => plain.format(Math.round(value)),
    time(ms) {
      if (ms < 1000) return milliseconds?.format(ms) ?? '';
      return (ms < 120_000 ? seconds?.format(ms / 1000) : minutes?.format(ms / 60_000)) ?? '';
    },
    bytes(value) {
      const power = value < 1 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log10(value) / 3));
      return ofBytes[power]?.format(value / 1000 ** power) ?? '';
    },
  };
}

const known = new Map<PageLanguage, Amounts>();

export function amounts(language: PageLanguage): Amounts {
  const found = known.get(language) ?? amountsIn(language);
  known.set(language, found);
  return found;
}
