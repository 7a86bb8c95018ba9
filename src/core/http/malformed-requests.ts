/** Responds to requests that Node can't parse, and closes the connection. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { maxAddressBytes } from './target.ts';

/** Node's error for a request that it can't parse; Fastify's type declares less of it. */
interface ParseError {
  readonly code: string;
  readonly rawPacket?: unknown;
}

const responses = {
  tooLong: ['414 URI Too Long', 'The address is too long.'],
  headers: ['431 Request Header Fields Too Large', 'The request’s headers are too large.'],
  slow: ['408 Request Timeout', 'The request took too long to arrive.'],
  malformed: ['400 Bad Request', 'The request is malformed.'],
} as const;

function responseFor(error: ParseError): (typeof responses)[keyof typeof responses] {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return responses.slow;
  if (error.code !== 'HPE_HEADER_OVERFLOW') return responses.malformed;
  return isRequestLineTooLong(error.rawPacket) ? responses.tooLong : responses.headers;
}

/** Whether the address did not fit: the last packet begins the request line, ends it, or is a part of it. */
function isRequestLineTooLong(packet: unknown): boolean {
  const text = Buffer.isBuffer(packet) ? packet.toString('latin1') : '';
  const [firstLine = ''] = text.split('\r\n', 1);
  if (/^[A-Z]+ \S/.test(firstLine)) return firstLine.length > maxAddressBytes;
  return text.includes('\r\n') ? / HTTP\/1\.[01]$/.test(firstLine) : !/\s/.test(text);
}

/** The client gets this long to read the answer and to close the connection, in ms. */
const lingerMs = 2000;

/** Whether a part of a response was written and its end was not: what is written now would be taken for the next part. */
const isWithin = (response: ServerResponse | undefined): boolean =>
  response?.headersSent === true && !response.writableEnded;

/** Writes the status and one sentence. A connection that the client has closed, or that an answer is being sent on, is only destroyed. */
export function rejectConnection(error: ParseError, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET' || isWithin(socket.latestResponse)) {
    socket.destroy();
    return;
  }
  const [status, sentence] = responseFor(error);
  const body = `${sentence}\n`;
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Access-Control-Allow-Origin: *\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
