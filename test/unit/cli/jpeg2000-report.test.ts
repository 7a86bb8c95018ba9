/** What `lectern doctor` says of JPEG 2000 files. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { decoderName } from '@lectern/jpeg2000';
import { afterAll, expect, it } from 'vitest';
import { examine } from '../../../src/cli/doctor/examination.ts';
import { Jpeg2000Files, jpeg2000Report } from '../../../src/cli/doctor/reports.ts';
import { repeatTile } from '../../fixtures/jpeg2000/repeated-tiles.mjs';

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/jpeg2000/${name}`, import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'lectern-jpeg2000-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function reportOf(): Promise<readonly string[]> {
  const files = new Jpeg2000Files();
  await examine([folder], async () => undefined, files);
  return jpeg2000Report(files).map((line) => line.replaceAll(folder, '…'));
}

it('names those whose shape makes them slow', async () => {
  expect(await reportOf()).toEqual([]);
  copyFileSync(fixture('gray.jp2'), path.join(folder, 'gray.jp2'));
  const tiles = readFileSync(fixture('large-tiles.jp2'));
  writeFileSync(path.join(folder, 'tiles.j2k'), repeatTile(tiles, 10, 10));
  expect(await reportOf()).toEqual([`2 JPEG 2000 files are decoded by ${decoderName()}.`]);
  writeFileSync(path.join(folder, 'small-tiles.j2k'), repeatTile(readFileSync(fixture('tiled-lossless.jp2')), 40, 40));
  const lines = await reportOf();
  expect(lines.slice(0, 3)).toEqual([
    `3 JPEG 2000 files are decoded by ${decoderName()}.`,
    '1 of 3 JPEG 2000 files has a shape that makes them slow to decode until they have a pyramid:',
    '  …/small-tiles.j2k: its tiles of 64 x 64 are so small that views and thumbnails take hundreds of them',
  ]);
  expect(lines.join('\n')).toMatch(/kdu_compress .*opj_compress .*grk_compress/s);
});
