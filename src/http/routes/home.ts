/** `GET {base_url}/`: the start page, or that of a site whose static pages are served. */
import type { FastifyInstance } from 'fastify';
import { homePage } from '../home-page.ts';
import { sendPage } from '../html.ts';
import { descriptionPath } from '../openapi/server-operations.ts';
import type { Service } from '../service.ts';
import { sendSiteStart } from './webapp.ts';

/** Adds the routes; the base without its slash leads to the page, whose addresses are relative to it. */
export function homeRoute(server: FastifyInstance, base: string, service: Service): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: `${base}/`,
    async handler(request, reply) {
      if (await sendSiteStart(service, request, reply)) return reply;
      const overview = await service.browsing.overview(await service.callers.callerOf(request.raw));
      // Where the API is described (RFC 8631).
      reply.header('link', `<${request.origin}${base}${descriptionPath}>; rel="service-desc"`);
      return sendPage(homePage(overview, `${request.origin}${base}`, service.iiifSlash), reply);
    },
  });
  if (base === '') return;
  server.route({
    method: ['GET', 'HEAD'],
    url: base,
    handler: (_request, reply) => reply.redirect(`${base}/`, 303),
  });
}
