/** The command `lectern explain`, from its arguments to its lines and exit code. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { scene } from '../pixels/jpeg-pyramid.ts';
import { type CommandResult, runCommand, runInProcess } from './run-command.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-explain-'));
const folder = path.join(scratch, 'scans');
const file = path.join(folder, 'book', 'x.tif');

beforeAll(async () => {
  mkdirSync(path.dirname(file), { recursive: true });
  const tiled = { compression: 'jpeg', tile: true, tileWidth: 128, tileHeight: 128, pyramid: true } as const;
  await scene(700, 530).tiff(tiled).toFile(file);
});
afterAll(() => rmSync(scratch, { recursive: true }));

const explain = (...args: readonly string[]): Promise<CommandResult> => runInProcess(['explain', ...args]);

/** The lines of the output as pairs, split at the column in which the texts begin. */
function linesOf(stdout: string): readonly (readonly [string, string])[] {
  const lines = stdout.trimEnd().split('\n');
  const column = (/^image\s+/.exec(lines[0] ?? '')?.[0] ?? '').length;
  return lines.map((line) => [line.slice(0, column).trimEnd(), line.slice(column)] as const);
}

const tile = 'iiif/3/book!x.tif/128,256,128,128/128,128/0/default.jpg';

it('prints how a tile is spliced, and the path of its file', async () => {
  const { code, stdout, stderr } = await runCommand(['explain', `/${tile}`, folder]).ended;
  expect([code, stderr]).toEqual([0, '']);
  const lines = linesOf(stdout);
  expect(lines.map(([name]) => name)).toEqual([
    'image',
    'file',
    'path',
    'send the file',
    'splice a stored tile',
    'level',
    'read',
    'step',
    'result',
    'cache key',
  ]);
  const of = Object.fromEntries(lines);
  expect(of).toMatchObject({
    image: 'book/x.tif, 700 x 530 pixels, tiff',
    path: file,
    'send the file': 'no: the picture is to be JPEG, the file is TIFF',
    'splice a stored tile': 'yes',
    read: 'the tile in column 1 of 6, row 2 of 5, counted from 0',
    result: '128 x 128 pixels, image/jpeg',
  });
  expect(lines.every(([, text]) => text !== '' && !text.startsWith(' '))).toBe(true);
});

test.each([
  [`http://images.example:8080/${tile}`],
  [`https://images.example/${tile}?x=1#top`],
  [tile],
  [`/Scaler/IIIF/3/book!x/128,256,128,128/128,128/0/default.jpg`],
  ['/Scaler?fn=book/x&mo=pxarea,clip,jpg&wx=128&wy=256&dw=128&dh=128'],
  ['/servlet/Scaler/book/x?mo=pxarea,clip,jpg&wx=128&wy=256&dw=128&dh=128'],
])('%s is the same tile', async (address) => {
  const { code, stdout } = await explain(address, folder);
  expect(code).toBe(0);
  expect(stdout).toContain('the tile in column 1 of 6, row 2 of 5');
});

it('prints the steps of a rendering in order, and why the image is rendered', async () => {
  const { stdout } = await explain(
    '/Scaler?fn=book/x.tif&dw=300&rot=30&mo=hmir&brgt=20&rgbm=1/0/0&colop=invert',
    folder,
  );
  const lines = linesOf(stdout);
  const from = lines.findIndex(([name]) => name === 'step');
  expect(lines.slice(from, -2).map(([, text]) => text)).toEqual([
    'resample 350 x 265 pixels from 0, 0 to 300 x 227 (cubic)',
    'mirror left to right',
    'turn by 30° clockwise',
    'red x 2 + 0, green x 1 + 0, blue x 1 + 0',
    'all colors x 1 + 20',
    'color operator INVERT',
    'encode as image/png',
  ]);
  expect(Object.fromEntries(lines)).toMatchObject({
    'splice a stored tile': 'no: the picture has to be mirrored or turned',
    render: 'yes',
    level: '2 of 4: 350 x 265 pixels, tiles of 128 x 128, directory 1 of the file',
  });
});

it('uses the settings that the server would have', async () => {
  const config = path.join(scratch, 'config.json');
  writeFileSync(
    config,
    JSON.stringify({ library: { folders: [folder] }, http: { contextPath: '/digilib' }, limits: { maxArea: 100 } }),
  );
  expect(await explain(`/digilib/${tile}`, '--config', config)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^lectern: the server would answer 400: .*at most 100 pixels.*\n$/) as string,
  });
  expect(await explain(`/${tile}`, '--config', config)).toMatchObject({ code: 2, stdout: '' });
});

test.each([
  [
    ['/Scaler?fn=nosuch&dw=10', folder],
    1,
    /^lectern: the server would answer 404: There is no image of this name\.\n$/,
  ],
  [
    ['/iiif/3/book!x.tif/0,0,1,1/0,0/0/default.jpg', folder],
    1,
    /^lectern: the server would answer 400: .*at least 1 pixel/,
  ],
  [['/iiif/3/..!x/full/max/0/default.jpg', folder], 1, /^lectern: the server would answer 404: /],
  [
    ['/iiif/3/book!x.tif/info.json', folder],
    2,
    /^lectern: \/iiif\/3\/book!x\.tif\/info\.json is no address of a picture; it has the form \/Scaler/,
  ],
  [['/', folder], 2, /is no address of a picture/],
  [[`/${tile}`, '/no/such/folder'], 2, /^lectern: there is no folder \/no\/such\/folder\n$/],
  [[], 2, /^lectern: missing required argument 'address'/],
])('%j: exit code %d', async (args, code, message) => {
  const result = await explain(...args);
  expect(result.code).toBe(code);
  expect(result.stderr).toMatch(message);
  expect(result.stderr.trim().split('\n')).toHaveLength(1);
  expect(result.stdout).toBe('');
});

it('is listed by --help', async () => {
  const { code, stdout } = await explain('--help');
  expect(code).toBe(0);
  for (const word of ['address', 'folders', '--config', 'Exit code']) expect(stdout).toContain(word);
});
