/** `GET {base_url}/Scaler` at all its addresses, with or without a path behind them (digilib.md, section 5). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ParameterValues } from '../../digilib/parameters.ts';
import { parseQuery } from '../../digilib/query.ts';
import { errorFormOf } from '../../digilib/request.ts';
import { formatIdentifierSegment } from '../../iiif/presentation/addresses.ts';
import { formatIdentifier } from '../../image/model/identifier.ts';
import type { ImageSet } from '../../image/model/image-set.ts';
import { sendDigilibError } from '../errors.ts';
import { segmentsOf } from '../iiif-mounts.ts';
import { admitFirst, askedOfScaler, scalerPath, scalerPlaces } from '../image-query.ts';
import { targetOf } from '../origin.ts';
import { sendExplanation, wantsExplanation } from '../send-explanation.ts';
import { answerUnchanged, sendImage } from '../send-image.ts';
import { cacheControlOf, type Service } from '../service.ts';
import { sendInformation } from './iiif.ts';

/** The path of an image in IIIF: `mo=info` sends its info.json, `mo=redirect_info` leads there. */
function iiifPath(image: ImageSet, service: Service): string {
  const { contextPath, iiifPrefix, iiifSlash } = service;
  const identifier = formatIdentifierSegment(formatIdentifier(image.identifier), iiifSlash);
  return `${contextPath}/Scaler/${iiifPrefix}/${identifier}`;
}

async function serve(
  values: ParameterValues,
  path: string,
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  service.fastPath.requireNoFailure(request.raw);
  const asked = askedOfScaler(values, path, service);
  const image = await admitFirst(asked, service.admission, await service.callers.callerOf(request.raw));
  if (values.mo.has('info')) {
    const { defaultIiifVersion: version } = service;
    return sendInformation({ path: iiifPath(image, service), version, asked, image }, service, request, reply);
  }
  if (values.mo.has('redirect_info')) {
    return reply.redirect(`${request.origin}${iiifPath(image, service)}/info.json`, 303);
  }
  if (wantsExplanation(request, service)) {
    return sendExplanation(await service.images.explain(asked.request, image), reply);
  }
  const answer = service.images.answer(asked.request, image);
  service.fastPath.remember(request.raw, { kind: 'picture', asked, image, answer });
  return sendImage(answer, cacheControlOf(image.isOpen, service), request, reply);
}

/** Adds the routes. */
export function scalerRoutes(server: FastifyInstance, base: string, service: Service): void {
  for (const place of scalerPlaces(base)) {
    const prefixSegments = segmentsOf(place);
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { path, query } = targetOf(request.raw);
      let form = service.errors.defaultForm;
      try {
        const values = parseQuery(query);
        form = errorFormOf(values, form);
        const imagePath = scalerPath(path, prefixSegments);
        return await answerUnchanged(() => serve(values, imagePath, service, request, reply));
      } catch (error) {
        return sendDigilibError(error, form, service.errors, request, reply);
      }
    };
    for (const url of [place, `${place}/*`]) server.route({ method: ['GET', 'HEAD'], url, handler });
  }
}
