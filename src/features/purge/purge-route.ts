/** `POST {base_url}/api/purge`: those who run the site have proxies and CDNs forget what they keep of images and folders. */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Callers } from '../../core/http/callers.ts';
import { sendJsonError } from '../../core/http/error-responses.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import { requireOwnJson } from '../../core/http/own-origin.ts';
import { takeTextBodies } from '../../core/http/text-bodies.ts';
import { badRequest, ImageError } from '../../core/image/model/errors.ts';
import { parseIdentifier } from '../../core/image/model/identifier.ts';
import { parseJson } from '../../core/parsing/parse.ts';

/** Below the context path. */
export const purgePath = '/api/purge';

export interface PurgeRouteParts {
  readonly callers: Callers;
  /** Names of the proxies and CDNs. */
  readonly targets: readonly string[];
  /** Purges images and folders; the empty path is everything. */
  readonly purge: (paths: readonly string[]) => Promise<void>;
}

/** As many as fit into a body of the largest size. */
const maxBytes = 256 * 1024;

const purgeRequest = z.strictObject({
  paths: z
    .array(z.string().refine((path) => parseIdentifier(path) !== undefined, 'is no path of a library'))
    .min(1)
    .max(1000),
});

async function purge(request: FastifyRequest, reply: FastifyReply, parts: PurgeRouteParts): Promise<FastifyReply> {
  requireOwnJson(request, 'This is asked by pages of this server, or by programs, with JSON alone.');
  if (!(await parts.callers.mayConfigure(request.raw)))
    throw new ImageError('denied', 'Caches are purged by those who have the role admin.');
  const { data, error } = purgeRequest.safeParse(
    typeof request.body === 'string' ? parseJson(request.body) : undefined,
  );
  if (data === undefined) throw badRequest(`The paths can’t be read: ${z.prettifyError(error)}`);
  await parts.purge(data.paths);
  const { targets } = parts;
  return reply.code(202).header('cache-control', 'no-store').type(plainJson).send(JSON.stringify({ targets }));
}

export const purgeRoute: FastifyPluginCallback<PurgeRouteParts> = (server, parts, done) => {
  takeTextBodies(server, maxBytes);
  server.route({
    method: 'POST',
    url: purgePath,
    config: { acceptsForms: true },
    bodyLimit: maxBytes,
    errorHandler: sendJsonError,
    handler: (request, reply) => purge(request, reply, parts),
  });
  done();
};
