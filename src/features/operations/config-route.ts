/** `GET {base_url}/server/dlConfig.jsp`: the running configuration, for those who run the server. */
import type { FastifyPluginCallback } from 'fastify';
import { addRoutes } from '../../core/http/add-routes.ts';
import type { Callers } from '../../core/http/callers.ts';
import { nothingHere, sendTextError } from '../../core/http/errors.ts';
import { sendPage } from '../../core/http/html.ts';
import { configPage, type OverviewTable } from './config-page.ts';

export interface ConfigParts {
  readonly callers: Callers;
  /** The running configuration, without keys. */
  readonly overview: () => Promise<readonly OverviewTable[]>;
}

/** Below the context path. */
export const configPath = '/server/dlConfig.jsp';

/** Adds the route, which answers 404 to everyone else. */
export const configRoute: FastifyPluginCallback<ConfigParts> = (server, { callers, overview }, done) => {
  addRoutes(server, [configPath], async (request, reply) => {
    // Scripts of other origins must not read the configuration.
    reply.removeHeader('access-control-allow-origin');
    if (!(await callers.mayConfigure(request.raw))) return sendTextError(nothingHere(), request, reply);
    return sendPage(configPage(await overview()), 'no-store', request, reply);
  });
  done();
};
