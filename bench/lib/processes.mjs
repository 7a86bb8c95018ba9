/** Starts the processes that are measured, and makes sure that each is ended. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { BenchFailure } from './failure.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const running = new Set();

/** The number of libuv threads of all Node processes: that of Lectern's own command. */
export const threadPoolSize = process.env.UV_THREADPOOL_SIZE ?? String(Math.max(64, availableParallelism() * 4));

/** The environment without the variables that would change what is measured. */
function environment(own) {
  const others = Object.entries(process.env).filter(([name]) => !/^(?:PORT|HOST|NODE_OPTIONS|LECTERN_.*)$/.test(name));
  return { ...Object.fromEntries(others), UV_THREADPOOL_SIZE: threadPoolSize, ...own };
}

function track(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Starts a program; `onText` gets its output, and `owner` names another user by `uid` and `gid`. */
export function startProgram(file, args, { env = {}, onText = () => undefined, cwd = root, owner } = {}) {
  const options = { cwd, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'], ...owner };
  const child = track(spawn(file, args, options));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', onText);
  return child;
}

/** A program prints its address within this time, in ms. */
const addressMs = 60_000;

/**
 * The same for a program that prints its address; resolves, when it has, to the process, what matched `pattern`, and a function that
 * returns the last 4,000 characters of its output. Rejects with BenchFailure where it exits before, or prints none within a minute.
 */
export async function startUntilAddress(name, pattern, file, args, options) {
  let output = '';
  let onText = () => undefined;
  const child = startProgram(file, args, {
    ...options,
    onText: (chunk) => {
      output = (output + chunk).slice(-4000);
      onText();
    },
  });
  const found = await new Promise((resolve, reject) => {
    const giveUp = (reason) => reject(new BenchFailure(`${name} did not start (${reason}).\n${output}`.trim()));
    const timeout = setTimeout(() => giveUp(`it did not print its address within ${addressMs / 1000} s`), addressMs);
    onText = () => {
      const match = pattern.exec(output);
      if (match === null) return;
      clearTimeout(timeout);
      resolve(match);
    };
    child.once('exit', (code) => giveUp(`exit code ${code}`));
    child.once('error', (error) => giveUp(error.message));
  });
  return { child, found, output: () => output };
}

/**
 * Makes sure that no child outlives this process, also after Ctrl-C. They get SIGTERM rather than SIGKILL, so that they end
 * their own children: nginx its workers, Lectern its render processes.
 */
export function stopAllOnExit() {
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

/** Ends one process and waits until it has exited. */
export async function stop(child) {
  if (!running.has(child)) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await exited;
  clearTimeout(killTimer);
}

/** Starts one of the benchmark's own processes; `send` sends it a message and resolves to its reply. */
export function startWorker(name) {
  const file = fileURLToPath(new URL(`../processes/${name}.mjs`, import.meta.url));
  const child = track(fork(file, { env: environment({}), execArgv: [], serialization: 'advanced' }));
  const send = (message) =>
    new Promise((resolve, reject) => {
      const end = (code) => reject(new BenchFailure(`The process ${name} ended with exit code ${code}.`));
      child.once('exit', end);
      child.once('message', (reply) => {
        child.off('exit', end);
        if (reply.failure === undefined) resolve(reply);
        else reject(new BenchFailure(reply.failure));
      });
      child.send(message);
    });
  return { child, send };
}

const givenPorts = new Set();

/** A free port, for programs that can’t let the system choose one; none twice, since a program may listen long after it was given one. */
export async function freePort() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  if (givenPorts.has(port)) return freePort();
  givenPorts.add(port);
  return port;
}
