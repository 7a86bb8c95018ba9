import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { Command, CommanderError } from 'commander';
import { afterAll, afterEach, beforeAll, expect, it, test, vi } from 'vitest';
import { addCompareCommand } from '../../src/cli/examining-commands.ts';
import { type FakeDigilib, startFakeDigilib } from './fake-digilib.ts';
import { goldenFolders } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-compare-use-'));

function write(name: string, content: string | Buffer): string {
  const file = path.join(scratch, name);
  writeFileSync(file, content);
  return file;
}

const lines = '/digilib/Scaler?fn=a\n'.repeat(3000);
const log = write('access.log', lines);
const digilibMark = 'DIGILIB';
const refusingMark = 'GONE';

let digilib: FakeDigilib;
let refusing = '';
beforeAll(async () => {
  digilib = await startFakeDigilib();
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  refusing = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  await new Promise((resolve) => silent.close(resolve));
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await digilib.close();
  rmSync(scratch, { recursive: true });
});

interface Ran {
  readonly code: typeof process.exitCode;
  readonly errors: string;
}

/** Runs the command in this process; returns its output on standard error. */
async function compare(args: readonly string[]): Promise<Ran> {
  const errors: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line) => void errors.push(String(line)));
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  const program = new Command().exitOverride().configureOutput({ writeErr: (text) => errors.push(text) });
  addCompareCommand(program);
  const before = process.exitCode;
  try {
    await program.parseAsync(['compare', ...args], { from: 'user' });
    return { code: process.exitCode, errors: errors.join('\n') };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { code: 2, errors: errors.join('\n') };
  } finally {
    process.exitCode = before;
  }
}

const folders = ['--folders', ...goldenFolders];
const old = ['--old', digilibMark];
const oldAndLog = [...old, '--log', log];

test.each([
  [[...old, ...folders], /required option '--log <files\.\.\.>' not specified/],
  [oldAndLog, /^lectern: give the new server: its address by --new, or /],
  [[...oldAndLog, '--new', digilibMark, ...folders], /^lectern: give either --new, or /],
  [['--old', 'ftp://x', '--log', log, ...folders], /^lectern: --old is no address; it must look like /],
  [['--old', 'http://me:pw@x/', '--log', log, ...folders], /^lectern: --old holds a password/],
  [['--old', 'http://x/?a', '--log', log, ...folders], /^lectern: --old must be an address without \? and #$/],
  [[...old, '--log', write('cut.gz', gzipSync(lines).subarray(0, 60)), ...folders], /its gzip compression is damaged$/],
  [[...old, '--log', scratch, ...folders], /^lectern: the log .* can’t be used: it is a folder$/],
  [
    [...old, '--log', write('empty.log', ''), ...folders],
    /^lectern: the log holds no GET or HEAD requests below \/digilib;/,
  ],
  [[...oldAndLog, '--log-path', '/other', ...folders], /^lectern: the log holds no .* below \/other;/],
  [[...oldAndLog, '--log-path', 'other', ...folders], /must look like \/digilib/],
  [[...oldAndLog, '--folders', '/no/such'], /^lectern: there is no folder \/no\/such$/],
  [[...oldAndLog, '--config', '/no/such.json'], /^lectern: .*\/no\/such\.json/],
  [
    ['--old', `${refusingMark}/digilib`, '--log', log, ...folders],
    /^lectern: --old .* does not answer: nothing listens there$/,
  ],
  [[...oldAndLog, '--new', refusingMark], /^lectern: --new .* does not answer: nothing listens there$/],
  [[...oldAndLog, ...folders, '--json', '/no/such/out'], /^lectern: --json \/no\/such\/out can’t be written/],
  [[...oldAndLog, ...folders, '--limit', '0'], /It is a number from 1 to 1000000\./],
  [[...oldAndLog, ...folders, '--timeout', '0'], /It is a number from 0\.1 to 3600\./],
  [[...oldAndLog, ...folders, '--tolerance', 'x'], /It is a number from 0 to 255\./],
])('names a usage error: %j', async (args, expected) => {
  const given = args.map((arg) => arg.replace(digilibMark, digilib.base).replace(refusingMark, refusing));
  const { code, errors } = await compare(given);
  expect(errors).toMatch(expected);
  expect(code).toBe(2);
});

it('exits with 0 for a log of requests with equal responses', async () => {
  const { code } = await compare(['--old', digilib.base, '--log', log, ...folders]);
  expect(code).toBe(0);
});
