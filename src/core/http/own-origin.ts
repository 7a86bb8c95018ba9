/** Refuses what changes something and does not come from a page of this server. */
import type { FastifyRequest } from 'fastify';
import { ImageError } from '../image/model/errors.ts';

/** Forms and scripts of other sites can't act for a reader: browsers name the origin of a POST. Throws ImageError `denied`. */
export function requireOwnOrigin(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const own = new URL(request.origin).origin;
  if (site === 'same-origin' || (site === undefined && origin === own)) return;
  throw new ImageError('denied', 'This can be sent from pages of this server alone.');
}
