/** The command `lectern check`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { startProxy } from '../protocol/test-proxy.ts';
import { type CommandResult, runCommand, runInProcess } from './run-command.ts';

const check = (...args: readonly string[]): Promise<CommandResult> => runInProcess(['check', ...args]);

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ http: { contextPath: '/digilib' } });
});
afterAll(() => app.close());

describe('lectern check', () => {
  it('prints a line for each check and exits with 0 if nothing is wrong', async () => {
    const { code, stdout, stderr } = await runCommand(['check', `${app.url}/digilib/`, '--image', '/photos/tiny100x80'])
      .ended;
    const lines = stdout.trim().split('\n');
    expect(lines.slice(0, -2).every((line) => /^[✓–] [\w. -]+: ./.test(line))).toBe(true);
    expect(stdout).toContain('– image: tested with photos/tiny100x80\n');
    expect(lines.at(-1)).toBe('Nothing is wrong.');
    expect([code, stderr]).toEqual([0, '']);
  });

  it('exits with 1 if something is wrong, and prints what to do; as JSON too', async () => {
    const proxy = await startProxy(app.port, { refuses: (method) => (method === 'HEAD' ? 405 : undefined) });
    const { code, stdout } = await check(`${proxy.url}/digilib`);
    expect(stdout).toMatch(/^✗ HEAD: status 405\n {4}Let the proxy pass HEAD on like GET\.$/m);
    expect(stdout).toContain('1 thing is wrong.');
    expect(code).toBe(1);
    const asJson = await check(`${proxy.url}/digilib`, '--json');
    const { findings } = JSON.parse(asJson.stdout) as { findings: readonly { readonly outcome: string }[] };
    expect(findings.filter(({ outcome }) => outcome === 'bad')).toMatchObject([{ name: 'HEAD', found: 'status 405' }]);
    expect(asJson.code).toBe(1);
    await proxy.close();
  });

  it('reports why a server does not answer', async () => {
    const { code, stdout } = await check('http://127.0.0.1:1/digilib');
    expect(stdout).toMatch(/^✗ reachable: http:\/\/127\.0\.0\.1:1\/digilib\/ does not answer: .*\n {4}See whether/);
    expect(code).toBe(1);
  });

  it('names a usage error, and exits with 2', async () => {
    for (const [args, expected] of [
      [[], /^lectern: missing required argument 'url'/],
      [['library.example'], /^lectern: the address is no address|^lectern: the address .*must look like/],
      [['http://x/?a'], /^lectern: the address must be an address without \? and #/],
      [['http://x', '--timeout', 'soon'], /^lectern: .*It is a number from 0\.1 to 3600\./],
    ] as const) {
      const { code, stderr } = await check(...args);
      expect(stderr).toMatch(expected);
      expect(code).toBe(2);
    }
  });

  it('--health and --ready ask one thing of the server that the environment starts, or of an address', async () => {
    const env = { PORT: String(app.port), LECTERN_HTTP__CONTEXT_PATH: '/digilib' };
    for (const [flag, path] of [
      ['--health', '/healthz'],
      ['--ready', '/readyz'],
    ] as const) {
      const { code, stdout } = await runInProcess(['check', flag], { env });
      expect([code, stdout]).toEqual([0, `${app.url}${path}: status 200\n`]);
      const { code: named } = await check(flag, `${app.url}/digilib`);
      expect(named).toBe(0);
    }
    const nobody = await runInProcess(['check', '--health'], { env: { PORT: '1' } });
    expect([nobody.code, nobody.stdout]).toEqual([1, expect.stringContaining('does not answer')]);
    expect((await runInProcess(['check', '--health'], { env: { PORT: '0' } })).code).toBe(2);
  });

  it('--ready says the status where it is not ready', async () => {
    const proxy = await startProxy(app.port, { refuses: () => 503 });
    const { code, stdout } = await check('--ready', proxy.url);
    expect([code, stdout]).toEqual([1, expect.stringContaining('status 503')]);
    await proxy.close();
  });
});
