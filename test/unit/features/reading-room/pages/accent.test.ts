/** An accent color is legible in both themes, whatever a site wishes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accentColors, contrast, onAccent } from '../../../../../src/features/reading-room/pages/accent.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('the accent', () => {
  it('contrasts by 4.5 with the paper of its theme and with what is written on it', () => {
    fc.assert(
      fc.property(color, (wished) => {
        const { light, dark } = accentColors(wished);
        for (const paper of ['#fbf9f4', '#ffffff', '#f2ede2', onAccent.light])
          expect(contrast(light, paper)).toBeGreaterThanOrEqual(4.5);
        for (const paper of ['#191816', '#232120', '#2a2826', '#2e2b28', onAccent.dark])
          expect(contrast(dark, paper)).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['#7a3b1d', { light: '#7a3b1d' }],
    ['#0a5c8a', { light: '#0a5c8a' }],
    ['#e6ab88', { dark: '#e6ab88' }],
  ])('is the wished one where that is legible: %s', (wished, kept) => {
    expect(accentColors(wished)).toMatchObject(kept);
  });

  it('knows the contrast of black and white', () => expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5));
});
