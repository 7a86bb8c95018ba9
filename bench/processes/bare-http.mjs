/** The measure of the info object: a node:http server that sends one unchanging answer, and counts how often it did. */
import { createServer } from 'node:http';
import { answerWith } from './answer.mjs';

let answered = 0;

async function start({ headers, body }) {
  const server = createServer({ keepAliveTimeout: 10_000 }, (_request, response) => {
    answered += 1;
    response.writeHead(200, headers);
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port };
}

answerWith(async (question) => (question.kind === 'start' ? start(question) : { answered }));
