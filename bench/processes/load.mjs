/**
 * The load on the two HTTP servers: raw sockets that each send a request, wait for the whole answer and send the next.
 * All answers to one address have the same length, so after the first one only bytes are counted, which keeps this
 * process far cheaper than the servers.
 */
import { connect } from 'node:net';
import { answerWith } from './answer.mjs';

const maxRequests = 2_000_000;
const maxMs = 30_000;

function lengthOfAnswer(chunk) {
  const end = chunk.indexOf('\r\n\r\n');
  const length = end < 0 ? null : /\r\ncontent-length: *(\d+)/i.exec(chunk.toString('latin1', 0, end));
  if (length === null) throw new Error('A server’s first answer came in pieces or without Content-Length.');
  return end + 4 + Number(length[1]);
}

const isOk = (chunk) => chunk[9] === 0x32 && chunk[10] === 0x30 && chunk[11] === 0x30;

/** Keeps one connection busy until `run` is over. */
function keepBusy(run) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: run.port, host: '127.0.0.1', noDelay: true });
    const fail = (sentence) => {
      socket.destroy();
      reject(new Error(sentence));
    };
    let expected = 0;
    let missing = 0;
    const ask = () => {
      missing = expected;
      socket.write(run.request);
    };
    const read = (chunk) => {
      if (missing === expected && !isOk(chunk)) return fail('A server answered with another status than 200.');
      if (expected === 0) missing = expected = lengthOfAnswer(chunk);
      missing -= chunk.length;
      if (missing > 0) return undefined;
      if (missing < 0) return fail('A server’s answers differ in length.');
      run.answers += 1;
      if (performance.now() < run.until && run.answers < maxRequests) return ask();
      socket.destroy();
      return resolve();
    };
    socket.once('connect', ask);
    socket.on('data', (chunk) => {
      try {
        read(chunk);
      } catch (error) {
        fail(error.message);
      }
    });
    socket.once('error', (error) => fail(`A connection failed (${error.code}).`));
    socket.once('end', () => fail('A server closed a connection that was to be kept alive.'));
  });
}

answerWith(async ({ port, path, host, connections, ms }) => {
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: */*\r\n\r\n`, 'latin1');
  const start = performance.now();
  const run = { port, request, answers: 0, until: start + Math.min(ms, maxMs) };
  await Promise.all(Array.from({ length: connections }, () => keepBusy(run)));
  return { answers: run.answers, elapsedMs: performance.now() - start };
});
