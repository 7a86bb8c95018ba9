/** digilib's addresses that are answered with 501: texts beside the images (digilib-pdf-text.md). */
import type { FastifyPluginCallback } from 'fastify';
import { ImageError } from '../../image/model/errors.ts';
import { sendTextError } from '../errors.ts';
import { servletPaths } from '../servlets.ts';
import { addRoutes } from './add-routes.ts';

/** The message of each, by the servlet’s name. */
export const notYetServed: Readonly<Record<string, string>> = {
  Texter: 'Lectern does not serve digilib’s text files yet.',
};

export const notYetRoutes: FastifyPluginCallback = (server, _options, done) => {
  for (const [name, message] of Object.entries(notYetServed)) {
    const urls = servletPaths(name).flatMap((path) => [path, `${path}/*`]);
    addRoutes(server, urls, (request, reply) => sendTextError(new ImageError('unsupported', message), request, reply));
  }
  done();
};
