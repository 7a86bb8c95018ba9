/** `GET {base_url}/activity/all-changes.json` and its pages: IIIF Change Discovery 1.0. */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { whenAbandoned } from '../../core/http/abandoned-responses.ts';
import { addRoutes } from '../../core/http/add-routes.ts';
import { nothingHere } from '../../core/http/error-responses.ts';
import { linkedJsonOf, plainJson, prefersLinkedJson } from '../../core/http/negotiation.ts';
import { sendNegotiated } from '../../core/http/send.ts';
import { pathBehind, segmentsOf, targetOf } from '../../core/http/target.ts';
import type { Ports } from '../../core/ports.ts';
import { type ActivityPlaces, changesPath, collectionDocument, context, pageDocument } from './activities.ts';
import type { Changes } from './changes.ts';

export interface DiscoveryParts {
  readonly changes: Pick<Changes, 'state' | 'page' | 'isOpen'>;
  readonly contextPath: string;
  readonly iiifSlash: string;
  readonly allPorts: () => Ports;
}

/** The same for everyone; whoever has it asks whether it has changed. */
const cacheControl = 'no-cache';

/** Linked data also for those who say nothing of it (section 4.1); others get what browsers show. */
const mediaTypeFor = (accept: string | undefined): string =>
  accept === undefined || prefersLinkedJson(accept) ? linkedJsonOf(context) : plainJson;

async function documentOf(name: string, parts: DiscoveryParts, places: ActivityPlaces, signal: AbortSignal) {
  const { changes } = parts;
  if (`activity/${name}` === changesPath) return collectionDocument(await changes.state(signal), places);
  const [, number] = /^page-(0|[1-9][0-9]{0,8})\.json$/.exec(name) ?? [];
  const page = number === undefined ? undefined : await changes.page(Number(number), signal);
  if (page === undefined) throw nothingHere();
  return pageDocument(Number(number), page, places, (path) => changes.isOpen(path));
}

async function serve(parts: DiscoveryParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { contextPath, iiifSlash, allPorts } = parts;
  const name = pathBehind(targetOf(request.raw).path, segmentsOf(contextPath) + 1);
  const base = `${request.origin}${contextPath}/`;
  const places = { base, iiifSlash, dataSetAddress: allPorts().dataSetAddress };
  const signal = whenAbandoned(request.raw, reply.raw);
  const body = Buffer.from(JSON.stringify(await documentOf(name, parts, places, signal)));
  return sendNegotiated(body, mediaTypeFor(request.headers.accept), cacheControl, request, reply);
}

export const discoveryRoutes: FastifyPluginCallback<DiscoveryParts> = (server, parts, done) => {
  addRoutes(server, ['/activity/*'], (request, reply) => serve(parts, request, reply));
  done();
};
