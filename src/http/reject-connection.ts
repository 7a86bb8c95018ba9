/** Answers what is no HTTP request that can be read, and closes the connection. */
import type { Socket } from 'node:net';
import { maxAddressBytes } from './target.ts';

/** What Node says of a request that it can't read; Fastify's type says less of it. */
interface ParseError {
  readonly code: string;
  readonly rawPacket?: unknown;
}

const answers = {
  tooLong: ['414 URI Too Long', 'The address is too long.'],
  headers: ['431 Request Header Fields Too Large', 'The request’s headers are too large.'],
  slow: ['408 Request Timeout', 'The request took too long to arrive.'],
  malformed: ['400 Bad Request', 'The request is malformed.'],
} as const;

function answerFor(error: ParseError): (typeof answers)[keyof typeof answers] {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return answers.slow;
  if (error.code !== 'HPE_HEADER_OVERFLOW') return answers.malformed;
  return isRequestLineTooLong(error.rawPacket) ? answers.tooLong : answers.headers;
}

/** Whether it is the address that did not fit: what arrived last begins the request line, holds its end, or goes on with it. */
function isRequestLineTooLong(packet: unknown): boolean {
  const text = Buffer.isBuffer(packet) ? packet.toString('latin1') : '';
  const [firstLine = ''] = text.split('\r\n', 1);
  if (/^[A-Z]+ \S/.test(firstLine)) return firstLine.length > maxAddressBytes;
  return text.includes('\r\n') ? / HTTP\/1\.[01]$/.test(firstLine) : !/\s/.test(text);
}

/** Writes the fitting status with one sentence; a connection that the client has dropped is only closed. */
export function rejectConnection(error: ParseError, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, sentence] = answerFor(error);
  const body = `${sentence}\n`;
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Access-Control-Allow-Origin: *\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
  );
}
