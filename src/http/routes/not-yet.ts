/** Addresses of digilib that say that they are not served yet: texts beside the images, and PDF (digilib.md; docs/compatibility.md). */
import type { FastifyInstance } from 'fastify';
import { ImageError } from '../../image/model/errors.ts';
import { sendTextError } from '../errors.ts';
import { servletPaths } from '../servlets.ts';

/** What each of them answers, by the servlet’s name. */
export const notYetServed: Readonly<Record<string, string>> = {
  Texter: 'Lectern does not serve digilib’s text files yet.',
  PDFCache: 'Lectern does not make PDF files yet; /presentation/3/{folder}/manifest.json lists the pages of a folder.',
};

/** Adds the routes. */
export function notYetRoutes(server: FastifyInstance, base: string): void {
  for (const [name, sentence] of Object.entries(notYetServed)) {
    for (const place of servletPaths(name)) {
      for (const url of [`${base}${place}`, `${base}${place}/*`]) {
        server.route({
          method: ['GET', 'HEAD'],
          url,
          handler: (request, reply) => sendTextError(new ImageError('unsupported', sentence), request, reply),
        });
      }
    }
  }
}
