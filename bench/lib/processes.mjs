/** Starts the processes that are measured, and ends each by its own handle, whatever happens. */
import { fork, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { BenchFailure } from './failure.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const running = new Set();

/** libuv's threads in Lectern and beside it: as many as Lectern's own command takes. */
export const threadPoolSize = process.env.UV_THREADPOOL_SIZE ?? String(Math.max(8, availableParallelism() * 4));

/** Nothing of the caller’s surroundings may change what is measured. */
function environment(own) {
  const others = Object.entries(process.env).filter(([name]) => !/^(?:PORT|HOST|NODE_OPTIONS|LECTERN_.*)$/.test(name));
  return { ...Object.fromEntries(others), UV_THREADPOOL_SIZE: threadPoolSize, ...own };
}

function keep(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Starts a program; what it says is read by `onText`. */
export function startProgram(file, args, { env = {}, onText = () => undefined } = {}) {
  const child = keep(spawn(file, args, { cwd: root, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] }));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', onText);
  return child;
}

/**
 * From now on no child outlives this process, also not after Ctrl-C. They are asked to end, as one that is killed would leave
 * its own children behind: nginx its workers, Lectern its render processes.
 */
export function stopAllAtTheEnd() {
  process.once('exit', () => {
    for (const child of running) child.kill('SIGTERM');
  });
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    process.once(signal, () => process.exit(code));
  }
}

/** Ends one process and waits until it is gone. */
export async function stop(child) {
  if (!running.has(child)) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const impatient = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await gone;
  clearTimeout(impatient);
}

/** Starts one of the benchmark's own processes, which answers one message with one message. */
export function startWorker(name) {
  const file = fileURLToPath(new URL(`../processes/${name}.mjs`, import.meta.url));
  const child = keep(fork(file, { env: environment({}), execArgv: [], serialization: 'advanced' }));
  const ask = (question) =>
    new Promise((resolve, reject) => {
      const end = (code) => reject(new BenchFailure(`The process ${name} ended with exit code ${code}.`));
      child.once('exit', end);
      child.once('message', (answer) => {
        child.off('exit', end);
        if (answer.failure === undefined) resolve(answer);
        else reject(new BenchFailure(answer.failure));
      });
      child.send(question);
    });
  return { child, ask };
}

/** A port for a program that can’t choose one by itself: one that was free a moment ago. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
