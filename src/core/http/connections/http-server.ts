/** Node's HTTP server, with its bounds on connections and on slow and large requests. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { commonHeaders } from '../representation.ts';
import type { Connections } from './connections.ts';
import type { RequestHandler } from './one-at-a-time.ts';

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
