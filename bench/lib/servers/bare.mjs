/** The measures that the benchmark brings itself: sharp calls alone, and a node:http server that never thinks. */
import { fetchAnswer } from '../client.mjs';
import { BenchFailure } from '../failure.mjs';
import { startWorker, stop } from '../processes.mjs';

/** A process that does nothing but the sharp calls. */
export function startBareSharp() {
  const { child, ask } = startWorker('bare-sharp');
  return { name: 'bare sharp', pids: [child.pid], render: ask, callOf: ({ sharp }) => sharp, close: () => stop(child) };
}

const pairsOf = (raw) => Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i], raw[2 * i + 1]]);

// Node writes these itself, on both sides.
const ownHeaders = new Set(['date', 'connection', 'keep-alive']);

/** A server that sends the very answer that Lectern gave, with as many headers; `learn` gives it another one. */
export async function startBareHttp() {
  const { child, ask } = startWorker('bare-http');
  const { port } = await ask({ kind: 'start' });
  const learn = async ({ rawHeaders, body }) => {
    const headers = pairsOf(rawHeaders).filter(([name]) => !ownHeaders.has(name.toLowerCase()));
    await ask({ kind: 'learn', headers: Object.fromEntries(headers), body: body.toString('utf8') });
    const twin = await fetchAnswer(port, '/');
    if (!twin.body.equals(body) || twin.rawHeaders.length !== rawHeaders.length) {
      throw new BenchFailure('The bare server’s answer differs from Lectern’s.');
    }
  };
  return {
    name: 'bare node:http',
    port,
    pids: [child.pid],
    compiles: true,
    pathOf: () => '/',
    learn,
    close: () => stop(child),
  };
}
