/** Puts load on an HTTP side: wrk for what is asked for again and again, a small client of our own for what is asked once. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BenchFailure } from './failure.mjs';
import { startProgram, startWorker, stop } from './processes.mjs';

const script = fileURLToPath(new URL('../processes/wrk.lua', import.meta.url));

function runProgram(program, args) {
  return new Promise((resolve, reject) => {
    let said = '';
    const child = startProgram(program, args, {
      onText: (chunk) => {
        said += chunk;
      },
    });
    child.once('error', reject);
    child.once('close', (code) => {
      const found = /^\{.*\}$/m.exec(said);
      if (code === 0 && found !== null) resolve(JSON.parse(found[0]));
      else reject(new BenchFailure(`wrk failed (exit code ${code}).\n${said.slice(-1000)}`));
    });
  });
}

async function runWrk(program, listFile, { port, paths, connections, seconds }) {
  await writeFile(listFile, `${paths.join('\n')}\n`);
  const threads = Math.min(connections, availableParallelism());
  const flags = [`-t${threads}`, `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script];
  const result = await runProgram(program, [...flags, `http://127.0.0.1:${port}`, '--', listFile]);
  if (result.wrong > 0) throw new BenchFailure(`${result.wrong} of ${result.answers} answers had another status.`);
  if (result.failed > 0) throw new BenchFailure(`${result.failed} connections failed or got no answer.`);
  return result;
}

/**
 * `again` walks around a list for some seconds, `once` asks each path a single time; both say how many answers there
 * were and in how many ms. Every answer has to have status 200.
 */
export function startLoad({ wrk, runFolder }) {
  const { child, ask } = startWorker('load');
  const listFile = path.join(runFolder, 'paths');
  return {
    description: wrk ? 'wrk; own client for addresses asked once' : 'own client, as wrk is not installed',
    again: ({ seconds, ...question }) =>
      wrk ? runWrk(wrk, listFile, { ...question, seconds }) : ask({ ...question, ms: seconds * 1000 }),
    once: ask,
    close: () => stop(child),
  };
}
