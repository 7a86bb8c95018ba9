/** `GET {base_url}/openapi.json`: the description of all addresses of this server. */
import type { FastifyInstance } from 'fastify';
import { iiifMounts } from '../iiif-mounts.ts';
import { plainJson } from '../negotiation.ts';
import { openApiDocument } from '../openapi/document.ts';
import { exampleFor } from '../openapi/example.ts';
import { descriptionPath } from '../openapi/server-operations.ts';
import { sendDocument } from '../send-document.ts';
import type { Service } from '../service.ts';
import { presentationPlaces } from './presentation.ts';

/** Adds the route. The answer is made anew each time, since it names the host that was asked and what the caller may see. */
export function openApiRoute(server: FastifyInstance, base: string, service: Service): void {
  const described = {
    about: service.about,
    iiif: iiifMounts('', service),
    presentation: presentationPlaces('', service),
    errors: service.errors,
    slash: service.iiifSlash,
    hasElement: service.webAssets.element !== undefined,
    tokenCookie: service.callers.tokenCookie,
  };
  server.route({
    method: ['GET', 'HEAD'],
    url: `${base}${descriptionPath}`,
    async handler(request, reply) {
      const example = await exampleFor(request, service);
      const document = openApiDocument({ ...described, address: `${request.origin}${base}`, example });
      const body = Buffer.from(JSON.stringify(document));
      return sendDocument(body, plainJson, 'private, no-cache', request, reply);
    },
  });
}
