/** The shortcuts of the viewer. */
import { describe, expect, it } from 'vitest';
import { keysOfFile, repeated } from '../shortcut-keys.ts';

const keys = keysOfFile('view/keyboard.ts');

describe('a key', () => {
  it('has one meaning', () => {
    expect(keys.length).toBeGreaterThan(40);
    expect(repeated(keys)).toEqual([]);
  });
});
