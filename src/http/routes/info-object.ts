/** `GET {base_url}/api/dlInfo-json.jsp`: the info object (info-endpoint.md). */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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

function send(
  values: ParameterValues,
  image: ImageSet | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const context = { method: request.method, address: addressOf(request), id: randomUUID().slice(0, 8) };
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(infoObject(values, context, image)));
}

/** Adds the route. Without a name to look up there is nothing to wait for. */
export function infoObjectRoute(server: FastifyInstance, base: string, service: Service): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: `${base}/api/dlInfo-json.jsp`,
    handler(request, reply) {
      const values = parseQuery(targetOf(request).query);
      if (values.fn === '') return send(values, undefined, request, reply);
      return imageNamedBy(values, request, service).then((image) => send(values, image, request, reply));
    },
  });
}
