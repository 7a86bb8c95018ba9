/** The benchmark's own systems to compare with: bare sharp calls, and a node:http server with a constant response. */

import { BenchFailure } from '../failure.mjs';
import { fetchResponse } from '../http-client.mjs';
import { startWorker, stop } from '../processes.mjs';

/** Starts a process that only makes sharp calls. */
export function startBareSharp() {
  const { child, send } = startWorker('bare-sharp');
  return {
    name: 'bare sharp',
    pids: [child.pid],
    render: send,
    callOf: ({ sharp }) => sharp,
    close: () => stop(child),
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
