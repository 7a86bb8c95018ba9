/** A site's own static pages below the context path, beside the APIs, whose addresses win (setting `webapp`). */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { addRoutes } from '../../core/http/add-routes.ts';
import { pathBehind, segmentsOf, targetOf } from '../../core/http/target.ts';
import { percentDecoded } from '../../core/parsing/parse.ts';
import { type PageParts, sendNothingHere } from './reading-room-page.ts';
import type { Site } from './site-pages.ts';

export interface SiteParts {
  readonly webapp: Site | undefined;
  readonly contextPath: string;
}

/** What sends files is loaded only where there is a site. */
const loadPages = () => import('./site-pages.ts');

/** Sends the site's own page at the requested address; returns whether there is a site with one. */
export async function sendSitePage(
  { webapp, contextPath }: SiteParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const decodedPath = percentDecoded(pathBehind(targetOf(request.raw).path, segmentsOf(contextPath)));
  if (webapp === undefined || decodedPath === undefined) return false;
  const { sendPage } = await loadPages();
  return sendPage(webapp, decodedPath, request, reply);
}

/** Adds the route for all addresses that no other route has. */
export const webappRoute: FastifyPluginCallback<SiteParts & PageParts> = (server, parts, done) => {
  if (parts.webapp !== undefined) {
    void loadPages();
    addRoutes(server, ['/*'], async (request, reply) =>
      (await sendSitePage(parts, request, reply)) ? reply : sendNothingHere(parts, request, reply),
    );
  }
  done();
};
