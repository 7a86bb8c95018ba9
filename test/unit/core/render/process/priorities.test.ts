import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startProcess } from '../../../../../src/core/render/process/start-process.ts';

const program = path.resolve(import.meta.dirname, '../../../../fixtures/waiting-process.mjs');

/** `SCHED_IDLE` in `sched.h`. */
const idleClass = 5;

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
});

async function started(yields: boolean, maxBytes?: number): Promise<number> {
  const limits = maxBytes === undefined ? {} : { maxBytes };
  child = startProcess({ program, jobsEach: 1, yields, ...limits });
  await once(child, 'message');
  return child.pid ?? 0;
}

/** The policy of a process (proc(5), field 41 of `stat`); undefined where the system has no `/proc`. */
function classOf(pid: number): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  const behindName = readFileSync(file, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  return Number(behindName[41 - 3]);
}

const hasIdleClass = spawnSync('chrt', ['-i', '0', 'true']).status === 0;

describe('a render process', () => {
  it('has a lower priority than the server', async () => {
    const pid = await started(false);
    expect(getPriority(pid)).toBe(5);
  });

  it.each([
    ['without a limit of memory', undefined],
    ['with one', 1 << 30],
  ])('that yields runs where a processor is idle, or with the lowest priority, %s', async (_name, maxBytes) => {
    const pid = await started(true, maxBytes);
    expect(getPriority(pid)).toBe(19);
    if (hasIdleClass) expect(classOf(pid)).toBe(idleClass);
  });
});
