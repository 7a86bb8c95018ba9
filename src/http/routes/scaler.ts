/** `GET {base_url}/Scaler` at all its addresses, with or without a path behind them (digilib.md, section 5). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ParameterValues } from '../../digilib/parameters.ts';
import { parseQuery } from '../../digilib/query.ts';
import { type ErrorForm, errorFormOf } from '../../digilib/request.ts';
import { admitFirst, askedOfScaler, scalerPath, scalerPlaces, segmentsOf } from '../asked-picture.ts';
import { sendDigilibError } from '../errors.ts';
import { targetOf } from '../origin.ts';
import { sendExplanation, wantsExplanation } from '../send-explanation.ts';
import { answerUnchanged, sendImage } from '../send-image.ts';
import { callerOf, type Service } from '../service.ts';

async function serve(
  values: ParameterValues,
  path: string,
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = askedOfScaler(values, path);
  const image = await admitFirst(asked, service.admission, callerOf(request.raw));
  if (wantsExplanation(request, service)) {
    return sendExplanation(await service.images.explain(asked.request, image), reply);
  }
  const answer = service.images.answer(asked.request, image);
  return sendImage(answer, service.cacheControl, request, reply);
}

/** Adds the routes. */
export function scalerRoutes(server: FastifyInstance, base: string, service: Service): void {
  for (const place of scalerPlaces(base)) {
    const prefixSegments = segmentsOf(place);
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { path, query } = targetOf(request.raw);
      let form: ErrorForm = 'image';
      try {
        const values = parseQuery(query);
        form = errorFormOf(values);
        const imagePath = scalerPath(path, prefixSegments);
        return await answerUnchanged(() => serve(values, imagePath, service, request, reply));
      } catch (error) {
        return sendDigilibError(error, form, service.errors, request, reply);
      }
    };
    for (const url of [place, `${place}/*`]) server.route({ method: ['GET', 'HEAD'], url, handler });
  }
}
