/** `/healthz`, `/readyz` and `/metrics`, for those who watch the server: below the context path and also at the root. */

import type { IncomingMessage } from 'node:http';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { addRoutes } from '../../core/http/add-routes.ts';
import { nothingHere, sendTextError } from '../../core/http/error-responses.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import {
  clientAddressOf,
  isDirectFromLoopback,
  isForwarded,
  isLoopback,
  type TrustedProxies,
  trustProxies,
} from '../../core/http/origin.ts';
import { degraded, notReady, type Readiness, type ReadinessCheck } from '../../core/http/readiness.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import type { MetricsPage } from './metrics.ts';

export interface HealthParts {
  readonly metrics: MetricsPage;
  readonly metricsAccess: MetricsAccess;
  readonly readiness: Readiness;
}

export const healthPath = '/healthz';
export const readinessPath = '/readyz';
export const metricsPath = '/metrics';

/** The parts that are not ready although the server is, as a list of names, in which other characters than those of ASCII are encoded. */
const degradedHeader = 'lectern-degraded';

function addDegraded(checks: readonly ReadinessCheck[], reply: FastifyReply): FastifyReply {
  const names = degraded(checks);
  return names.length === 0 ? reply : reply.header(degradedHeader, names.map(encodeURI).join(', '));
}

async function sendReadiness(readiness: Readiness, reply: FastifyReply): Promise<FastifyReply> {
  const checks = await readiness.ask();
  const missing = notReady(checks);
  const body = {
    ...{ ready: missing.length === 0, notReady: missing, degraded: degraded(checks) },
    checks: checks.map(({ name, state }) => ({ name, state })),
  };
  return addDegraded(checks, reply)
    .code(body.ready ? 200 : 503)
    .header('content-type', plainJson)
    .send(`${JSON.stringify(body, undefined, 2)}\n`);
}

const mayNotSee = (): ImageError =>
  new ImageError('denied', 'This address may not see the metrics; the setting http.metricsFrom names those that may.');

async function sendMetrics(
  { metrics, metricsAccess }: HealthParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Scripts of other origins must not read them.
  reply.removeHeader('access-control-allow-origin');
  if (!metricsAccess.isOn) return sendTextError(nothingHere(), request, reply);
  if (!metricsAccess.allows(request.raw)) return sendTextError(mayNotSee(), request, reply);
  return reply.header('content-type', metrics.mediaType).send(await metrics.text());
}

/** Adds the routes. */
export const healthRoutes: FastifyPluginCallback<HealthParts> = (server, parts, done) => {
  server.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  addRoutes(server, [healthPath], (_request, reply) =>
    addDegraded(parts.readiness.known(), reply).type('text/plain; charset=utf-8').send('alive\n'),
  );
  addRoutes(server, [readinessPath], (_request, reply) => sendReadiness(parts.readiness, reply));
  addRoutes(server, [metricsPath], (request, reply) => sendMetrics(parts, request, reply));
  done();
};

export interface MetricsAccess {
  readonly isOn: boolean;
  allows(request: IncomingMessage): boolean;
}

/**
 * Allows the addresses and CIDR ranges. A proxy on this machine that is not trusted would make everyone local, so that a
 * request from loopback counts only where it was not forwarded.
 */
export function createMetricsAccess(ranges: readonly string[], trusted: TrustedProxies): MetricsAccess {
  const isListed = trustProxies(ranges);
  return {
    isOn: ranges.length > 0,
    allows(request) {
      const peer = request.socket.remoteAddress ?? '';
      if (trusted(peer) && isForwarded(request)) return isListed(clientAddressOf(request, trusted));
      if (isLoopback(peer)) return isListed(peer) && isDirectFromLoopback(request);
      return isListed(peer) && !isForwarded(request);
    },
  };
}
