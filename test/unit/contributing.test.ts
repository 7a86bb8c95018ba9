import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

/** Every path in backquotes, with `{a,b}` expanded. */
const paths = [...text.matchAll(/`((?:\.ci|src|web|test|scripts|docs)\/[^`\s*]*)`/g)].flatMap(([, name = '']) => {
  const [before = '', list, after = ''] = name.split(/[{}]/);
  return list === undefined ? [name] : list.split(',').map((one) => before + one + after);
});

/** Every name in backquotes that a recipe says to find in a file, as `name` in `file`. */
const names = [...text.matchAll(/`(\w+)`\s+(?:in\s+|\()`([^`]+\.tsx?)`/g)].map(([, name = '', file = '']) => [
  name,
  file,
]);

describe('CONTRIBUTING', () => {
  it('names files and names', () => expect([paths.length > 30, names.length > 3]).toEqual([true, true]));

  test.each([...new Set(paths)])('names %s, which exists', (name) =>
    expect(existsSync(path.join(root, name))).toBe(true),
  );

  test.each(names)('names %s in %s, which has it', (name, file) =>
    expect(readFileSync(path.join(root, file ?? ''), 'utf8')).toMatch(new RegExp(`\\b${name}\\b`)),
  );

  test.each([...text.matchAll(/`npm run ([\w:]+)`/g)].map(([, name]) => name))('names the script %s', (name) =>
    expect(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).scripts).toHaveProperty([name ?? '']),
  );
});
