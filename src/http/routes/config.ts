/** `GET {base_url}/server/dlConfig.jsp`: the running configuration, for those who run the server. */
import type { FastifyInstance } from 'fastify';
import { ImageError } from '../../image/model/errors.ts';
import { configPage } from '../config-page.ts';
import { sendTextError } from '../errors.ts';
import { sendPage } from '../html.ts';
import type { Service } from '../service.ts';

/** Below the context path. */
export const configPath = '/server/dlConfig.jsp';

/** Adds the route. To others the address is as one that there is not. */
export function configRoute(server: FastifyInstance, base: string, service: Service): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: `${base}${configPath}`,
    async handler(request, reply) {
      // Pages of other origins have no business here.
      reply.removeHeader('access-control-allow-origin');
      if (await service.callers.mayConfigure(request.raw)) {
        return sendPage(configPage(await service.overview()), reply, 'no-store');
      }
      return sendTextError(new ImageError('not-found', 'There is nothing at this address.'), request, reply);
    },
  });
}
