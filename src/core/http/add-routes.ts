/** Adds routes, which all answer GET and HEAD. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** Adds a handler for addresses below the context path. */
export function addRoutes(server: FastifyInstance, urls: readonly string[], handler: Handler): void {
  for (const url of urls) server.route({ method: ['GET', 'HEAD'], url, prefixTrailingSlash: 'slash', handler });
}
