/** A plain HTTP client for single requests. */
import { Agent, get } from 'node:http';

// A new connection for each request: the server could close a reused one just as the request is sent.
const agent = new Agent({ keepAlive: false });
const timeoutMs = 60_000;

/** Resolves to the whole response: status, headers (parsed and raw), and body. */
export function fetchResponse(port, path) {
  return new Promise((resolve, reject) => {
    const request = get({ agent, host: '127.0.0.1', port, path, timeout: timeoutMs }, (response) => {
      const { statusCode: status, headers, rawHeaders } = response;
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => resolve({ status, headers, rawHeaders, body: Buffer.concat(chunks) }));
    });
    request.once('timeout', () => request.destroy(new Error(`no response within ${timeoutMs / 1000} seconds`)));
    request.once('error', reject);
  });
}
