/** Several jobs in each render process: only the one that crashes or blocks it fails (survive.md, "Load and faults"). */
import { getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { ImageError } from '../../../../../src/core/image/model/errors.ts';
import type { Render } from '../../../../../src/core/image/plan/plan-types.ts';
import { createProcessPool, type Executor } from '../../../../../src/core/render/process/process-pool.ts';

const program = fileURLToPath(new URL('../../../../fixtures/programs/obedient-process.mjs', import.meta.url));

/** A plan with instructions for the program: a verb, and the ms that it takes. */
const planTo = (words: string, x = 0): Render =>
  ({ file: { path: words }, location: { kind: 'only' }, read: { x, y: 0, width: 10, height: 10 } }) as Render;

describe('render processes', () => {
  let processes: Executor;
  let timeLimitMs: number;
  const start = (options: { count?: number; jobsEach?: number; restAfterMs?: number; deadlineMs?: number }): void => {
    const { deadlineMs = 10_000, ...limits } = options;
    timeLimitMs = deadlineMs;
    processes = createProcessPool({ count: 1, jobsEach: 3, program, ...limits });
  };
  afterEach(() => processes.close());

  const run = async (words: string, x?: number, withinMs = timeLimitMs) => {
    const deadlineAtMs = performance.now() + withinMs;
    const { bytes, width, height } = await processes.execute(planTo(words, x), () => deadlineAtMs);
    return { said: bytes.toString(), pid: width, together: height };
  };
  const codeOf = (words: string, withinMs?: number): Promise<string> =>
    run(words, undefined, withinMs).then(
      () => 'done',
      (error: ImageError) => error.code,
    );

  it('run as many jobs at once as allowed, and the others after them', async () => {
    start({ jobsEach: 3 });
    const all = await Promise.all(Array.from({ length: 7 }, () => run('echo 100')));
    expect(Math.max(...all.map(({ together }) => together))).toBe(3);
    expect(new Set(all.map(({ pid }) => pid)).size).toBe(1);
  });

  it('pass on the error of a job', async () => {
    start({});
    const failure = await processes.execute(planTo('reject'), () => Infinity).catch((error: ImageError) => error);
    expect(failure).toMatchObject({ code: 'not-found', message: 'The file is damaged.', cause: 'a cause' });
  });

  it('that crash fail the job that caused it, and no other', async () => {
    start({ jobsEach: 3 });
    const codes = await Promise.all(
      ['echo 300', 'crash 100', 'echo 200', 'echo 0', 'echo 50'].map((each) => codeOf(each)),
    );
    expect(codes).toEqual(['done', 'failed', 'done', 'done', 'done']);
  });

  it('that crash again and again still fail no other job', async () => {
    start({ count: 2, jobsEach: 3 });
    const words = Array.from({ length: 20 }, (_, index) => (index % 5 === 2 ? 'crash 20' : 'echo 30'));
    const codes = await Promise.all(words.map((each) => codeOf(each)));
    expect(codes).toEqual(words.map((each) => (each === 'echo 30' ? 'done' : 'failed')));
    expect(await codeOf('echo 0')).toBe('done');
  });

  it('that hang fail the job that blocks them soon after its deadline, and no other', async () => {
    start({ jobsEach: 3 });
    const hanging = codeOf('hang', 500);
    // These are running when the process is killed a second after that deadline, and start again.
    const codes = await Promise.all([hanging, codeOf('echo 1800'), codeOf('echo 1750')]);
    expect(codes).toEqual(['too-slow', 'done', 'done']);
    expect(processes.stats().ended).toMatchObject({ timeout: 1, crash: 0 });
  });

  it('start jobs again with what is left of their own deadlines', async () => {
    start({ jobsEach: 3 });
    const began = performance.now();
    const codes = await Promise.all([codeOf('hang', 300), codeOf('echo 1800', 2000)]);
    expect(codes).toEqual(['too-slow', 'too-slow']);
    expect(performance.now() - began).toBeLessThan(4500);
  });

  it('are not killed where the job ends soon after its deadline, and the others in it go on', async () => {
    start({ jobsEach: 2 });
    const neighbor = run('echo 1700');
    const late = run('echo 700', undefined, 500);
    expect((await late).said).toBe('echo 700');
    expect((await neighbor).pid).toBe((await late).pid);
    expect(processes.stats().ended).toMatchObject({ timeout: 0, crash: 0 });
  });

  it('take no further job while one is past its deadline', async () => {
    start({ count: 2, jobsEach: 3 });
    // A process that starts is slow.
    await Promise.all(Array.from({ length: 6 }, () => run('echo 100')));
    const late = run('echo 900', 0, 300);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const next = await run('echo 0', 0);
    expect(next.pid).not.toBe((await late).pid);
  });

  it('wait longer for a job whose deadline becomes later', async () => {
    start({ jobsEach: 1 });
    let deadlineAtMs = performance.now() + 300;
    const rendered = processes.execute(planTo('echo 1600'), () => deadlineAtMs);
    deadlineAtMs += 10_000;
    expect((await rendered).bytes.toString()).toBe('echo 1600');
  });

  it('that hang altogether fail each job at its own deadline', async () => {
    start({ jobsEach: 3, deadlineMs: 1000 });
    const began = performance.now();
    expect(await Promise.all(['hang', 'hang', 'hang'].map((each) => codeOf(each)))).toEqual([
      'too-slow',
      'too-slow',
      'too-slow',
    ]);
    expect(performance.now() - began).toBeLessThan(3900);
    expect(processes.stats().ended.timeout).toBe(1);
    expect(await codeOf('echo 0')).toBe('done');
  });

  it('get neighboring parts of a scan in the same process, as long as no other has much less to do', async () => {
    start({ count: 4, jobsEach: 3 });
    const pids = new Set<number>();
    for (let index = 0; index < 10; index++) pids.add((await run('echo 0', index)).pid);
    expect(pids.size).toBe(1);
    const all = await Promise.all(Array.from({ length: 8 }, () => run('echo 100')));
    expect(new Set(all.map(({ pid }) => pid)).size).toBe(4);
  });

  it('are not started before the first job, which starts one, and its end the others', async () => {
    start({ count: 3 });
    expect(processes.stats().running).toBe(0);
    const first = run('echo 200');
    expect(processes.stats().running).toBe(1);
    await first;
    expect(processes.stats().running).toBe(3);
  });

  it('have one of a lower priority beside them for what yields, which counts and rests like them', async () => {
    start({ count: 1, jobsEach: 2, restAfterMs: 300 });
    const yielding = async (words: string) => (await processes.execute(planTo(words), () => Infinity, 'yields')).width;
    const priorityOf = async (pid: Promise<number>) => getPriority(await pid);
    const ownPid = async () => (await run('echo 200')).pid;
    const [yields, own] = [yielding('echo 200'), ownPid()];
    expect(await yields).not.toBe(await own);
    expect((await priorityOf(yields)) - (await priorityOf(own))).toBeGreaterThan(10);
    expect(processes.stats().running).toBe(2);
    // It has as many jobs at once as the others, and further ones wait for these, not for others.
    const more = Promise.all(Array.from({ length: 5 }, () => yielding('echo 50')));
    expect(new Set(await more)).toEqual(new Set([await yields]));
    await expect.poll(() => processes.stats().running).toBe(0);
  });

  it('are started ahead where jobs are expected', async () => {
    start({ count: 3 });
    processes.startAhead();
    expect(processes.stats().running).toBe(3);
  });

  it('are ended when they have had no job for a while, and started again by the next one', async () => {
    start({ count: 2, restAfterMs: 300 });
    const before = await run('echo 700');
    expect(processes.stats().running).toBe(2);
    await expect.poll(() => processes.stats().running).toBe(0);
    const after = await run('echo 0');
    expect([after.said, after.pid === before.pid]).toEqual(['echo 0', false]);
    expect(processes.stats().ended).toEqual({ timeout: 0, crash: 0, memory: 0, killed: 0 });
  });

  it('that are closed fail running jobs and exit', async () => {
    start({ count: 2 });
    const { pid } = await run('echo 0');
    const failing = codeOf('echo 60000');
    await processes.close();
    expect(await failing).toBe('failed');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});
