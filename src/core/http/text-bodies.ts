/** Bodies of requests that a route parses by itself. */
import type { FastifyInstance } from 'fastify';

/** Has the routes of a server take bodies of any media type as text, up to `bodyLimit` bytes. */
export function takeTextBodies(server: FastifyInstance, bodyLimit: number): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, parsed) => parsed(null, body));
}
