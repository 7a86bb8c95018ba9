/** The server with which the info object is compared: node:http with a constant response. */
import { createServer } from 'node:http';
import { respondWith } from './worker.mjs';

let constant = { headers: {}, body: '' };

async function start() {
  const server = createServer({ keepAliveTimeout: 10_000 }, (_request, response) => {
    response.writeHead(200, constant.headers);
    response.end(constant.body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port };
}

respondWith(async ({ kind, headers, body }) => {
  if (kind === 'start') return start();
  constant = { headers, body };
  return {};
});
