/** `GET {base_url}/openapi.json`: the description of all addresses of this server. */
import type { FastifyPluginCallback } from 'fastify';
import { iiifMounts } from '../../../features/iiif-image/iiif-mounts.ts';
import { presentationMounts } from '../../../features/presentation/routes.ts';
import { type About, descriptionPath } from '../about.ts';
import { addRoutes } from '../add-routes.ts';
import type { DigilibErrors } from '../errors.ts';
import { plainJson } from '../negotiation.ts';
import { privateCacheControl } from '../representation.ts';
import { sendDocument } from '../send.ts';
import type { ExampleParts } from './example.ts';

export interface OpenApiParts extends ExampleParts {
  readonly about: About;
  readonly errors: DigilibErrors;
  /** The names of the features that the server has. */
  readonly features: ReadonlySet<string>;
}

/** Adds the route. The document is made for each request: it names the requested host and an image that the caller may see. */
export const openApiRoute: FastifyPluginCallback<OpenApiParts> = (server, parts, done) => {
  const { about, errors, contextPath, iiifSlash, ports, features, callers } = parts;
  const described = {
    about,
    iiif: iiifMounts('', parts),
    presentation: presentationMounts(parts.iiifPrefix),
    errors,
    slash: iiifSlash,
    features,
    hasElement: ports.roomFiles?.hasElement ?? false,
    tokenCookie: callers.tokenCookie,
  };
  addRoutes(server, [descriptionPath], async (request, reply) => {
    const [{ openApiDocument }, { exampleFor }] = await Promise.all([import('./document.ts'), import('./example.ts')]);
    const example = await exampleFor(request, parts);
    const document = openApiDocument({ ...described, address: `${request.origin}${contextPath}`, example });
    return sendDocument(Buffer.from(JSON.stringify(document)), plainJson, privateCacheControl, request, reply);
  });
  done();
};
