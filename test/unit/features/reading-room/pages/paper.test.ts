/** The surfaces of a site's pages are legible in both themes, whatever color the site wishes. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accentColors, contrast } from '../../../../../src/features/reading-room/pages/accent.ts';
import { paperColors } from '../../../../../src/features/reading-room/pages/paper.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

const tokens = readFileSync(path.resolve(import.meta.dirname, '../../../../../web/src/styles/tokens.css'), 'utf8');

/** What is written on the surfaces, in both themes (web/src/styles/tokens.css). */
const inks = { light: ['#25221c', '#665f53'], dark: ['#ece7dc', '#a8a092'] } as const;

describe.each(['light', 'dark'] as const)('the surfaces of the %s theme', (theme) => {
  const surfacesFor = (wished: string): readonly string[] => {
    const { paper = '', wash = '', card = paper, raised = paper } = paperColors(wished)[theme];
    return [paper, wash, card, raised];
  };

  it('contrast by 4.5 with text and with any accent', () => {
    fc.assert(
      fc.property(color, color, (wished, accent) => {
        const written = [...inks[theme], accentColors(accent)[theme]];
        for (const surface of surfacesFor(wished))
          for (const ink of written) expect(contrast(surface, ink)).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 300 },
    );
  });

  it('have the hue that is wished, and none for a gray', () => {
    const [blue = ''] = surfacesFor('#3c6cff');
    expect(Number.parseInt(blue.slice(5), 16)).toBeGreaterThan(Number.parseInt(blue.slice(1, 3), 16));
    const [gray = ''] = surfacesFor('#808080');
    expect(new Set([gray.slice(1, 3), gray.slice(3, 5), gray.slice(5)]).size).toBe(1);
  });

  it('are those that the styles know', () => {
    for (const name of Object.keys(paperColors('#3c6cff')[theme])) expect(tokens).toContain(`var(--${theme}-${name},`);
  });
});
