// Sends one request over connections that are kept, and reads its answer; the bodies of pictures are counted, not kept.
import http from 'node:http';

/** Longer than any answer may take. */
const timeoutMs = 90_000;

/** A client with so many connections. */
export function openClient(port, connections) {
  // As a proxy keeps them: by default all but 256 would be closed, and opened again.
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
  return {
    /**
     * Resolves to `{ status, headers, body, bytes, ms }`, and never rejects; a text as status says how the connection failed. As in a
     * browser (`requestStart`), the time does not count in which all connections were busy with what was asked before. `signal` gives it up.
     */
    get: (target, headers, keepsBody = false, signal = undefined) =>
      send({ port, agent, target, headers, keepsBody, signal }),
    close: () => agent.destroy(),
  };
}

function send(request, firstMs) {
  const { port, agent, target, headers, keepsBody, signal } = request;
  let startMs = firstMs ?? performance.now();
  return new Promise((resolve) => {
    const finish = (status, more = {}) =>
      resolve({ status, headers: {}, body: Buffer.alloc(0), bytes: 0, ms: performance.now() - startMs, ...more });
    const outgoing = http.request({ host: '127.0.0.1', port, path: target, headers, agent, signal }, (response) => {
      const { statusCode: status, headers: received } = response;
      const isKept = keepsBody || status !== 200;
      const chunks = [];
      let bytes = 0;
      response.on('data', (chunk) => {
        bytes += chunk.length;
        if (isKept) chunks.push(chunk);
      });
      response.on('error', () => finish('cut off'));
      response.on('end', () => finish(status, { headers: received, body: Buffer.concat(chunks), bytes }));
    });
    if (firstMs === undefined)
      outgoing.once('socket', () => {
        startMs = performance.now();
      });
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(Object.assign(new Error(), { code: 'no answer' })));
    outgoing.on('error', (error) => {
      // The server closed the connection while it was idle: browsers ask again on another one, and so do libraries of crawlers.
      if (outgoing.reusedSocket && error.code === 'ECONNRESET') void send(request, startMs).then(resolve);
      else finish(error.code ?? error.message);
    });
    outgoing.end();
  });
}
