/** Pages of the documentation: links lead to files, named files exist, and figures are those of the benchmark. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (page: string): string => readFileSync(path.join(root, page), 'utf8');

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
];

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

const missingFrom = (folders: readonly string[], names: readonly string[]): readonly string[] =>
  names.filter((name) => !folders.some((folder) => existsSync(path.join(root, folder, name))));

describe.each(pages)('%s', (page) => {
  it('has links to files that exist', () => {
    const links = matches(read(page), /\]\(([^)#\s]+)[^)]*\)/g).filter((link) => !/^[a-z]+:/.test(link));
    expect(missingFrom([path.dirname(page)], links)).toEqual([]);
  });

  it('names files that exist', () => {
    const names = matches(read(page), /`((?:src|web|test|scripts|docs|bench)\/[\w./-]+\.(?:ts|tsx|mjs|md|json))`/g);
    expect(missingFrom(['.', 'src', 'web/src'], names)).toEqual([]);
  });
});

it('README.md and the list of addresses have no table cell of more than 120 characters', () => {
  const cells = ['README.md', 'docs/reference/addresses.md']
    .map(read)
    .join('\n')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => line.split('|').map((cell) => cell.trim()));
  expect(cells.length).toBeGreaterThan(40);
  expect(cells.filter((cell) => cell.length > 120)).toEqual([]);
});

describe('docs/performance.md', () => {
  /** The ratio at 8 connections by row and peer, from the table of the results. */
  const ratios = new Map(
    [...read('bench/results.md').matchAll(/^(\S+) +8 +\S+ +(\S.*?) {2,}\S+ +([\d.]+) /gm)].map(
      ([, row, peer, ratio]) => [`${row} ${peer}`, Number(ratio)] as const,
    ),
  );

  const claims = [
    ...read('docs/performance.md').matchAll(/^\|[^|]*\| `([\w-]+)` *\| ([^|]+?) *\| ([\d.]+) *\|$/gm),
  ].map(([, row = '', peer = '', ratio = '']) => [row, peer, Number(ratio)] as const);

  it('has a table of ratios', () => expect(claims.length).toBeGreaterThan(10));

  it.each(claims)('states the ratio of %s to %s as the benchmark measured it', (row, peer, ratio) => {
    const measured = ratios.get(`${row} ${peer}`) ?? Number.NaN;
    expect(Math.abs(ratio / measured - 1)).toBeLessThan(0.15);
  });
});
