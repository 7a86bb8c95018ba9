/** `GET {base_url}/Scaler` at all its addresses, with or without a path behind them (digilib.md, section 5). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ParameterValues } from '../../digilib/parameters.ts';
import { parseQuery } from '../../digilib/query.ts';
import { errorFormOf, toImageRequest } from '../../digilib/request.ts';
import { formatIdentifierSegment } from '../../iiif/presentation/addresses.ts';
import { ImageError } from '../../image/errors.ts';
import { formatIdentifier } from '../../image/identifier.ts';
import type { ImageSet } from '../../image/image-set.ts';
import { sendDigilibError } from '../errors.ts';
import { pathBehind, targetOf } from '../origin.ts';
import { answerUnchanged, sendImage } from '../send-image.ts';
import { cacheControlOf, type Service } from '../service.ts';
import { servletPaths } from '../servlets.ts';

/** The path behind the servlet's name, decoded, with the slash before it. */
function requestPath(path: string, prefixSegments: number): string {
  if (path.split('/').length - 1 <= prefixSegments) return '';
  try {
    return `/${decodeURIComponent(pathBehind(path, prefixSegments))}`;
  } catch {
    throw new ImageError('not-found', 'There is no image of this name: the address is not UTF-8.');
  }
}

/** Where IIIF describes an image: what `mo=info` and `mo=redirect_info` lead to. */
function informationAddress(image: ImageSet, { origin }: FastifyRequest, service: Service): string {
  const { contextPath, iiifPrefix, iiifSlash } = service;
  const identifier = formatIdentifierSegment(formatIdentifier(image.identifier), iiifSlash);
  return `${origin}${contextPath}/Scaler/${iiifPrefix}/${identifier}/info.json`;
}

async function serve(
  values: ParameterValues,
  path: string,
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const image = await service.admission.admit(path + values.fn, values.pn, await service.callers.callerOf(request.raw));
  if (values.mo.has('info') || values.mo.has('redirect_info')) {
    return reply.redirect(informationAddress(image, request, service), 303);
  }
  const answer = service.images.answer(toImageRequest(values, service.defaultKernel), image);
  return sendImage(answer, cacheControlOf(image.isOpen, service), request, reply);
}

/** Adds the routes. */
export function scalerRoutes(server: FastifyInstance, base: string, service: Service): void {
  for (const name of servletPaths('Scaler')) {
    const prefixSegments = `${base}${name}`.split('/').length - 1;
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { path, query } = targetOf(request.raw);
      let form = service.errors.defaultForm;
      try {
        const values = parseQuery(query);
        form = errorFormOf(values, form);
        const imagePath = requestPath(path, prefixSegments);
        return await answerUnchanged(() => serve(values, imagePath, service, request, reply));
      } catch (error) {
        return sendDigilibError(error, form, service.errors, request, reply);
      }
    };
    for (const url of [`${base}${name}`, `${base}${name}/*`]) server.route({ method: ['GET', 'HEAD'], url, handler });
  }
}
