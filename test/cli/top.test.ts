/** The command `lectern top`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { linesOf } from '../../src/cli/top/top-table.ts';
import type { CostRow, DutyReport } from '../../src/features/duty/report.ts';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { runInProcess } from './run-command.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-top-'));
let app: RunningApp;
let guarded: RunningApp;
beforeAll(async () => {
  app = await startApp({ http: { contextPath: '/digilib' } });
  guarded = await startApp({ access: { addresses: [{ address: '10.0.2', roles: ['admin'] }] } });
  for (let count = 0; count < 3; count++)
    await app.get('/digilib/Scaler?fn=books/book1&dw=20', { headers: { 'user-agent': 'GPTBot/1.2' } });
});
afterAll(async () => {
  await app.close();
  await guarded.close();
  rmSync(scratch, { recursive: true });
});

const base = () => `${app.url}/digilib`;

describe('lectern top', () => {
  it('prints plain tables once where there is no terminal', async () => {
    const { code, stdout, stderr } = await runInProcess(['top', base()]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^the last minute \(\d+ s\): \d+ requests, .+ sent, 0 refused\nsmall pictures: 0 running, 0 waiting · /,
    );
    expect(stdout).toMatch(/^ *TIME↓ +% +REQUESTS +SENT +REFUSED {2}NETWORK$/m);
    expect(stdout).toMatch(/ {2}127\.0\.0\.0\/24 {2}\S/);
    expect(stdout).toMatch(/^ *[\d.]+ m?s +\d+ +3 +[\d.]+ (?:bytes|kB) +0 {2}GPTBot 1\.2$/m);
    expect(stdout).not.toContain('\x1b');
  });

  it('finds the server by its settings, in a file and in the environment', async () => {
    const config = path.join(scratch, 'lectern.json');
    writeFileSync(
      config,
      JSON.stringify({ library: { folders: [scratch] }, http: { port: 1, contextPath: '/digilib' } }),
    );
    const env = { LECTERN_HTTP__PORT: String(app.port) };
    const { code, stdout } = await runInProcess(['top', '--config', config, '--once'], { env });
    expect(code).toBe(0);
    expect(stdout).toContain('GPTBot 1.2');
    const wrong = await runInProcess(['top'], { env: { PORT: '0' } });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('name no port of a server')]);
  });

  it('prints JSON for scripts, over a window and in an order', async () => {
    const { code, stdout } = await runInProcess(['top', base(), '--json', '--over', 'hour', '--sort', 'requests']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ over: 3600, by: 'requests', holds: [], total: { refused: 0 } });
    expect((await runInProcess(['top', base(), '--sort', 'evil'])).code).toBe(2);
  });

  it('holds a network, and releases it', async () => {
    const held = await runInProcess(['top', base(), '--hold', '198.51.100.0/24']);
    expect([held.code, held.stdout]).toEqual([0, '198.51.100.0/24 is held for an hour.\n']);
    expect((await runInProcess(['top', base()])).stdout).toMatch(/^held: 198\.51\.100\.0\/24, 60 min left$/m);
    const released = await runInProcess(['top', base(), '--release', '198.51.100.0/24']);
    expect([released.code, released.stdout]).toEqual([0, '198.51.100.0/24 is released.\n']);
    const wrong = await runInProcess(['top', base(), '--hold', 'everyone']);
    expect([wrong.code, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toContain('must be an address');
  });

  it('says why it shows nothing', async () => {
    const closed = await runInProcess(['top', guarded.url]);
    expect([closed.code, closed.stdout]).toEqual([1, '']);
    expect(closed.stderr).toContain('those with the role admin');
    expect((await runInProcess(['top', guarded.url, '--hold', '198.51.100.0/24'])).code).toBe(1);
    const other = createServer((_request, response) => void response.end('hello')).listen(0, '127.0.0.1');
    await vi.waitFor(() => expect(other.listening).toBe(true));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect((await runInProcess(['top', url])).stderr).toContain('the answer has the status 200');
    other.close();
    other.closeAllConnections();
    await vi.waitFor(() => expect(other.listening).toBe(false));
    expect(await runInProcess(['top', url])).toMatchObject({ code: 1, stdout: '' });
    expect((await runInProcess(['top', 'ftp://x'])).code).toBe(2);
  });

  it('is shown anew in a terminal, on a screen of its own, until it is ended', async () => {
    const { stdin, stdout: terminal } = process;
    const before = [stdin.isTTY, terminal.isTTY, stdin.setRawMode] as const;
    Object.assign(terminal, { isTTY: true, rows: 40, columns: 100 });
    Object.assign(stdin, { isTTY: true, setRawMode: () => stdin });
    const running = runInProcess(['top', base()]);
    const written = (): string =>
      vi
        .mocked(process.stdout.write)
        .mock.calls.map(([text]) => String(text))
        .join('');
    await vi.waitFor(() => expect(written().split('\x1b[H\x1b[J').length).toBeGreaterThan(2), { timeout: 30_000 });
    // By its key: a signal would end the browsers of this process, and the process with them.
    stdin.emit('data', 'q');
    const { code, stdout } = await running;
    Object.assign(terminal, { isTTY: before[1], rows: undefined, columns: undefined });
    Object.assign(stdin, { isTTY: before[0], setRawMode: before[2] }).removeAllListeners('data');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\x1b\[\?1049h\x1b\[\?25l\x1b\[H\x1b\[Jq ends · /);
    expect(stdout).toContain('GPTBot 1.2');
    expect(stdout.endsWith('\x1b[?25h\x1b[?1049l')).toBe(true);
  });
});

const row = (name: string, facts: Partial<CostRow> = {}): CostRow => ({
  name,
  ...{ requests: 1, ms: 10, share: 0.1, bytes: 100, refused: 0, longestMs: 10 },
  ...facts,
});

it('The lines name budgets, systems and refusals, and no text of a client leaves its line', () => {
  const report: DutyReport = {
    at: '2026-11-26T23:00:00.000Z',
    ...{ over: 600, seconds: 640, by: 'refused' },
    total: row('all', { ms: 125_000 }),
    networks: [row('198.51.100.0/24', { agent: 'a\x1b[2Jb\nc' })],
    systems: [row('AS64500')],
    ...{ agents: [], kinds: [row('picture'), row('page'), row('folder')] },
    refusals: [row('over-budget picture')],
    files: [row('book/p1.tif', { longestMs: 4000 })],
    renderings: { small: { running: 1, waiting: 2 }, large: { running: 3, waiting: 4000 } },
    pyramids: { waiting: 5, building: 1, failed: 0 },
    budgets: [
      { name: 'strangers', left: 0, size: 10, binds: true, refused: 1234 },
      { name: 'network', left: 5, size: 10, binds: false, refused: 0 },
      { name: 'full', left: 10, size: 10, binds: false, refused: 0 },
    ],
    holds: [{ network: '203.0.113.0/24', until: '2026-11-26T23:30:00.000Z' }],
  };
  expect(linesOf(report, 2)).toEqual([
    'the last 10 minutes (640 s): 1 requests, 2 min, 100 bytes sent, 0 refused',
    'small pictures: 1 running, 2 waiting · large: 3 running, 4,000 waiting · pyramids: 1 running, 5 waiting',
    'budget strangers: refuses now, 1,234 refused since the start',
    'budget network: 50 % left, 0 refused since the start',
    'held: 203.0.113.0/24, 30 min left',
    '',
    ' TIME   %  REQUESTS       SENT  REFUSED↓  NETWORK',
    '10 ms  10         1  100 bytes         0  198.51.100.0/24  a�[2Jb�c',
    '',
    ' TIME   %  REQUESTS       SENT  REFUSED↓  SYSTEM',
    '10 ms  10         1  100 bytes         0  AS64500',
    '',
    ' TIME   %  REQUESTS       SENT  REFUSED↓  KIND',
    '10 ms  10         1  100 bytes         0  picture',
    '10 ms  10         1  100 bytes         0  page',
    '',
    'REQUESTS  REFUSAL',
    '       1  over-budget picture',
    '',
    ' TIME  REQUESTS  LONGEST  SLOWEST FILE',
    '10 ms         1    4.0 s  book/p1.tif',
  ]);
});
