import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it, test } from 'vitest';
import type { FolderListing } from '../../src/image/folder/folder-listing.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const bin = path.join(root, 'bin/lectern.cjs');
const images = path.join(root, 'test/fixtures/golden/images/hires');
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-cli-'));
afterAll(() => rmSync(scratch, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const running: ChildProcess[] = [];
afterEach(() => {
  for (const { pid, exitCode, signalCode } of running.splice(0)) {
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
  }
});

const environment = (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const { PORT: _port, HOST: _host, ...rest } = process.env;
  return { ...rest, ...more };
};

function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  command: readonly string[] = [process.execPath, bin],
  cwd = root,
) {
  const [program = '', ...before] = command;
  // In a process group of its own, which ends as a whole: npx starts the command as its child.
  const child = spawn(program, [...before, ...args], { cwd, env: environment(env), detached: true });
  running.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, ...output })));
  /** The address of the start page that the command prints. */
  const started = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const address = /Start page +(\S+)/.exec(output.stdout)?.[1];
      if (address && output.stdout.includes('Ctrl-C')) resolve(address);
    });
    void ended.then(({ stderr }) => reject(new Error(`ended before it served: ${stderr}`)));
  });
  started.catch(() => undefined);
  return { child, ended, started, output };
}

const addressesIn = (text: string): readonly string[] =>
  [...text.matchAll(/http:\/\/\S+/g)].map(([address]) => address);

describe('the command', () => {
  it('serves the samples without arguments, and prints addresses that answer', async () => {
    const { started, output, child, ended } = run([], { PORT: '0' });
    const home = await started;
    expect(await (await fetch(home)).text()).toContain('<div id="room">');
    const { folders } = (await (await fetch(`${home}api/folder.json`)).json()) as FolderListing;
    const samples = readdirSync(path.join(root, 'samples'), { withFileTypes: true });
    const names = samples.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(folders.map(({ name }) => name)).toEqual(names.sort());
    const addresses = addressesIn(output.stdout);
    expect(addresses.length).toBeGreaterThanOrEqual(4);
    for (const address of addresses) expect((await fetch(address)).status, address).toBe(200);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  it('serves folders on the port and host that it is told', async () => {
    const { started } = run([images, '--port', '0', '--host', '127.0.0.1', '--context-path', '/digilib']);
    const home = await started;
    expect(home).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/digilib\/$/);
    const info = (await (await fetch(`${home}api/dlInfo-json.jsp?fn=photos/tiny100x80`)).json()) as Record<
      string,
      string
    >;
    expect(info['img.pix_x']).toBe('100');
  });

  it('reads a configuration file, below the environment, below flags', async () => {
    const config = path.join(scratch, 'config.json');
    writeFileSync(config, JSON.stringify({ folders: [images], port: 1, host: '127.0.0.9', contextPath: '/from-file' }));
    const { started } = run(['--config', config, '--port', '0'], { HOST: '127.0.0.1', PORT: '2' });
    expect(await started).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/from-file\/$/);
  });

  it('--help says all of it', async () => {
    const { code, stdout } = await run(['--help']).ended;
    expect(code).toBe(0);
    for (const word of [
      'folders',
      '--port',
      '--host',
      'PORT',
      'HOST',
      '--context-path',
      '--trusted-proxy',
      '--config',
      'prescaled',
    ]) {
      expect(stdout).toContain(word);
    }
  });

  test.each([
    [['/no/such/folder'], /^lectern: there is no folder \/no\/such\/folder\n$/],
    [[path.join(images, 'books/book1/page0001.jpg')], /^lectern: there is no folder .*page0001\.jpg\n$/],
    [['--colour'], /^lectern: unknown option '--colour'\n/],
    [['--port', 'x'], /^lectern: .*0 to 65535/],
    [['--port', '70000'], /^lectern: .*0 to 65535/],
    [['--context-path', 'a b'], /^lectern: contextPath: must look like \/digilib\n$/],
    [['--trusted-proxy', '10.0.0.0/99'], /^lectern: trustedProxies\[0\]: /],
    [['--log-level', 'loud'], /^lectern: logLevel: /],
    [['--config', '/no/such/file'], /^lectern: there is no configuration file/],
    [[images, '--host', '192.0.2.1'], /^lectern: this machine has no address 192\.0\.2\.1/],
  ])('%j is refused in one clear line with exit code 2', async (args, message) => {
    const { code, stderr, stdout } = await run(args).ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
  });

  it('names all that is wrong in a configuration file at once', async () => {
    const config = path.join(scratch, 'bad.json');
    writeFileSync(config, JSON.stringify({ folders: [images], portt: 1, orientation: 'up', maxArea: -1 }));
    const { code, stderr } = await run(['--config', config]).ended;
    expect(code).toBe(2);
    for (const word of ['portt', 'orientation', 'maxArea']) expect(stderr).toContain(word);
  });

  it('says that a port is in use', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, stderr } = await run([images, '--port', String(port)]).ended;
    other.close();
    expect(code).toBe(2);
    expect(stderr).toBe(`lectern: port ${port} on 127.0.0.1 is in use; choose another with --port\n`);
  });
});

/** A copy of what packages are made from. Packing builds, and other tests are using what is built here. */
function copySources(): string {
  const copy = path.join(scratch, 'sources');
  const left = ['.git', 'bench', 'dist', 'node_modules', 'test'].map((name) => path.join(root, name));
  cpSync(root, copy, { recursive: true, filter: (file) => !left.includes(file) });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

it('works as a package that is installed in an empty folder', async () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', scratch], {
      cwd: copySources(),
      encoding: 'utf8',
    }),
  ) as { filename: string; size: number }[];
  if (packed === undefined) throw new Error('npm pack made nothing');
  const place = path.join(scratch, 'empty');
  mkdirSync(place);
  writeFileSync(path.join(place, 'package.json'), '{}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', path.join(scratch, packed.filename)], {
    cwd: place,
    stdio: 'pipe',
  });
  const { started } = run([images, '--port', '0'], {}, ['npx', '--no-install', 'lectern'], place);
  const home = await started;
  expect((await fetch(`${home}iiif/3/photos!tiny100x80/full/50,/0/default.jpg`)).status).toBe(200);
  expect((await fetch(`${home}Scaler?fn=nosuch&dw=100`)).headers.get('content-type')).toBe('image/png');
}, 120_000);
