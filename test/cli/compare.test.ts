/** The command `lectern compare`, with a replayed log. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type FakeDigilib, scaled, startFakeDigilib } from '../protocol/fake-digilib.ts';
import { type RunningCommand, root, runCommand } from './run-command.ts';

const images = path.join(root, 'test/fixtures/golden/images');
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-compare-'));

const run = (args: readonly string[], input = ''): RunningCommand => runCommand(['compare', ...args], { input });

function write(name: string, content: string | Buffer): string {
  const file = path.join(scratch, name);
  writeFileSync(file, content);
  return file;
}

const logged = (request: string): string => `10.0.0.7 - - [01/Feb/2025:10:00:00 +0100] "${request}" 200 5120\n`;

const picture = '/Scaler?fn=photos/odd1201x799&dw=100';
const log = [
  logged(`GET /digilib${picture}&id_token=secret HTTP/1.1`).repeat(3),
  logged('GET /digilib/Scaler?fn=photos/nosuch&dw=100 HTTP/1.1'),
  logged('GET /digilib/api/dlInfo-json.jsp?dw=5 HTTP/1.1'),
  logged('GET /favicon.ico HTTP/1.1'),
  'no request\n',
].join('');

let digilib: FakeDigilib;
beforeAll(async () => {
  const status = { type: 'text/html', body: '' };
  digilib = await startFakeDigilib({
    [picture]: scaled('photos/odd1201x799.jpg', 100, 67),
    '/Scaler?fn=photos/odd1201x799&dw=50': scaled('photos/odd1201x799.jpg', 40, 27),
    '/Scaler?fn=photos%2Fodd1201x799&dw=50&mo=errcode': status,
    '/slow': 'hang',
  });
});
afterAll(async () => {
  await digilib.close();
  rmSync(scratch, { recursive: true });
});

const folders = ['--folders', path.join(images, 'hires'), path.join(images, 'scaled')];

describe('lectern compare', () => {
  it('replays a log against digilib and a server of its own, and exits with 0 if nothing differs unexpectedly', async () => {
    const json = path.join(scratch, 'out.json');
    const file = write('access.log.gz', gzipSync(log));
    const { code, stdout, stderr } = await run(['--old', digilib.base, ...folders, '--log', file, '--json', json])
      .ended;
    expect(stdout).toContain('The log has 7 lines: 5 requests for 3 addresses.');
    expect(stdout).toContain('left out: 1 request outside of the context path');
    expect(stdout).toContain('left out: 1 line without a request; the first is line 7');
    expect(stdout).toMatch(/^ +3 +60\.0 % +1 +the same$/m);
    expect(stdout).toMatch(/^ +1 +20\.0 % +1 +on purpose: true status instead of 200$/m);
    expect(stdout).toContain('Nothing differs but what does on purpose.');
    expect(stderr).toContain('100 %: 3 of 3');
    expect(code).toBe(0);
    const data = readFileSync(json, 'utf8');
    expect(JSON.parse(data)).toMatchObject({
      servers: { old: digilib.base },
      total: { addresses: 3, requests: 5 },
      byKind: { same: { requests: 3 }, 'on-purpose': { addresses: 2 }, different: { addresses: 0 } },
      groups: [
        { cause: 'true-status' },
        { cause: 'own-address' },
        { cause: 'same', comparisons: [{ new: { status: 200 } }] },
      ],
    });
    expect(stdout + stderr + data + digilib.received.join()).not.toContain('secret');
  });

  it('reads standard input and a configuration, and exits with 1 if something differs', async () => {
    const config = write(
      'lectern.json',
      JSON.stringify({ library: { folders: folders.slice(1) }, http: { contextPath: '/images' } }),
    );
    const input = '/books/Scaler?fn=photos/odd1201x799&dw=50\n';
    const args = ['--old', `${digilib.base}/`, '--config', config, '--log', '-', '--log-path', '/books'];
    const { code, stdout } = await run(args, input).ended;
    expect(stdout).toContain('50x33 instead of 40x27');
    expect(stdout).toContain('1 address (1 request) differs.');
    expect(code).toBe(1);
  });

  it('prints the results so far when it is stopped', async () => {
    const { child, ended } = run(
      ['--old', digilib.base, ...folders, '--log', '-', '--concurrency', '2', '--timeout', '50'],
      `/digilib${picture}\n/digilib${picture}\n/digilib/slow\n`,
    );
    child.stderr.on('data', (text) => String(text).includes('1 of 2') && child.kill('SIGINT'));
    const { code, stdout } = await ended;
    expect(stdout).toContain('Stopped by Ctrl-C');
    expect(stdout).toContain('Compared 1 address of 2 that were chosen, which stand for 2 of 3 requests');
    expect(code).toBe(130);
  });

  test.each([
    [['--log', 'access.log'], /^lectern: required option '--old <url>' not specified/],
    [
      ['--old', 'http://x', '--log', 'no.log', '--new', 'http://y'],
      /^lectern: the log no\.log can’t be used: there is no such file\n$/,
    ],
  ])('names a usage error, and exits with 2: %j', async (args, expected) => {
    const { code, stderr } = await run(args).ended;
    expect(stderr).toMatch(expected);
    expect(code).toBe(2);
  });

  test('--help describes all of it', async () => {
    const { code, stdout } = await run(['--help']).ended;
    for (const word of ['--old', '--new', '--folders', '--log-path', '--seed', '--tolerance', 'Exit code', 'gzip']) {
      expect(stdout).toContain(word);
    }
    expect(code).toBe(0);
  });
});
