/** Servers and workers as processes of their own that build pyramids together, and what they say of it. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ServerProcess } from '../fixtures/server-process.ts';

const bin = fileURLToPath(new URL('../../bin/lectern.cjs', import.meta.url));

export interface WorkerProcess {
  readonly lines: readonly string[];
  kill(): void;
  /** Sends a signal; resolves to the exit code, or the signal that ended it. */
  run(signal: NodeJS.Signals): Promise<unknown>;
}

/** The command `lectern worker`, which builds one pyramid at a time. */
export function startWorkerProcess(folder: string, variables: NodeJS.ProcessEnv): WorkerProcess {
  const child = spawn(process.execPath, [bin, 'worker', '--jobs', '1', folder], {
    env: { PATH: process.env['PATH'], ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(...text.split('\n').filter(Boolean)));
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  return {
    lines,
    kill: () => void child.kill('SIGKILL'),
    run(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

export const madeBy = ({ lines }: WorkerProcess): number => lines.filter((line) => line.startsWith('made ')).length;

/** A metric by its name without `lectern_`, of which there is one with any labels. */
export async function metric({ get }: ServerProcess, name: string): Promise<number> {
  const { body } = await get('/metrics');
  return Number(new RegExp(`^lectern_${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(body.toString())?.[1]);
}

/** Waits for a minute at most. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it never came to this: ${what}`);
}

export const isShared = async (server: ServerProcess): Promise<boolean> =>
  (await metric(server, 'pyramid_queue_shared')) === 1;

/** Whether neither the server nor the queue that it shares has anything to build. */
export async function isIdle(server: ServerProcess): Promise<boolean> {
  const names = ['pyramids_waiting', 'pyramids_building', 'build_queue_waiting', 'build_queue_building'];
  const loads = await Promise.all(names.map((name) => metric(server, name)));
  // There is no shared queue without Redis.
  return loads.every((load) => Number.isNaN(load) || load === 0);
}

export async function madeByAll(servers: readonly ServerProcess[]): Promise<number> {
  let sum = 0;
  for (const server of servers) sum += await metric(server, 'pyramids_made_total');
  return sum;
}
