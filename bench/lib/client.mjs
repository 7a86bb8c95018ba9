/** A plain HTTP client for single answers. */
import { Agent, get } from 'node:http';

// A connection each: one that was kept could be closed by the server just when it is used again.
const agent = new Agent({ keepAlive: false });
const timeoutMs = 60_000;

/** The whole answer: status, headers (also as they were sent), and body. */
export function fetchAnswer(port, path) {
  return new Promise((resolve, reject) => {
    const request = get({ agent, host: '127.0.0.1', port, path, timeout: timeoutMs }, (response) => {
      const { statusCode: status, headers, rawHeaders } = response;
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => resolve({ status, headers, rawHeaders, body: Buffer.concat(chunks) }));
    });
    request.once('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} seconds`)));
    request.once('error', reject);
  });
}
