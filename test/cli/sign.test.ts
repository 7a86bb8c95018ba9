/** The command `lectern sign`, and `lectern access explain --link`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandResult, runInProcess } from './run-command.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-sign-'));
const config = path.join(scratch, 'lectern.json');
const images = fileURLToPath(new URL('../fixtures/golden/images/hires', import.meta.url));

beforeAll(async () => {
  const key = (await runInProcess(['sign', '--new-key', 'print'])).stdout;
  expect(key).toMatch(/^print [\w-]{43}\n$/);
  writeFileSync(path.join(scratch, 'keys'), key);
  const settings = {
    library: { folders: [images] },
    http: { publicAddress: 'https://library.example', contextPath: '/digilib' },
    access: {
      tiers: [{ name: 'small', maxSide: 50 }],
      paths: [{ path: '', roles: ['members'] }],
    },
    signedLinks: { keysFile: 'keys' },
  };
  writeFileSync(config, JSON.stringify(settings));
});
afterAll(() => rmSync(scratch, { recursive: true }));

const sign = (...args: readonly string[]): Promise<CommandResult> =>
  runInProcess(['sign', ...args, '--config', config]);

describe('sign', () => {
  it.each([
    ['books/book1', [], '/browse/books/book1?link=', 'opens “books/book1”'],
    [
      'photos/gray900x675',
      ['--tier', 'small'],
      '/view/photos/gray900x675.jpg?link=',
      'opens “photos/gray900x675.jpg”, in the tier small',
    ],
    [
      'photos/gray900x675.jpg',
      ['--original'],
      '/Scaler?fn=photos%2Fgray900x675.jpg&mo=rawfile&link=',
      'opens this address alone',
    ],
    [
      'https://library.example/digilib/view/photos/gray900x675.jpg?ww=0.5',
      [],
      '/view/photos/gray900x675.jpg?ww=0.5&link=',
      'opens “photos/gray900x675.jpg”',
    ],
    [
      '/digilib/iiif/3/photos!gray900x675/0,0,9,9/max/0/default.jpg',
      ['--tier', 'small'],
      '/iiif/3/photos!gray900x675;tier=small/0,0,9,9/max/0/default.jpg?link=',
      'opens this address alone, in the tier small',
    ],
  ])('prints the link of %s with %j, and says what it opens', async (subject, args, address, said) => {
    const { code, stdout, stderr } = await sign(subject, '--until', '2d', '--for', 'A. Reader', ...args);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^lectern: ${said}, for A\\. Reader, until \\d.* UTC; key print, id [\\w-]{8}\n$`),
      ),
    ]);
    expect(stdout.startsWith(`https://library.example/digilib${address}eyJ`)).toBe(true);
    const explained = await runInProcess([
      'access',
      'explain',
      'photos/gray900x675.jpg',
      '--link',
      stdout.trim(),
      '--config',
      config,
    ]);
    const lines = explained.stdout.split('\n');
    expect(lines[1]).toMatch(/^link {4}[\w-]{8}, key print, for A\. Reader, until .* UTC; opens /);
    expect(lines[3]).toMatch(
      subject === 'books/book1' ? /^access {2}no: You may not see this image\. \(401\)/ : /^access {2}yes/,
    );
  });

  it.each([
    [['nowhere', '--until', '2d'], 1, 'There is no image or folder of this name.'],
    [['books', '--until', 'never'], 2, '“until” must be a date'],
    [['books', '--until', '2001-01-01'], 2, '“until” is over already.'],
    [['books', '--until', '2d', '--tier', 'huge'], 2, 'There is no tier “huge”.'],
    [['books', '--until', '2d', '--key', 'mail'], 2, 'There is no key “mail”.'],
    [['books', '--until', '2d', '--once'], 2, 'signedLinks.usedFolder'],
    [['https://other.example/view/x', '--until', '2d'], 2, 'A link opens a path'],
    [['books'], 2, 'name what the link opens'],
    [['--new-key', 'revoked'], 2, 'must be a name'],
  ])('%j ends with %i', async (args, code, problem) => {
    const result = await sign(...args);
    expect([result.code, result.stdout, result.stderr]).toEqual([code, '', expect.stringContaining(problem)]);
  });

  it('explains why a link does not count', async () => {
    const { stdout } = await sign('books', '--until', '2d');
    writeFileSync(path.join(scratch, 'keys'), `other ${'o'.repeat(43)}\n`);
    const { code, stdout: said } = await runInProcess([
      'access',
      'explain',
      'books',
      '--link',
      stdout.trim(),
      '--config',
      config,
    ]);
    expect([code, said]).toEqual([1, expect.stringContaining('link    This link was withdrawn.')]);
  });
});
