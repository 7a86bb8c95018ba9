/** `GET {base_url}/openapi.json`: the description of all addresses of this server. */
import type { FastifyPluginCallback } from 'fastify';
import type { Caller } from '../../access/policy.ts';
import { parentOf } from '../../image/addresses/iiif-addresses.ts';
import { type About, descriptionPath } from '../about.ts';
import { addRoutes } from '../add-routes.ts';
import type { Callers } from '../callers.ts';
import type { DigilibErrors } from '../error-responses.ts';
import { plainJson } from '../negotiation.ts';
import { privateCacheControl } from '../representation.ts';
import { sendDocument } from '../send.ts';
import type { ApiPart, Example } from './operation.ts';

interface OpenApiParts {
  readonly about: About;
  readonly errors: DigilibErrors;
  readonly callers: Callers;
  /** The path of an image that the caller may see, if there is one. */
  readonly example: (caller: Caller) => Promise<string | undefined>;
  readonly contextPath: string;
  readonly iiifSlash: string;
  /** What the features add to the description. */
  readonly describe: readonly ((example: Example) => Promise<ApiPart>)[];
}

/** For a library without images that the caller may see. */
const noImage = 'herbal/page-001.jpg';

/** Adds the route. The document is made for each request: it names the requested host and an image that the caller may see. */
export const openApiRoute: FastifyPluginCallback<OpenApiParts> = (server, parts, done) => {
  const { about, errors, callers, contextPath, iiifSlash: slash } = parts;
  addRoutes(server, [descriptionPath], async (request, reply) => {
    const { openApiDocument } = await import('./api-document.ts');
    const image = (await parts.example(await callers.callerOf(request.raw))) ?? noImage;
    const example = { image, folder: parentOf(image) || '/', slash };
    const document = openApiDocument({
      about,
      errors,
      tokenCookie: callers.tokenCookie,
      address: `${request.origin}${contextPath}`,
      example,
      parts: await Promise.all(parts.describe.map((describe) => describe(example))),
    });
    return sendDocument(Buffer.from(JSON.stringify(document)), plainJson, privateCacheControl, request, reply);
  });
  done();
};
