/** The benchmark's own systems to compare with: bare calls of libraries, and a node:http server with a constant response. */

import { availableParallelism } from 'node:os';
import { findNativeDecoder } from '@lectern/jpeg2000';
import { BenchFailure } from '../failure.mjs';
import { fetchResponse } from '../http-client.mjs';
import { startWorker, stop } from '../processes.mjs';

/** Starts a process that only makes sharp calls, which libuv's threads share. */
export function startBareSharp() {
  const { child, send } = startWorker('bare-calls');
  return {
    name: 'bare sharp',
    pids: [child.pid],
    render: send,
    callOf: ({ sharp }) => sharp,
    close: () => stop(child),
  };
}

/** Starts a process for each core that only decodes; undefined where the system's OpenJPEG was not there when the packages were installed. */
export function startBareOpenJpeg() {
  if (findNativeDecoder() === undefined) return undefined;
  const workers = Array.from({ length: availableParallelism() }, () => startWorker('bare-calls'));
  return {
    name: 'bare OpenJPEG',
    pids: workers.map(({ child }) => child.pid),
    callOf: ({ openJpeg }) => openJpeg,
    async render({ calls, connections, ms }) {
      const used = workers.slice(0, connections);
      const done = await Promise.all(
        used.map(({ send }, index) =>
          send({ calls: calls.filter((_, at) => at % used.length === index), connections: 1, ms }),
        ),
      );
      return {
        answers: done.reduce((sum, { answers }) => sum + answers, 0),
        elapsedMs: Math.max(...done.map(({ elapsedMs }) => elapsedMs)),
      };
    },
    close: () => Promise.all(workers.map(({ child }) => stop(child))),
  };
}

const pairsOf = (raw) => Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i], raw[2 * i + 1]]);

// Node writes these itself, in both servers.
const ownHeaders = new Set(['date', 'connection', 'keep-alive']);

/** Starts a server with a constant response; `copyResponse` sets it to a response of Lectern’s, with as many headers. */
export async function startBareHttp() {
  const { child, send } = startWorker('bare-http');
  const { port } = await send({ kind: 'start' });
  const copyResponse = async ({ rawHeaders, body }) => {
    const headers = pairsOf(rawHeaders).filter(([name]) => !ownHeaders.has(name.toLowerCase()));
    await send({ kind: 'set', headers: Object.fromEntries(headers), body: body.toString('utf8') });
    const copy = await fetchResponse(port, '/');
    if (!copy.body.equals(body) || copy.rawHeaders.length !== rawHeaders.length) {
      throw new BenchFailure('The bare server’s response differs from Lectern’s.');
    }
  };
  return {
    name: 'bare node:http',
    port,
    pids: [child.pid],
    compiles: true,
    pathOf: () => '/',
    copyResponse,
    close: () => stop(child),
  };
}
