/** Node's HTTP server, with its bounds on connections and on slow, large and malformed requests. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { commonHeaders } from '../representation.ts';
import { maxAddressBytes } from '../target.ts';
import type { Connections, RequestHandler } from './connections.ts';

/** Maximum size of all headers together, in bytes: less than one packet, so that the error shows which part was too long. */
const maxHeaderBytes = 60_000;

/** Maximum number of header fields of a request. Browsers send about 20, and each proxy adds some. */
const maxHeaderFields = 128;

const tooManyFields = `A request can have at most ${maxHeaderFields} header fields.\n`;

function refuse(response: ServerResponse): void {
  response.writeHead(431, [
    ...commonHeaders,
    ...['content-type', 'text/plain; charset=utf-8', 'content-length', String(tooManyFields.length)],
    ...['connection', 'close'],
  ]);
  response.end(tooManyFields);
}

export function createHttpServer(handler: RequestHandler, connections: Connections): Server {
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: 15_000,
      requestTimeout: 20_000,
      // The limit of a stalled connection holds between requests too: to change the timer twice for each would cost 3 % of a small answer.
      keepAliveTimeout: 0,
      connectionsCheckingInterval: 5_000,
    },
    connections.inTurn((request, response) => {
      if (request.rawHeaders.length > 2 * maxHeaderFields) refuse(response);
      else handler(request, response);
    }),
  );
  // Without this, Node drops the fields after the first 2,000 without a word, such as the one that names the client.
  server.maxHeadersCount = 0;
  connections.supervise(server);
  return server;
}

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
