/** The command `lectern`: serving, its arguments, its configuration file, and the package that is published. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, test, vi } from 'vitest';
import type { FolderListing } from '../../src/core/image/folder/folder-listing.ts';
import { root, runCommand, runInProcess } from './run-command.ts';

const images = path.join(root, 'test/fixtures/golden/images/hires');
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-cli-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const addressesIn = (text: string): readonly string[] =>
  [...text.matchAll(/http:\/\/\S+/g)].map(([address]) => address);

describe('the command', () => {
  it('serves the samples without arguments, and prints addresses that answer', async () => {
    // The start waits a second for an example, which can be too short on a busy machine.
    const { started, output, child, ended } = await vi.waitUntil(
      async () => {
        const command = runCommand([], { env: { PORT: '0' } });
        await command.started;
        if (addressesIn(command.output.stdout).length >= 4) return command;
        command.child.kill('SIGKILL');
        return undefined;
      },
      { timeout: 50_000 },
    );
    const home = await started;
    expect(await (await fetch(home)).text()).toContain('<div id="room">');
    const { folders } = (await (await fetch(`${home}api/folder.json`)).json()) as FolderListing;
    const samples = readdirSync(path.join(root, 'samples'), { withFileTypes: true });
    const names = samples.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(folders.map(({ name }) => name)).toEqual(names.sort());
    for (const address of addressesIn(output.stdout)) expect((await fetch(address)).status, address).toBe(200);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  it('serves folders on the given port and host', async () => {
    const { started } = runCommand([images, '--port', '0', '--host', '127.0.0.1', '--context-path', '/digilib']);
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
    writeFileSync(
      config,
      JSON.stringify({
        library: { folders: [images] },
        http: { port: 1, host: '127.0.0.9', contextPath: '/from-file' },
      }),
    );
    const { started } = runCommand(['--config', config, '--port', '0'], { env: { HOST: '127.0.0.1', PORT: '2' } });
    expect(await started).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/from-file\/$/);
  });

  it('--help names every header of a trusted proxy that counts', async () => {
    const source = readFileSync(path.join(root, 'src/core/http/origin.ts'), 'utf8');
    const names = [...source.matchAll(/headers(?:\.|\['x-)forwarded(?:-(\w+)'\])?/g)].map(([, name = '']) => name);
    expect(new Set(names)).toEqual(new Set(['', 'for', 'host', 'prefix', 'proto']));
    const { stdout } = await runInProcess(['--help']);
    const help = /--trusted-proxy <address>(.*?)--/s.exec(stdout)?.[1]?.replace(/\s+/g, ' ') ?? '';
    expect(help).toContain('Forwarded');
    for (const name of new Set(names)) expect(help.toLowerCase()).toContain(name === '' ? ' forwarded,' : `-${name}`);
    expect(help).toContain('access.rolesHeader');
  });

  it('--help describes all of it', async () => {
    const { code, stdout } = await runCommand(['--help']).ended;
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

  test.each<[args: readonly string[], message: RegExp, where?: 'own process']>([
    [['/no/such/folder'], /^lectern: there is no folder \/no\/such\/folder\n$/],
    [[path.join(images, 'books/book1/page0001.jpg')], /^lectern: there is no folder .*page0001\.jpg\n$/],
    [['--colour'], /^lectern: unknown option '--colour'\n/],
    [['--port', 'x'], /^lectern: .*0 to 65535/],
    [['--port', '70000'], /^lectern: .*0 to 65535/],
    [['--context-path', 'a b'], /^lectern: http.contextPath: must look like \/digilib\n$/],
    [['--trusted-proxy', '10.0.0.0/99'], /^lectern: http.trustedProxies\[0\]: /],
    [['--log-level', 'loud'], /^lectern: logLevel: /],
    [['--config', '/no/such/file'], /^lectern: there is no configuration file/],
    // Ends with what it has opened, so not in this process.
    [[images, '--host', '192.0.2.1'], /^lectern: this machine has no address 192\.0\.2\.1/, 'own process'],
  ])('%j is refused in one clear line with exit code 2', async (args, message, where) => {
    const { code, stderr, stdout } = await (where === 'own process' ? runCommand(args).ended : runInProcess(args));
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
  });

  it('names all errors of a configuration file at once', async () => {
    const config = path.join(scratch, 'bad.json');
    writeFileSync(config, JSON.stringify({ folders: [images], portt: 1, orientation: 'up', maxArea: -1 }));
    const { code, stderr } = await runCommand(['--config', config]).ended;
    expect(code).toBe(2);
    for (const word of ['portt', 'orientation', 'maxArea']) expect(stderr).toContain(word);
  });

  it('reports that a port is in use', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, stderr } = await runCommand([images, '--port', String(port)]).ended;
    other.close();
    expect(code).toBe(2);
    expect(stderr).toBe(`lectern: port ${port} on 127.0.0.1 is in use; choose another with --port\n`);
  });
});

it('works as a package installed in an empty folder', { tags: 'exhaustive', timeout: 120_000 }, async () => {
  // Packing builds first; other tests use that build, which is not made again while they do.
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts['prepack']).toBe(scripts['build']);
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', scratch], {
      cwd: root,
      encoding: 'utf8',
    }),
  ) as { filename: string; size: number }[];
  if (packed === undefined) throw new Error('npm pack made nothing');
  const folder = path.join(scratch, 'empty');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', path.join(scratch, packed.filename)], {
    cwd: folder,
    stdio: 'pipe',
  });
  const { started } = runCommand([images, '--port', '0'], { program: ['npx', '--no-install', 'lectern'], cwd: folder });
  const home = await started;
  expect((await fetch(`${home}iiif/3/photos!tiny100x80/full/50,/0/default.jpg`)).status).toBe(200);
  expect((await fetch(`${home}Scaler?fn=nosuch&dw=100`)).headers.get('content-type')).toBe('image/png');
});
