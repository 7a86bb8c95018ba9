// Stands between the browser of the readers and the server, and measures each answer. The browser itself would measure how long its own
// processes wait for a processor too: on a machine of its own, as a reader's browser is, it does not share these with the server.
import http from 'node:http';
import { openClient } from './client.mjs';

/** Headers of one connection, which are not passed on. */
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding'];

const passedOn = (headers) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.includes(name)));

/** The header of the reader's address makes a browser ask first whether it may send it to another origin; without it, it would not ask. */
const leave = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

/**
 * Passes requests on to the server at a port. `watch(address, onRequest)` calls `onRequest` with each answer to requests of that
 * `X-Forwarded-For`, as `openClient` gives it, with the target. What the browser gave up is not counted.
 */
export async function startMeter(port) {
  const client = openClient(port, Number.POSITIVE_INFINITY);
  const watchers = new Map();

  async function passOn(request, response) {
    const { method, url: target, headers } = request;
    if (method === 'OPTIONS') {
      response.writeHead(204, leave).end();
      return;
    }
    const givenUp = new AbortController();
    response.once('close', () => givenUp.abort());
    const answer = await client.get(target, passedOn(headers), true, givenUp.signal);
    if (givenUp.signal.aborted) return;
    watchers.get(headers['x-forwarded-for'])?.({ target, ...answer });
    if (typeof answer.status === 'string') response.destroy();
    else response.writeHead(answer.status, passedOn(answer.headers)).end(answer.body);
  }

  const server = http.createServer((request, response) => void passOn(request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    watch: (address, onRequest) => void watchers.set(address, onRequest),
    close() {
      client.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
