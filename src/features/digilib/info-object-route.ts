/** `GET {base_url}/api/dlInfo-json.jsp`: the info object (info-endpoint.md). */
import type { FastifyPluginCallback } from 'fastify';
import { addRoutes } from '../../core/http/add-routes.ts';
import { throwRecordedFailure } from '../../core/http/fast-path/fast-path.ts';
import { markOpen } from '../../core/http/restricted-readers.ts';
import { sendRepresentation } from '../../core/http/send.ts';
import { targetOf } from '../../core/http/target.ts';
import { isForAll } from '../../core/image/model/image-set.ts';
import { infoText } from './info-object.ts';
import {
  contextOf,
  type InfoObjectParts,
  imageNamedBy,
  infoObjectPaths,
  infoObjectRepresentation,
} from './info-object-request.ts';
import { parseQuery } from './parameters.ts';

/** Adds the route at its own path and at that of older versions. */
export const infoObjectRoutes: FastifyPluginCallback<InfoObjectParts> = (server, parts, done) => {
  addRoutes(server, infoObjectPaths, async (request, reply) => {
    throwRecordedFailure(request.raw);
    const values = parseQuery(targetOf(request.raw).query);
    const image = await imageNamedBy(values, request.raw, parts);
    if (image === undefined || isForAll(image)) markOpen(request.raw);
    const body = infoText(values, image)(contextOf(request.raw, request.origin));
    return sendRepresentation(infoObjectRepresentation, body, request, reply);
  });
  done();
};
