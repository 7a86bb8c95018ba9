/** Puts load on an HTTP server: wrk for repeated requests, a client of the benchmark’s own for unique ones. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BenchFailure } from './failure.mjs';
import { startProgram, startWorker, stop } from './processes.mjs';

const script = fileURLToPath(new URL('../processes/wrk.lua', import.meta.url));

function runProgram(program, args) {
  return new Promise((resolve, reject) => {
    let output = '';
    const child = startProgram(program, args, {
      onText: (chunk) => {
        output += chunk;
      },
    });
    child.once('error', reject);
    child.once('close', (code) => {
      const found = /^\{.*\}$/m.exec(output);
      if (code === 0 && found !== null) resolve(JSON.parse(found[0]));
      else reject(new BenchFailure(`wrk failed (exit code ${code}).\n${output.slice(-1000)}`));
    });
  });
}

async function runWrk(program, listFile, { port, paths, connections, seconds }) {
  await writeFile(listFile, `${paths.join('\n')}\n`);
  const threads = Math.min(connections, availableParallelism());
  const flags = [`-t${threads}`, `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script];
  const result = await runProgram(program, [...flags, `http://127.0.0.1:${port}`, '--', listFile]);
  if (result.wrong > 0) throw new BenchFailure(`${result.wrong} of ${result.answers} responses had another status.`);
  if (result.failed > 0) throw new BenchFailure(`${result.failed} connections failed or got no response.`);
  return result;
}

/**
 * `repeated` requests the paths of a list in turn for some seconds, `unique` requests each path once; both resolve to the
 * number of responses and the elapsed ms. Every response must have status 200.
 */
export function startLoad({ wrk, runFolder }) {
  const { child, send } = startWorker('load');
  const listFile = path.join(runFolder, 'paths');
  return {
    description: wrk ? 'wrk; own client for addresses requested once' : 'own client, as wrk is not installed',
    repeated: ({ seconds, ...options }) =>
      wrk ? runWrk(wrk, listFile, { ...options, seconds }) : send({ ...options, ms: seconds * 1000 }),
    unique: send,
    close: () => stop(child),
  };
}
