/** Answers what is no HTTP request that can be read, and closes the connection. */
import type { Socket } from 'node:net';

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
  const requestLine = Buffer.isBuffer(error.rawPacket)
    ? error.rawPacket.toString('latin1').split('\r\n', 1)[0]
    : undefined;
  return (requestLine?.length ?? 0) > 8192 ? answers.tooLong : answers.headers;
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
