/** The pictures of watermarks: small PNG and SVG files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { readMark } from '../../../../src/config/files/mark-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-mark-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Buffer): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

const pixels = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#0000' } });

const problemOf = (file: string) => {
  const found = readMark(file);
  return 'problem' in found ? found.problem : found.mediaType;
};

it('are PNG and SVG files', async () => {
  expect(problemOf(write('a.png', await pixels(10, 10).png().toBuffer()))).toBe('image/png');
  expect(problemOf(write('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe('image/svg+xml');
});

it('are no other files', async () => {
  expect(problemOf(write('a.jpg', await pixels(10, 10).jpeg().toBuffer()))).toContain('is no SVG or PNG picture');
  expect(problemOf(write('b.svg', '<html/>'))).toContain('is no SVG picture');
  expect(problemOf(write('b.png', Buffer.from('89504e470d0a1a0a', 'hex')))).toContain('is no complete PNG picture');
  expect(problemOf(path.join(folder, 'none.png'))).toContain('there is no file');
});

it('are small', async () => {
  expect(problemOf(write('long.png', await pixels(4097, 1).png().toBuffer()))).toContain('has 4097 x 1 pixels');
  expect(problemOf(write('large.svg', `<svg>${' '.repeat(600_000)}</svg>`))).toContain('is larger than 512 KiB');
});
