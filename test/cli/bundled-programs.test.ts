/** The build makes a bundle of each program, which starts faster than its modules. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startServerProcess } from '../fixtures/server-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The programs that sources start: a path relative to themselves, `'./render-process.js'`. */
const startedPrograms = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) =>
    [...readFileSync(path.join(root, 'src', name), 'utf8').matchAll(/: '(\.[a-z./-]+-process\.js)'/g)].map(
      ([, program = '']) => path.join(path.dirname(name), program),
    ),
  );

it('has a bundle of the command and of every program that the server starts', () => {
  expect(startedPrograms.length).toBeGreaterThanOrEqual(4);
  for (const program of ['cli/main.js', ...startedPrograms]) {
    const text = readFileSync(path.join(root, 'dist', program), 'utf8');
    const [, chunk = ''] = /^export \* from '(.+)';\n$/.exec(text) ?? [];
    expect(chunk, program).toMatch(/chunks\//);
    readFileSync(path.join(root, 'dist', path.dirname(program), chunk));
  }
});

/** Those that are there only where people sign in. */
const ofSignIn = /^\/(?:sign-in|api\/session\.json|iiif-auth\/)/;

/** The addresses that are written out in full, but for those of files that no sample is. */
const documentedAddresses = readFileSync(path.join(root, 'docs/reference/addresses.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `/'))
  .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\/[^`…]*)`/g)].map(([, address = '']) => address))
  .filter(
    (address) => !/book!scan\.tif|talk\.mp3|sheet-12-tif|short\.tour\.json/.test(address) && !ofSignIn.test(address),
  );

it('answers every address of the reference in the bundle as it is in the sources', async () => {
  expect(documentedAddresses.length).toBeGreaterThanOrEqual(29);
  const server = await startServerProcess([path.join(root, 'samples'), '--log-level', 'error']);
  try {
    const statuses = [];
    for (const address of documentedAddresses) statuses.push(`${(await server.get(address)).status} ${address}`);
    expect(statuses.filter((status) => !/^(?:200|30[23]) /.test(status))).toEqual([]);
  } finally {
    await server.stop();
  }
});

it('loads few modules for the server', async () => {
  const child = spawn(process.execPath, ['bin/lectern.cjs', '--port', '0', 'samples'], {
    cwd: root,
    // Node names each ES module that it loads.
    env: { ...process.env, NODE_DEBUG: 'esm' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (data) => {
    log += String(data);
  });
  try {
    for await (const text of child.stdout) if (String(text).includes('Start page')) break;
    const loaded = new Set([...log.matchAll(/Translating StandardModule (file:\S+)/g)].map(([, url]) => url));
    expect(loaded.size).toBeGreaterThan(1);
    // 700 before the programs were bundled; each feature is a few chunks.
    expect(loaded.size).toBeLessThan(120);
    expect(log).not.toMatch(/@opentelemetry|open-telemetry/);
  } finally {
    child.kill('SIGKILL');
  }
});
