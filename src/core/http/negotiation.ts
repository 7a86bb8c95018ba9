/** Content negotiation by `Accept` and `Accept-Encoding` (RFC 9110, sections 12.5.1 and 12.5.3). */
import Negotiator from 'negotiator';

/** The media type of plain JSON. */
export const plainJson = 'application/json; charset=utf-8';

const linkedJson = 'application/ld+json';

/** The media type of JSON-LD with this context. */
export const linkedJsonOf = (context: string): string => `${linkedJson};profile="${context}"`;

/** A profile that we don't have is no reason to refuse JSON-LD. */
const profileParameter = /;\s*profile\s*=\s*(?:"[^"]*"|[^;,]*)/gi;

/** Whether the client prefers JSON-LD; all others get plain JSON, which every browser shows. */
export function prefersLinkedJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*') return false;
  const negotiator = new Negotiator({ headers: { accept: accept.replace(profileParameter, '') } });
  return negotiator.mediaType([plainJson, linkedJson]) === linkedJson;
}

/** Its types lack the second parameter, which decides between codings of equal q. */
interface CodingNegotiator {
  encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

/** The coding that the client prefers; of several with equal q the first. `identity` where the client accepts none. */
export function preferredCoding<Name extends string>(
  codings: readonly Name[],
  header: string | undefined,
): Name | 'identity' {
  const negotiator: CodingNegotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const coding = negotiator.encoding(codings, { preferred: codings });
  return codings.find((name) => name === coding) ?? 'identity';
}
