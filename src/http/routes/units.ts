/** `GET {base_url}/api/units.json`: the units of length that the site adds to those of the reading room. */
import type { FastifyInstance } from 'fastify';
import type { UnitList } from '../../image/model/units.ts';
import { plainJson } from '../negotiation.ts';
import { sendDocument } from '../send-document.ts';
import type { Service } from '../service.ts';

/** Below the context path. */
export const unitsPath = '/api/units.json';

/** Adds the route. */
export function unitsRoute(server: FastifyInstance, base: string, { units }: Service): void {
  const list: UnitList = { units };
  const body = Buffer.from(JSON.stringify(list));
  server.route({
    method: ['GET', 'HEAD'],
    url: base + unitsPath,
    handler: (request, reply) => sendDocument(body, plainJson, 'no-cache', request, reply),
  });
}
