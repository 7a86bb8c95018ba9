/** Which job is to blame where a render process crashes, takes too much memory or misses a deadline (survive.md, "Load and faults"). */
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { DecoderFault, type ImageError } from '../../../../src/core/image/model/errors.ts';
import type { Render } from '../../../../src/core/image/plan/plan-types.ts';
import {
  createProcessPool,
  type Executor,
  type ProcessPoolOptions,
} from '../../../../src/core/render/process/process-pool.ts';

const program = fileURLToPath(new URL('../../../fixtures/programs/obedient-process.mjs', import.meta.url));
const mebibyte = 2 ** 20;

describe('a render process', () => {
  let pool: Executor;
  const start = (options: Partial<ProcessPoolOptions>): void => {
    pool = createProcessPool({ count: 1, jobsEach: 3, program, ...options });
  };
  afterEach(() => pool.close());

  /** `done`, or the code of the error and what its file is blamed for. */
  const outcomeOf = async (words: string, deadlineMs = 30_000): Promise<string> => {
    const plan = { file: { path: words, fingerprint: '1' }, location: { kind: 'only' } } as Render;
    const deadlineAtMs = performance.now() + deadlineMs;
    return pool
      .execute(plan, () => deadlineAtMs)
      .then(
        () => 'done',
        ({ code, cause }: ImageError) => (cause instanceof DecoderFault ? `${code}, ${cause.kind}` : code),
      );
  };

  it('that takes more memory than it may is ended, and only the job that took it fails', async () => {
    start({ maxBytes: 300 * mebibyte });
    expect(await Promise.all(['echo 800', 'take 600', 'echo 10'].map((each) => outcomeOf(each)))).toEqual([
      'done',
      'too-large, memory',
      'done',
    ]);
    expect(await outcomeOf('take 100')).toBe('done');
    expect(pool.stats().ended.memory + pool.stats().ended.crash).toBeGreaterThan(0);
  });

  it('is ended where all together take more memory than they may', async () => {
    start({ count: 2, totalBytes: 500 * mebibyte });
    expect((await Promise.all(['take 250', 'take 600'].map((each) => outcomeOf(each)))).at(1)).toBe(
      'too-large, memory',
    );
    expect(await outcomeOf('take 100')).toBe('done');
  });

  it('in which a decoder finds no memory renders the job once more alone, before its file is blamed', async () => {
    start({});
    expect(await Promise.all(['echo 300', 'starve'].map((each) => outcomeOf(each)))).toEqual([
      'done',
      'too-large, memory',
    ]);
  });

  it('that crashes blames the file that was alone in it', async () => {
    start({});
    expect(await Promise.all(['echo 100', 'abort', 'echo 200'].map((each) => outcomeOf(each)))).toEqual([
      'done',
      'failed, crash',
      'done',
    ]);
  });

  it('that is killed from outside blames no file', async () => {
    start({});
    expect(await outcomeOf('crash 10')).toBe('failed');
    expect(pool.stats().ended).toMatchObject({ killed: 2, crash: 0 });
  });

  it('that can’t be started fails its jobs, blames no file, and is started again for the next ones', async () => {
    start({});
    const { execPath } = process;
    process.execPath = '/no/such/program';
    const outcomes = Promise.all(['echo 0', 'echo 1'].map((each) => outcomeOf(each)));
    expect(await outcomes.finally(() => (process.execPath = execPath))).toEqual(['failed', 'failed']);
    expect(await outcomeOf('echo 0')).toBe('done');
  });

  it('that waits past a deadline, as for a disk, blames no file', async () => {
    start({ blameMs: 300 });
    expect(await outcomeOf('hang', 600)).toBe('too-slow');
  });

  it('that computes past a deadline blames the file that was alone in it', async () => {
    start({ blameMs: 300 });
    expect(await outcomeOf('compute', 2000)).toBe('too-slow, deadline');
  });

  it('that computes past a deadline beside others blames the file only when it does so again alone', async () => {
    start({ blameMs: 300 });
    const beside = [outcomeOf('hang', 2500), outcomeOf('compute', 2000)];
    expect(await Promise.all(beside)).toEqual(['too-slow', 'too-slow']);
    expect(await outcomeOf('compute', 2000)).toBe('too-slow, deadline');
  });
});
