/** `GET {base_url}/api/dlInfo-json.jsp`: the info object (info-endpoint.md). */
import type { FastifyPluginCallback } from 'fastify';
import { infoText } from '../../digilib/info.ts';
import { parseQuery } from '../../digilib/query.ts';
import { throwRecordedFailure } from '../fast-path/failures.ts';
import {
  contextOf,
  type InfoObjectParts,
  imageNamedBy,
  infoObjectPaths,
  infoObjectRepresentation,
} from '../info-object.ts';
import { markOpen } from '../restricted-readers.ts';
import { sendRepresentation } from '../send.ts';
import { targetOf } from '../target.ts';
import { addRoutes } from './add-routes.ts';

/** Adds the route at its own path and at that of older versions. */
export const infoObjectRoutes: FastifyPluginCallback<InfoObjectParts> = (server, parts, done) => {
  addRoutes(server, infoObjectPaths, async (request, reply) => {
    throwRecordedFailure(request.raw);
    const values = parseQuery(targetOf(request.raw).query);
    const image = await imageNamedBy(values, request.raw, parts);
    if (image === undefined || image.isOpen) markOpen(request.raw);
    const body = infoText(values, image)(contextOf(request.raw, request.origin));
    return sendRepresentation(infoObjectRepresentation, body, request, reply);
  });
  done();
};
