/** Render processes that crash, hang or take too long: only their request fails (survive.md, "Load and faults"). */
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { type RunningApp, startApp } from './running-app.ts';

/** The process ids of all render processes that this process has started. */
function allRenderProcesses(): readonly number[] {
  const isOurs = (pid: string): boolean => {
    try {
      const parent = /^\d+ \(.*\) \S+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
      return Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('render-process');
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOurs(name))
    .map(Number);
}

/** The processor time of a process in clock ticks, 100 of which are a second. */
function processorTicks(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? [];
  return Number(user) + Number(system);
}

const slow = '/iiif/3/photos!land3000x2000.jpg/full/max/0/default.avif';
const quick = (width: number): string => `/Scaler?fn=photos/land3000x2000&dw=${width}&mo=errtxt`;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(process.platform !== 'linux')('a render process', () => {
  let app: RunningApp;
  /** Those of servers of other test files, which may still be ending. */
  let others: readonly number[] = [];
  const renderProcesses = (): readonly number[] => allRenderProcesses().filter((pid) => !others.includes(pid));
  const start = async (settings: SettingsInput): Promise<void> => {
    others = allRenderProcesses();
    app = await startApp({ ...settings, render: { processes: 1, ...settings.render } });
    expect((await app.get(quick(100))).status).toBe(200);
  };
  afterEach(() => app.close());

  /** The answer to a slow picture whose process gets a signal while it renders. */
  async function answerWithSignal(signal: NodeJS.Signals) {
    const [pid = 0] = renderProcesses();
    const idleTicks = processorTicks(pid);
    const failing = app.get(slow);
    await expect.poll(() => processorTicks(pid) - idleTicks, { interval: 10 }).toBeGreaterThan(10);
    process.kill(pid, signal);
    const answer = await failing;
    expect(renderProcesses()).not.toContain(pid);
    return answer;
  }

  it.each(['/', '/iiif/3/photos!land3000x2000.jpg/info.json', '/presentation/3/photos/manifest.json'])(
    'is not started by the server, but by a reader who will request pictures after %s',
    async (address) => {
      others = allRenderProcesses();
      app = await startApp({ render: { processes: 1 } });
      for (const other of ['/healthz', '/readyz', '/metrics', '/none']) await app.get(other);
      expect(renderProcesses()).toEqual([]);
      expect((await app.get(address)).status).toBe(200);
      await expect.poll(renderProcesses).toHaveLength(1);
    },
  );

  it('that is killed from outside is replaced, and renders its picture again', async () => {
    await start({});
    expect((await answerWithSignal('SIGKILL')).status).toBe(200);
    expect((await app.get(quick(101))).status).toBe(200);
  });

  it('that crashes fails only the picture that it renders, whose file is put aside', async () => {
    await start({});
    const answer = await answerWithSignal('SIGSEGV');
    expect([answer.status, answer.headers['content-type']]).toEqual([500, 'text/plain; charset=utf-8']);
    const aside = await app.get(slow);
    expect([aside.status, aside.body.toString()]).toEqual([
      422,
      'This picture is not tried again until the image’s file changes: the decoder of the file crashed.\n',
    ]);
    // A smaller one comes from a prescaled version, which is another file.
    expect((await app.get(quick(101))).status).toBe(200);
  });

  it('that hangs is killed at its deadline with 504, and the next picture is rendered', async () => {
    // The deadline leaves time for a process to start on a busy machine.
    await start({ limits: { deadlineMs: 4000 } });
    const [pid] = renderProcesses();
    process.kill(pid ?? 0, 'SIGSTOP');
    const answer = await app.get(quick(102));
    expect([answer.status, answer.body.toString()]).toEqual([
      504,
      'The picture was not ready in time; try again, or ask for a smaller one.\n',
    ]);
    expect((await app.get(quick(103))).status).toBe(200);
  });

  it('that exits while it is idle is replaced', async () => {
    await start({});
    for (const pid of renderProcesses()) process.kill(pid, 'SIGKILL');
    await pause(100);
    expect((await app.get(quick(104))).status).toBe(200);
  });

  it('exits with the server', async () => {
    await start({ render: { processes: 2 } });
    const before = renderProcesses();
    expect(before).toHaveLength(2);
    await app.close();
    expect(renderProcesses().filter((pid) => before.includes(pid))).toEqual([]);
    app = await startApp();
  });
});
