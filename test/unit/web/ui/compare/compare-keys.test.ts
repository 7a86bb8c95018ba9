/** The shortcuts of a comparison. */
import { expect, it } from 'vitest';
import { keysOfList, repeated } from '../shortcut-keys.ts';

const keys = keysOfList('compare/compare-keys.ts', 'compareShortcuts', 'view/keyboard.ts');

it('a key has one meaning, also beside those that an image has too', () => {
  expect(keys).toEqual(expect.arrayContaining(['g', 'p', 'ArrowLeft', '0', 'Shift+R', 'Escape']));
  expect(keys.length).toBeGreaterThan(30);
  expect(repeated(keys)).toEqual([]);
});
