/** Refuses what changes something and does not come from a page of this server. */
import type { FastifyRequest } from 'fastify';
import { ImageError } from '../image/model/errors.ts';

/**
 * The same for JSON, also of programs: browsers say where a POST comes from, and ask before they send JSON elsewhere. Throws
 * ImageError `denied` with the sentence.
 */
export function requireOwnJson({ headers, origin }: FastifyRequest, sentence: string): void {
  const { 'sec-fetch-site': site, origin: from } = headers;
  const isForeign = site === undefined ? from !== undefined && from !== new URL(origin).origin : site !== 'same-origin';
  if (isForeign || !/^application\/json(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw new ImageError('denied', sentence);
}

/** Forms and scripts of other sites can't act for a reader: browsers name the origin of a POST. Throws ImageError `denied`. */
export function requireOwnOrigin(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const own = new URL(request.origin).origin;
  if (site === 'same-origin' || (site === undefined && origin === own)) return;
  throw new ImageError('denied', 'This can be sent from pages of this server alone.');
}
