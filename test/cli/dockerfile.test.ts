/** The container image: what it is built from, and that its final stage holds everything that the command needs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
const allowed = readFileSync(path.join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-image-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The files that a part of the Dockerfile copies from the build context. */
const copied = (text: string): readonly string[] =>
  [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
    .flatMap(([, sources = '']) => sources.split(' '))
    .map((name) => name.replace('./', ''));

const finalStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

it('copies only files that exist and that .dockerignore admits', () => {
  expect(copied(dockerfile).length).toBeGreaterThan(8);
  for (const name of copied(dockerfile)) {
    expect(existsSync(path.join(root, name)), name).toBe(true);
    const [top = ''] = name.split('/');
    expect(allowed.includes(top) || allowed.includes(name), name).toBe(true);
  }
});

it('runs as an unprivileged user, without a shell, with a health check', () => {
  expect(finalStage).toMatch(/^USER node$/m);
  expect(finalStage).toMatch(/^ENTRYPOINT \["node", "--max-semi-space-size=8", "bin\/lectern\.cjs"\]$/m);
  expect(finalStage).toMatch(/^HEALTHCHECK /m);
});

/** The exit code of the image's health check. */
async function checkHealth(image: string, env: Readonly<Record<string, string>>): Promise<unknown> {
  const command = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(finalStage)?.[1] ?? '[]';
  const [program, ...args] = JSON.parse(command) as string[];
  expect(program).toBe('node');
  const child = spawn(process.execPath, args, {
    cwd: image,
    env: { PATH: process.env['PATH'], HOST: '0.0.0.0', ...env },
  });
  const [code] = await once(child, 'exit');
  return code;
}

it('contains all that the command needs', async () => {
  const image = path.join(scratch, 'app');
  mkdirSync(image);
  for (const name of copied(finalStage)) cpSync(path.join(root, name), path.join(image, name), { recursive: true });
  cpSync(path.join(root, 'dist'), path.join(image, 'dist'), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(image, 'node_modules'));
  const child = spawn(process.execPath, ['bin/lectern.cjs'], {
    cwd: image,
    env: { PATH: process.env['PATH'], PORT: '0', HOST: '127.0.0.1', LECTERN_HTTP__CONTEXT_PATH: '/digilib' },
  });
  try {
    let output = '';
    const home = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`ended with ${code}: ${output}`)));
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          output += String(chunk);
          const address = /Start page +(\S+)/.exec(output)?.[1];
          if (address) resolve(address);
        });
      }
    });
    expect(await (await fetch(home)).text()).toContain('<div id="room">');
    expect((await fetch(`${home}Scaler?fn=herbal&pn=1&dw=100`)).status).toBe(200);
    expect((await fetch(`${home}Scaler?fn=nosuch&dw=100`)).headers.get('content-type')).toBe('image/png');
    // The image's own health check, which finds the server by its environment, below any context path.
    const { port } = new URL(home);
    expect(await checkHealth(image, { PORT: port, LECTERN_HTTP__CONTEXT_PATH: '/digilib' })).toBe(0);
    expect(await checkHealth(image, { PORT: '1' })).toBe(1);
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await checkHealth(image, { PORT: port })).toBe(1);
  } finally {
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
  }
});
