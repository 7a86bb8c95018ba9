/** `GET {base_url}/api/dlInfo-json.jsp`: the info object (info-endpoint.md). */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { infoObject } from '../../digilib/info.ts';
import type { ParameterValues } from '../../digilib/parameters.ts';
import { parseQuery } from '../../digilib/query.ts';
import { ImageError } from '../../image/errors.ts';
import { parseIdentifier } from '../../image/identifier.ts';
import type { Admitted, ImageSet } from '../../image/image-set.ts';
import { addressOf, targetOf } from '../origin.ts';
import { callerOf, type Service } from '../service.ts';

/** The image that the request names, if the caller may see it; an empty name (in any spelling) names none. */
async function imageNamedBy(
  values: ParameterValues,
  request: FastifyRequest,
  { admission }: Service,
): Promise<Admitted<ImageSet> | undefined> {
  if (!parseIdentifier(values.fn)?.segments.length) return undefined;
  try {
    return await admission.admit(values.fn, values.pn, callerOf(request));
  } catch (error) {
    if (error instanceof ImageError) return undefined;
    throw error;
  }
}

/** Adds the route. */
export function infoObjectRoute(server: FastifyInstance, base: string, service: Service): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: `${base}/api/dlInfo-json.jsp`,
    async handler(request, reply) {
      const values = parseQuery(targetOf(request).query);
      const address = addressOf(request, service.trusted);
      const image = values.fn === '' ? undefined : await imageNamedBy(values, request, service);
      const context = { method: request.method, address, id: randomUUID().slice(0, 8) };
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(JSON.stringify(infoObject(values, context, image)));
    },
  });
}
