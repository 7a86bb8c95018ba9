import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../fixtures/pdf-programs.ts';
import { makeScans, type Scans } from '../protocol/scans.ts';
import { type CommandResult, runCommand } from './run-command.ts';

let scans: Scans;
let folder: string;
let caches: string;

beforeAll(async () => {
  scans = await makeScans();
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-pdf-'));
  caches = mkdtempSync(path.join(tmpdir(), 'lectern-pdf-cache-'));
});

afterAll(() => {
  scans.remove();
  rmSync(folder, { recursive: true });
  rmSync(caches, { recursive: true });
});

/** Runs `lectern pdf` in the folder of the test, with a cache of its own. */
const pdf = (...options: readonly string[]): Promise<CommandResult> =>
  runCommand(['pdf', ...options], { cwd: folder, env: { XDG_CACHE_HOME: caches } }).ended;

const saved = (name: string): string => path.join(folder, name);

describe('lectern pdf', () => {
  it('writes a folder under its name, and tells its progress', { tags: 'pdf-readers' }, async () => {
    const { code, stdout, stderr } = await pdf('book', scans.directory);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^20 %: 1 of 5\n[\s\S]*100 %: 5 of 5\nbook\.pdf: 5 pages, [\d.]+ [kM]B\n$/);
    expect(run('qpdf', '--check', saved('book.pdf'))).toContain('No syntax or stream encoding errors found');
    expect(run('pdfinfo', saved('book.pdf'))).toMatch(/Pages:\s+6/);
  });

  it('writes some pages, smaller, in a language, in place of a file that is there', {
    tags: 'pdf-readers',
  }, async () => {
    writeFileSync(saved('some.pdf'), 'old');
    const options = ['--pages', '2,1', '--dpi', '75', '--language', 'de', '--output', 'some.pdf'];
    expect((await pdf('book', scans.directory, ...options)).code).toBe(0);
    expect(run('pdfimages', '-list', saved('some.pdf'))).toMatch(/image\s+450\s+600\s/);
    expect(run('pdftotext', '-layout', '-l', '1', saved('some.pdf'), '-')).toContain('Seiten');
  });

  it('takes labels of pages', async () => {
    const { code, stderr } = await pdf('book', scans.directory, '--pages', '1r–1v', '--output', 'labels.pdf');
    expect([code, stderr]).toEqual([0, expect.stringContaining('labels.pdf: 2 pages')]);
  });

  it('writes to standard output', async () => {
    const { code, stdout, stderr } = await pdf('book', scans.directory, '--pages', '1', '--output', '-');
    expect([code, stdout.slice(0, 5)]).toEqual([0, '%PDF-']);
    expect(stderr).toContain('1 page');
  });

  it.each([
    ['a folder that is not there', ['nothing'], 1, /^lectern: .*\n$/],
    ['pages that are not there', ['book', '--pages', '70-'], 1, /^lectern: There is no page to show/],
    ['a label that no page has', ['book', '--pages', '1r-9x'], 1, /^lectern: “1r-9x” names no pages/],
    ['a size that is no number', ['book', '--size', 'x'], 2, /lectern: /],
    ['an output that can’t be written', ['book', '--output', 'no/such/folder.pdf'], 1, /^(?:\d+ %.*\n)*lectern: /],
  ] as const)('explains %s, and leaves no file', async (_what, [name, ...options], code, sentence) => {
    const before = readdirSync(folder);
    const result = await pdf(name, scans.directory, ...options);
    expect(result.code, result.stderr).toBe(code);
    expect(result.stderr).toMatch(sentence);
    expect(result.stderr).not.toMatch(/\n\s+at /);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('keeps the former file where the new one can’t be made', async () => {
    writeFileSync(saved('kept.pdf'), 'former');
    expect((await pdf('book', scans.directory, '--pages', '70-', '--output', 'kept.pdf')).code).toBe(1);
    expect(readFileSync(saved('kept.pdf'), 'utf8')).toBe('former');
    expect(existsSync(saved('kept.pdf.part'))).toBe(false);
  });
});
