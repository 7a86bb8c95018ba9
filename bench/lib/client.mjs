/** A plain HTTP client for single answers, over connections that stay open. */
import { Agent, get } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
const timeoutMs = 60_000;

/** The whole answer: status, headers as they were sent, and body. */
export function fetchAnswer(port, path) {
  return new Promise((resolve, reject) => {
    const request = get({ agent, host: '127.0.0.1', port, path, timeout: timeoutMs }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode, rawHeaders: response.rawHeaders, body: Buffer.concat(chunks) }),
      );
    });
    request.once('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} seconds`)));
    request.once('error', reject);
  });
}

/** Closes the connections that are still open. */
export const closeConnections = () => agent.destroy();
