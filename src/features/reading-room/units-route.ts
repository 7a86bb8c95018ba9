/** `GET {base_url}/api/units.json`: the units of length that the site adds to those of the reading room. */
import type { FastifyPluginCallback } from 'fastify';
import { addRoutes } from '../../core/http/add-routes.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import { sendDocument } from '../../core/http/send.ts';
import type { Unit, UnitList } from '../../core/image/model/units.ts';

export interface UnitsParts {
  readonly units: readonly Unit[];
}

/** Below the context path. */
export const unitsPath = '/api/units.json';

export const unitsRoute: FastifyPluginCallback<UnitsParts> = (server, { units }, done) => {
  const body = Buffer.from(JSON.stringify({ units } satisfies UnitList));
  addRoutes(server, [unitsPath], (request, reply) => sendDocument(body, plainJson, 'no-cache', request, reply));
  done();
};
