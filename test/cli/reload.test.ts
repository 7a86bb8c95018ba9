/** SIGHUP at the real command: what can change does so for new requests, the rest is named, and errors change nothing. */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type RunningCommand, runCommand } from './run-command.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-reload-'));
const file = path.join(folder, 'lectern.json');
const configure = (settings: object): void => writeFileSync(file, JSON.stringify(settings));
const running: RunningCommand[] = [];
afterAll(() => {
  for (const { child } of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const scans = path.resolve('samples');
const common = { library: { folders: [scans] }, cache: { directory: false }, pyramids: { maxBytes: 0 } };

async function until<T>(probe: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const value = await probe();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error('not within 20 s');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function start(): RunningCommand {
  const command = runCommand(['--config', file, '--log-level', 'warn'], { env: { PORT: '0' } });
  running.push(command);
  return command;
}

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly settings?: readonly string[];
  readonly problems?: readonly string[];
}

/** The first line of the log with a message. */
const logged = ({ output }: RunningCommand, message: string): Promise<Line> =>
  until(() =>
    output.stdout
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line)
      .find(({ msg }) => msg.includes(message)),
  );

describe.skipIf(process.platform === 'win32')('SIGHUP', () => {
  it('takes on what can change at once, and names what needs a start', async () => {
    configure({ ...common, http: { cacheControl: 'public, max-age=1' } });
    const server = start();
    const home = await server.started;
    const picture = `${home}Scaler?fn=herbal&pn=1&dw=100`;
    const cacheControl = async (): Promise<string | null> => (await fetch(picture)).headers.get('cache-control');
    expect(await cacheControl()).toBe('public, max-age=1');
    const slow = fetch(`${home}Scaler?fn=herbal&pn=1&dw=1500`);
    // The server reads the requests of both connections in their order.
    await cacheControl();
    await cacheControl();
    configure({
      ...common,
      cache: { directory: false, memoryBytes: 0 },
      http: { cacheControl: 'public, max-age=2', host: '0.0.0.0' },
      limits: { maxArea: 20_000 },
      logLevel: 'error',
    });
    process.kill(server.child.pid ?? 0, 'SIGHUP');
    await until(async () => ((await cacheControl()) === 'public, max-age=2' ? true : undefined));
    expect([(await slow).status, (await slow).headers.get('cache-control')]).toEqual([200, 'public, max-age=1']);
    expect((await fetch(`${home}Scaler?fn=herbal&pn=1&dw=900&dh=900`)).status).toBe(400);
    expect(await logged(server, 'hold from the next start')).toMatchObject({
      level: 40,
      settings: expect.arrayContaining(['http.host', 'cache.memoryBytes']),
    });
    process.kill(server.child.pid ?? 0, 'SIGTERM');
    expect((await server.ended).code).toBe(0);
  });

  it('leaves everything as it is where the configuration is wrong, and logs all errors', async () => {
    configure({ ...common, http: { cacheControl: 'public, max-age=3' } });
    const server = start();
    const home = await server.started;
    configure({ ...common, http: { cacheControl: 'public, max-age=4', prot: 1 }, limits: { maxArea: -1 } });
    process.kill(server.child.pid ?? 0, 'SIGHUP');
    const line = await logged(server, 'the former one stays');
    expect(line.level).toBe(50);
    expect(line.problems).toHaveLength(2);
    expect(line.problems?.join('\n')).toMatch(/prot[\s\S]*maxArea/);
    expect((await fetch(`${home}Scaler?fn=herbal&pn=1&dw=100`)).headers.get('cache-control')).toBe('public, max-age=3');
  });

  it('opens the access log anew, after a rotation has moved it', async () => {
    const log = path.join(folder, 'access.log');
    configure({ ...common, accessLog: { file: log, format: 'combined' } });
    const server = start();
    const home = await server.started;
    await fetch(`${home}before`);
    await until(() => (readFileSync(log, 'utf8').includes('/before') ? true : undefined));
    renameSync(log, `${log}.1`);
    process.kill(server.child.pid ?? 0, 'SIGHUP');
    await until(() => (existsSync(log) ? true : undefined));
    await fetch(`${home}after`);
    await until(() => (readFileSync(log, 'utf8').includes('/after') ? true : undefined));
    expect(readFileSync(`${log}.1`, 'utf8')).not.toContain('/after');
  });
});
