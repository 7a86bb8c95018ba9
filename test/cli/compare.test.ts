import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { type FakeDigilib, scaled, startFakeDigilib } from '../protocol/fake-digilib.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const images = path.join(root, 'test/fixtures/golden/images');
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-compare-'));

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], input = '') {
  const child = spawn(process.execPath, [path.join(root, 'bin/lectern.cjs'), 'compare', ...args]);
  running.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, ...output })));
  return { child, ended };
}

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
  it('replays a log against digilib and a server of its own, and ends with 0 where all is as it should be', async () => {
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
    expect(stdout + stderr + data + digilib.asked.join()).not.toContain('secret');
  });

  it('reads standard input and a configuration, and ends with 1 where something differs', async () => {
    const config = write('lectern.json', JSON.stringify({ folders: folders.slice(1), contextPath: '/images' }));
    const input = '/books/Scaler?fn=photos/odd1201x799&dw=50\n';
    const args = ['--old', `${digilib.base}/`, '--config', config, '--log', '-', '--log-path', '/books'];
    const { code, stdout } = await run(args, input).ended;
    expect(stdout).toContain('50x33 instead of 40x27');
    expect(stdout).toContain('1 address (1 request) differs.');
    expect(code).toBe(1);
  });

  it('prints what is known when it is stopped', async () => {
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

  it('names what is wrong with its use, and ends with 2', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const gone = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await new Promise((resolve) => silent.close(resolve));
    const file = write('access.log', log);
    const cut = write('cut.gz', gzipSync(log.repeat(99)).subarray(0, 60));
    const { base } = digilib;
    const rows: readonly (readonly [readonly string[], RegExp])[] = [
      [['--log', file], /^lectern: required option '--old <url>' not specified/],
      [['--old', base], /^lectern: required option '--log <files\.\.\.>' not specified/],
      [['--old', base, '--log', file], /^lectern: give the new server: its address by --new, or /],
      [['--old', base, '--log', file, '--new', base, ...folders], /^lectern: give either --new, or /],
      [['--old', 'ftp://x', '--log', file, ...folders], /^lectern: --old is no address; it must look like /],
      [['--old', 'http://me:pw@x/', '--log', file, ...folders], /^lectern: --old holds a password/],
      [['--old', base, '--log', '/no/such.log', ...folders], /^lectern: the log \/no\/such\.log .*no such file$/m],
      [['--old', base, '--log', cut, ...folders], /^lectern: the log .* its gzip compression is damaged$/m],
      [['--old', base, '--log', scratch, ...folders], /^lectern: the log .* it is a folder$/m],
      [
        ['--old', base, '--log', file, '--log-path', '/other', ...folders],
        /^lectern: the log holds no GET .* below \/other;/,
      ],
      [['--old', base, '--log', file, '--log-path', 'other', ...folders], /^lectern: .*must look like \/digilib/],
      [['--old', base, '--log', file, '--folders', '/no/such'], /^lectern: there is no folder \/no\/such$/m],
      [
        ['--old', `${gone}/digilib`, '--log', file, ...folders],
        /^lectern: --old .* does not answer: nothing listens there$/m,
      ],
      [['--old', base, '--log', file, '--new', gone], /^lectern: --new .* does not answer: nothing listens there$/m],
      [
        ['--old', base, '--log', file, ...folders, '--json', '/no/such/out'],
        /^lectern: --json \/no\/such\/out can’t be written/,
      ],
      [['--old', base, '--log', file, ...folders, '--limit', '0'], /^lectern: .*It is a number from 1 to 1000000\./],
      [['--old', base, '--log', file, ...folders, '--tolerance', 'x'], /^lectern: .*It is a number from 0 to 255\./],
    ];
    for (const [args, expected] of rows) {
      const { code, stderr } = await run(args).ended;
      expect(stderr, args.join(' ')).toMatch(expected);
      expect(stderr).not.toContain('at ');
      expect(code, args.join(' ')).toBe(2);
    }
  });

  test('--help says all of it', async () => {
    const { code, stdout } = await run(['--help']).ended;
    for (const word of ['--old', '--new', '--folders', '--log-path', '--seed', '--tolerance', 'Exit code', 'gzip']) {
      expect(stdout).toContain(word);
    }
    expect(code).toBe(0);
  });
});
