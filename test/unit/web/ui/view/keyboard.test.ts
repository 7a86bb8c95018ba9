/** The shortcuts of the viewer. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Read as text: the module needs a page. */
const source = readFileSync(new URL('../../../../../web/src/ui/view/keyboard.ts', import.meta.url), 'utf8');

const keys = [...source.matchAll(/\{ keys: \[([^\n]+?)\], name/g)].flatMap(([, list = '']) =>
  [...list.matchAll(/'((?:[^'\\]|\\.)+)'/g)].map(([, key]) => key),
);

describe('a key', () => {
  it('has one meaning', () => {
    expect(keys.length).toBeGreaterThan(40);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});
