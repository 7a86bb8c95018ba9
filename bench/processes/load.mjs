/**
 * A load generator for unique requests, and for machines without wrk: raw sockets that each send a request, wait for the
 * whole response, and send the next one of a shared list. Bodies are only counted, so that it uses less time than the servers.
 */
import { connect } from 'node:net';
import { respondWith } from './worker.mjs';

const maxMs = 30_000;
const silenceMs = 60_000;

/** The length of the body according to the head of a response; undefined if the body is chunked. */
function readHead(text) {
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(`A server answered ${JSON.stringify(text.slice(9, 40))}.`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text);
  if (length !== null) return { missing: Number(length[1]) };
  if (/\r\ntransfer-encoding: *chunked/i.test(text)) return { missing: undefined };
  throw new Error('A server’s response has neither a length nor chunks.');
}

/** Reads the bytes of one response after the other; returns whether the response is complete. */
function responseReader() {
  let head = Buffer.alloc(0);
  let missing;
  let inBody = false;
  const readBody = (bytes) => {
    if (missing === undefined) return bytes.subarray(-5).toString('latin1') === '0\r\n\r\n';
    missing -= bytes.length;
    if (missing < 0) throw new Error('A server sent more than one response to one request.');
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

/** Sends one request after the other on one connection, until there are no more. */
function sendAll(socket, next) {
  return new Promise((resolve, reject) => {
    const fail = (sentence) => {
      socket.destroy();
      reject(new Error(sentence));
    };
    const read = responseReader();
    const send = () => {
      const request = next();
      if (request !== undefined) return socket.write(request);
      socket.destroy();
      return resolve();
    };
    socket.on('data', (bytes) => {
      try {
        if (read(bytes)) send();
      } catch (error) {
        fail(error.message);
      }
    });
    socket.setTimeout(silenceMs, () => fail('A server did not answer within a minute.'));
    socket.once('error', (error) => fail(`A connection failed (${error.code}).`));
    socket.once('end', () => fail('A server closed a connection that should be kept alive.'));
    send();
  });
}

/** Each request once, or all repeatedly for `ms`; counts the requests sent. */
function requestsOf({ paths, host, ms }) {
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 'latin1'));
  const until = ms === undefined ? undefined : performance.now() + Math.min(ms, maxMs);
  const isOver = () => (until === undefined ? counter.sent === requests.length : performance.now() >= until);
  const counter = { sent: 0, next: () => (isOver() ? undefined : requests[counter.sent++ % requests.length]) };
  return counter;
}

respondWith(async ({ port, connections, ...options }) => {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const requests = requestsOf({ ...options, host: `127.0.0.1:${port}` });
  const start = performance.now();
  await Promise.all(sockets.map((socket) => sendAll(socket, requests.next)));
  return { answers: requests.sent, elapsedMs: performance.now() - start };
});
