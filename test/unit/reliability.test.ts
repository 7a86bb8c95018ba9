/** docs/reference/reliability-tests.md: each line of spec/survive.md has a row, and each row names tests that exist. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (page: string): string => readFileSync(path.join(root, page), 'utf8');

/** The lines below each heading of the second level. */
function sectionsOf(page: string): ReadonlyMap<string, readonly string[]> {
  const [, ...sections] = read(page).split(/^## /m);
  return new Map(
    sections.map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      return [heading.trim(), lines] as const;
    }),
  );
}

interface Row {
  readonly fault: string;
  readonly tests: string;
}

const rowsOf = (lines: readonly string[]): readonly Row[] =>
  lines
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .slice(1)
    .map((line) => {
      const [, fault = '', tests = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return { fault, tests };
    });

/** Each test that a cell names: its file, and its name as it stands there. */
const citedIn = (cell: string): readonly (readonly [file: string, name: string])[] =>
  cell.split(/(?=`(?:test|packages)\/)/).flatMap((part) => {
    const [, file = ''] = /^`([^`]+)`/.exec(part) ?? [];
    return [...part.matchAll(/“([^”]+)”/g)].map(([, name = '']) => [file, name] as const);
  });

const sections = sectionsOf('docs/reference/reliability-tests.md');
const rows = [...sections.values()].flatMap(rowsOf);

describe('docs/reference/reliability-tests.md', () => {
  it.each([...sectionsOf('docs/spec/survive.md')])('has a row for each line of %s', (heading, lines) => {
    const bullets = lines.filter((line) => line.startsWith('- '));
    expect(bullets.length).toBeGreaterThan(5);
    expect(rowsOf(sections.get(heading) ?? []).length).toBeGreaterThanOrEqual(bullets.length);
  });

  it.each(rows)('names tests that exist for: $fault', ({ tests }) => {
    const cited = citedIn(tests);
    expect(cited.length).toBeGreaterThan(0);
    const missing = cited.filter(([file, name]) => !existsSync(path.join(root, file)) || !read(file).includes(name));
    expect(missing).toEqual([]);
  });
});
