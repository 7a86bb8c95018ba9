/** Which names `lectern doctor` reports, since the server shows no file or folder of them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { examine } from '../../../src/cli/doctor/examination.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-doctor-names-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('names images and folders that no address can name, with the reason', async () => {
  const jpeg = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#369' } })
    .jpeg()
    .toBuffer();
  for (const name of ['plain.jpg', 'a\\b.jpg', '%2e%2e%2fc.jpg', '100%.jpg', '.hidden\\d.jpg']) {
    writeFileSync(path.join(folder, name), jpeg);
  }
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x7a, 0xff]), Buffer.from('.jpg')]), jpeg);
  writeFileSync(path.join(folder, 'notes\\of.odt'), 'no image');
  mkdirSync(path.join(folder, 'e\\f'));
  const lines: string[] = [];
  await examine([folder], async (line) => void lines.push(path.relative(folder, line)));
  const about = (reason: string) => expect.stringContaining(`The name has ${reason}`);
  const faults = lines.filter((line) => line.includes('no address can name it'));
  expect(faults).toEqual([
    about('an encoded “..”'),
    about('a backslash'),
    about('a backslash'),
    about('bytes that are not UTF-8'),
  ]);
  expect(faults[1]).toContain('a\\b.jpg');
  expect(faults[2]).toContain('e\\f');
});
