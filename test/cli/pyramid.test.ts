/** The command `lectern pyramid`, and what `lectern doctor` prints about slow images. */
import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { repeatTile } from '../fixtures/jpeg2000/repeated-tiles.mjs';
import { blobs } from '../protocol/blob-image.ts';
import { startApp } from '../protocol/running-app.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/jpeg2000/${name}`, import.meta.url));
const bin = fileURLToPath(new URL('../../bin/lectern.cjs', import.meta.url));
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-pyramid-cli-'));
const folder = path.join(scratch, 'scans');
const store = path.join(scratch, 'store');
const config = path.join(scratch, 'lectern.json');

beforeAll(async () => {
  mkdirSync(path.join(folder, 'book'), { recursive: true });
  await blobs(2400, 1500)
    .png({ compressionLevel: 1 })
    .toFile(path.join(folder, 'book', 'one.png'));
  await blobs(2400, 1600)
    .png({ compressionLevel: 1 })
    .toFile(path.join(folder, 'book', 'two.png'));
  await blobs(600, 400).jpeg().toFile(path.join(folder, 'quick.jpg'));
  writeFileSync(config, JSON.stringify({ pyramids: { directory: store } }));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function lectern(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

const pyramids = (): readonly string[] => readdirSync(store).filter((name) => name.endsWith('.tif'));
const work = (): readonly string[] => readdirSync(path.join(store, 'work'));

it('prints in a dry run what would be made, and makes nothing', () => {
  const { code, stdout } = lectern('pyramid', '--config', config, '--dry-run', '--jobs', '1', folder);
  expect(stdout).toMatch(/^3 images: 2 are slow to cut, 0 of these have a pyramid already\.\n/);
  expect(stdout).toMatch(
    /2 pyramids would be made: about \S+ (?:kB|MB), in about \S+ s by 1 job at once \(measured on 2 samples\)\.\n$/,
  );
  expect(code).toBe(0);
  expect(() => readdirSync(store)).toThrow();
});

it('stops on Ctrl-C without partial files, and the next run continues', async () => {
  const child = spawn(process.execPath, [bin, 'pyramid', '--config', config, '--jobs', '1', folder]);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  // The progress bar prints a line to standard error for each pyramid: after the first one, the second is being made.
  child.stderr.once('data', () => child.kill('SIGINT'));
  expect(await ended).toBe(130);
  expect(work()).toEqual([]);
  const before = pyramids().length;
  const { code, stdout } = lectern('pyramid', '--config', config, folder);
  expect(code).toBe(0);
  expect(stdout).toContain(`${before} of these ${before === 1 ? 'has' : 'have'} a pyramid already.`);
  expect(pyramids()).toHaveLength(2);
  expect(work()).toEqual([]);
});

it('skips existing pyramids', () => {
  const { code, stdout } = lectern('pyramid', '--config', config, folder);
  expect([code, stdout.split('\n')[0]]).toEqual([0, '3 images: 2 are slow to cut, 2 of these have a pyramid already.']);
  expect(stdout).toContain('Made no pyramids');
});

it('makes pyramids that a server with the same configuration finds', async () => {
  const app = await startApp({
    library: { folders: [folder] },
    http: { explain: true },
    pyramids: { directory: store, automatic: false },
  });
  const address = '/iiif/3/book!one.png/512,512,512,512/512,512/0/default.jpg?explain=1';
  let answer = '';
  for (let attempt = 0; attempt < 100 && !answer.includes('"yes"'); attempt++)
    answer = (await app.get(address)).body.toString();
  expect(answer).toContain('derived pyramid of book/one.png');
  await app.close();
});

/** Starts a run in a store of its own. */
function begin(name: string) {
  const own = path.join(scratch, name);
  const settings = path.join(scratch, `${name}.json`);
  writeFileSync(settings, JSON.stringify({ pyramids: { directory: own } }));
  const args = [bin, 'pyramid', '--config', settings, '--jobs', '1', folder];
  const child = spawn(process.execPath, args);
  let stdout = '';
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  const ended = new Promise<string>((resolve) => child.once('close', () => resolve(stdout)));
  const files = (subfolder = ''): readonly string[] =>
    readdirSync(path.join(own, subfolder)).filter((each) => each.startsWith('lectern-'));
  return { child, ended, files, args };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const madeIn = (stdout: string): number => Number(/Made (\d+) pyramid/.exec(stdout)?.[1] ?? 0);

it('makes each pyramid once, also when two runs share a store', async () => {
  const [one, other] = [begin('shared'), begin('shared')];
  const outputs = await Promise.all([one.ended, other.ended]);
  expect(outputs.map(madeIn).reduce((sum, made) => sum + made)).toBe(2);
  expect(one.files()).toHaveLength(2);
  expect(one.files('work')).toEqual([]);
});

it('a run that is killed while it writes leaves no usable pyramid, and the next run cleans up', async () => {
  const { child, ended, files, args } = begin('killed');
  const isWriting = (): boolean =>
    existsSync(path.join(scratch, 'killed', 'work')) && files('work').some((name) => name.endsWith('.part'));
  for (let attempt = 0; attempt < 8000 && !isWriting(); attempt++) await pause(5);
  expect(isWriting()).toBe(true);
  child.kill('SIGKILL');
  await ended;
  const before = files().length;
  expect(before).toBeLessThan(2);
  expect(files('work').length).toBeGreaterThan(0);
  const { status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, files().length, files('work')]).toEqual([0, 2, []]);
});

test('a full store is reported, and no existing pyramid is removed', () => {
  const small = path.join(scratch, 'small.json');
  writeFileSync(small, JSON.stringify({ pyramids: { directory: store, maxBytes: 1_000_000, quality: 80 } }));
  const before = pyramids();
  const { code, stdout } = lectern('pyramid', '--config', small, folder);
  expect(code).toBe(1);
  expect(stdout).toContain('The others were not made: The store of 1 MB is full of pyramids that are in use.');
  expect(pyramids()).toEqual(before);
});

test('images that can’t be read are named', () => {
  const other = path.join(scratch, 'other');
  mkdirSync(other);
  writeFileSync(path.join(other, 'text.jpg'), 'text');
  const { code, stdout } = lectern('pyramid', '--config', config, other);
  expect(code).toBe(1);
  expect(stdout).toContain(`${path.join(other, 'text.jpg')}: The file is no image of a known format.`);
});

describe('is refused', () => {
  test.each([
    ['without a folder', ['pyramid'], /missing required argument/],
    ['of a folder that there is not', ['pyramid', path.join(scratch, 'nowhere')], /there is no folder /],
    ['with no jobs', ['pyramid', '--jobs', '0', folder], /a number from 1 to 256/],
    ['with an unknown option', ['pyramid', '--fast', folder], /unknown option/],
  ])('%s', (_, args, message) => {
    const { code, stderr } = lectern(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('where the settings allow no pyramids', () => {
    const off = path.join(scratch, 'off.json');
    writeFileSync(off, JSON.stringify({ pyramids: { maxBytes: 0 } }));
    const { code, stderr } = lectern('pyramid', '--config', off, folder);
    expect([code, stderr]).toEqual([2, 'lectern: pyramids.maxBytes is 0: the settings allow no pyramids\n']);
  });

  it('where the store can’t be written to', () => {
    const bad = path.join(scratch, 'bad.json');
    writeFileSync(bad, JSON.stringify({ pyramids: { directory: path.join(config, 'store') } }));
    const { code, stderr } = lectern('pyramid', '--config', bad, folder);
    expect(code).toBe(2);
    expect(stderr).toMatch(/pyramids can’t be written to .* \(ENOTDIR\); name another folder/);
  });
});

it('makes pyramids of JPEG 2000 files, of which lectern doctor names those of a slow shape', {
  tags: 'exhaustive',
}, () => {
  const scans = path.join(scratch, 'jpeg2000');
  mkdirSync(scans);
  copyFileSync(fixture('large-lossy.jp2'), path.join(scans, 'untiled.jp2'));
  writeFileSync(path.join(scans, 'tiles.j2k'), repeatTile(readFileSync(fixture('tiled-lossless.jp2')), 40, 40));
  const own = path.join(scratch, 'jpeg2000.json');
  writeFileSync(own, JSON.stringify({ pyramids: { directory: path.join(scratch, 'jpeg2000-store') } }));
  const { code, stdout } = lectern('pyramid', '--config', own, scans);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^2 images: 2 are slow to cut.*Made 2 pyramids/s)]);
  const doctor = lectern('doctor', scans).stdout;
  expect(doctor).toContain('1 of 2 JPEG 2000 files has a shape that makes them slow to decode');
  expect(doctor).toContain(`${path.join(scans, 'tiles.j2k')}: its tiles of 64 x 64 are so small`);
  expect(doctor).toMatch(/kdu_compress .*opj_compress .*grk_compress /s);
});

describe('lectern doctor', () => {
  it('names slow images, with the costs and gains of a pyramid', () => {
    const { code, stdout } = lectern('doctor', folder);
    expect(code).toBe(0);
    expect(stdout).toContain('2 images are slow to cut tiles from;');
    expect(stdout).toContain(`${path.join(folder, 'book', 'one.png')}: it is a PNG of 3.6 megapixels without tiles`);
    expect(stdout).toMatch(
      /Measured on .*two\.png: a tile takes \S+ ms now and \S+ ms from a pyramid, made in \S+ s\. All pyramids would take about \S+ (?:kB|MB)\./,
    );
    expect(stdout).toContain('2 folders, 3 images, no faults');
  });

  it('prints nothing of them if there are none', () => {
    const { stdout } = lectern('doctor', path.join(scratch, 'other'));
    expect(stdout).not.toContain('slow');
  });
});
