/** Starts the processes that are measured, and ends each by its own handle, whatever happens. */
import { fork, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { BenchFailure } from './failure.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const running = new Set();

/** libuv's threads in Lectern and beside it: as many as Lectern's own command takes. */
export const threadPoolSize = process.env.UV_THREADPOOL_SIZE ?? String(Math.max(8, availableParallelism() * 4));

const environment = () => {
  const { PORT, HOST, NODE_OPTIONS, ...others } = process.env;
  return { ...others, UV_THREADPOOL_SIZE: threadPoolSize };
};

function keep(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Ends every process that was started here. */
export function stopAll() {
  for (const child of running) child.kill('SIGKILL');
}

/** From now on no child outlives this process, also not after Ctrl-C. */
export function stopAllAtTheEnd() {
  process.once('exit', stopAll);
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
  const impatient = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(impatient);
}

const startPage = /Start page\s+http:\/\/127\.0\.0\.1:(\d+)\//;

/** Starts the real command for a folder on a free port; resolves when it has said where it listens. */
export async function startLectern(folder) {
  const args = ['bin/lectern.cjs', folder, '--host', '127.0.0.1', '--port', '0', '--log-level', 'warn'];
  const child = keep(
    spawn(process.execPath, args, { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  let said = '';
  const port = await new Promise((resolve, reject) => {
    const giveUp = (reason) => reject(new BenchFailure(`Lectern did not start (${reason}).\n${said}`.trim()));
    const late = setTimeout(() => giveUp('it said nothing for 20 seconds'), 20_000);
    const listen = (chunk) => {
      said = (said + chunk).slice(-4000);
      const found = startPage.exec(said);
      if (found === null) return;
      clearTimeout(late);
      resolve(Number(found[1]));
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', (code) => giveUp(`exit code ${code}`));
    child.once('error', (error) => giveUp(error.message));
  });
  return { child, port };
}

/** Starts one of the benchmark's own processes, which answers one message with one message. */
export function startWorker(name) {
  const file = fileURLToPath(new URL(`../processes/${name}.mjs`, import.meta.url));
  const child = keep(fork(file, { env: environment(), execArgv: [], serialization: 'advanced' }));
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
