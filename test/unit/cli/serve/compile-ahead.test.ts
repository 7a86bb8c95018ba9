/** What is run before the first visitor comes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { collectFeedbackFromFirstCalls, optimizeEarly } from '../../../../src/cli/common/v8-options.ts';
import { compileAhead } from '../../../../src/cli/serve/compile-ahead.ts';

const run = promisify(execFile);

/** The number of servers, connections and processes that keep this process alive; those of other tests may still end. */
const openParts = (kind = /TCP|Process|Pipe.*Server/): number =>
  process.getActiveResourcesInfo().filter((name) => kind.test(name)).length;

describe('compiling ahead', () => {
  it('answers all its requests, starts no other process, and leaves no server or connection behind', async () => {
    const before = openParts();
    const childrenBefore = openParts(/^Process/);
    let children = 0;
    const count = setInterval(() => {
      children = Math.max(children, openParts(/^Process/));
    }, 1);
    await compileAhead();
    clearInterval(count);
    expect(children).toBeLessThanOrEqual(childrenBefore);
    await expect.poll(() => openParts()).toBeLessThanOrEqual(before);
  });
});

describe('options of V8 for a while', () => {
  const fail = async (): Promise<never> => {
    throw new Error('not done');
  };

  it('give the result of the work, and its error', async () => {
    expect(await collectFeedbackFromFirstCalls(async () => 1)).toBe(1);
    expect(await optimizeEarly(async () => 2)).toBe(2);
    await expect(collectFeedbackFromFirstCalls(fail)).rejects.toThrow('not done');
    await expect(optimizeEarly(fail)).rejects.toThrow('not done');
  });

  it('are known to this version of V8, and have the defaults that are set again', async () => {
    const { stdout } = await run(process.execPath, ['--v8-options']);
    const defaultOf = (name: string): string | undefined =>
      new RegExp(`--${name} \\(.*\\n.*default: (?:--${name}=)?(\\S+)`).exec(stdout)?.[1];
    expect(defaultOf('interrupt-budget')).toBe(String(66 * 1024));
    expect(defaultOf('lazy-feedback-allocation')).toBe('--lazy-feedback-allocation');
    expect(defaultOf('heap-growing-percent')).toBe('0');
  });
});
