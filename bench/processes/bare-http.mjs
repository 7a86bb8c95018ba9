/** The measure of the info object: a node:http server that sends one unchanging answer. */
import { createServer } from 'node:http';
import { answerWith } from './answer.mjs';

let answer = { headers: {}, body: '' };

async function start() {
  const server = createServer({ keepAliveTimeout: 10_000 }, (_request, response) => {
    response.writeHead(200, answer.headers);
    response.end(answer.body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port };
}

answerWith(async ({ kind, headers, body }) => {
  if (kind === 'start') return start();
  answer = { headers, body };
  return {};
});
