/** Numbers as people write them. */
import { describe, expect, it } from 'vitest';
import { formatCount, formatDecimal, formatFraction } from '../../../../../web/src/ui/common/words.ts';

describe('numbers on the page', () => {
  it('have the minus sign of typography, and groups', () => {
    expect(formatCount(-854_391)).toBe('−854,391');
    expect(formatDecimal(-1234.56)).toBe('−1,234.6');
    expect(formatFraction(-0.25)).toBe('−0.25');
  });

  it('are never a negative zero', () => expect(formatFraction(-0.00001)).toBe('0'));
});
