/**
 * The load where wrk is not there or can’t count: raw sockets that each send a request, wait for the whole answer and
 * send the next of a list that they share. Bodies are only counted, which keeps this process cheaper than the servers.
 */
import { connect } from 'node:net';
import { answerWith } from './answer.mjs';

const maxMs = 30_000;
const silenceMs = 60_000;

/** What follows the head of an answer: a length, or pieces up to an empty one. */
function readHead(text) {
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(`A server answered ${JSON.stringify(text.slice(9, 40))}.`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text);
  if (length !== null) return { missing: Number(length[1]) };
  if (/\r\ntransfer-encoding: *chunked/i.test(text)) return { missing: undefined };
  throw new Error('A server’s answer says neither its length nor that it comes in pieces.');
}

/** Takes the bytes of one answer after the other; says after each piece whether the answer is whole. */
function answerReader() {
  let head = Buffer.alloc(0);
  let missing;
  let inBody = false;
  const readBody = (bytes) => {
    if (missing === undefined) return bytes.subarray(-5).toString('latin1') === '0\r\n\r\n';
    missing -= bytes.length;
    if (missing < 0) throw new Error('A server sent more than one answer to one request.');
    return missing === 0;
  };
  const readStart = (bytes) => {
    head = head.length === 0 ? bytes : Buffer.concat([head, bytes]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return false;
    ({ missing } = readHead(head.toString('latin1', 0, end)));
    const rest = head.subarray(end + 4);
    head = Buffer.alloc(0);
    inBody = true;
    return readBody(rest);
  };
  return (bytes) => {
    const isWhole = inBody ? readBody(bytes) : readStart(bytes);
    if (isWhole) inBody = false;
    return isWhole;
  };
}

function open(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Keeps one connection busy until there is no further request. */
function keepBusy(socket, next) {
  return new Promise((resolve, reject) => {
    const fail = (sentence) => {
      socket.destroy();
      reject(new Error(sentence));
    };
    const read = answerReader();
    const ask = () => {
      const request = next();
      if (request !== undefined) return socket.write(request);
      socket.destroy();
      return resolve();
    };
    socket.on('data', (bytes) => {
      try {
        if (read(bytes)) ask();
      } catch (error) {
        fail(error.message);
      }
    });
    socket.setTimeout(silenceMs, () => fail('A server did not answer within a minute.'));
    socket.once('error', (error) => fail(`A connection failed (${error.code}).`));
    socket.once('end', () => fail('A server closed a connection that was to be kept alive.'));
    ask();
  });
}

/** Every request once, or around and around for so many ms; how many were asked is counted. */
function requestsOf({ paths, host, ms }) {
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 'latin1'));
  const until = ms === undefined ? undefined : performance.now() + Math.min(ms, maxMs);
  const isOver = () => (until === undefined ? counter.asked === requests.length : performance.now() >= until);
  const counter = { asked: 0, next: () => (isOver() ? undefined : requests[counter.asked++ % requests.length]) };
  return counter;
}

answerWith(async ({ port, connections, ...question }) => {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const requests = requestsOf({ ...question, host: `127.0.0.1:${port}` });
  const start = performance.now();
  await Promise.all(sockets.map((socket) => keepBusy(socket, requests.next)));
  return { answers: requests.asked, elapsedMs: performance.now() - start };
});
