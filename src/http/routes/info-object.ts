/** `GET {base_url}/api/dlInfo-json.jsp`: the info object (info-endpoint.md). */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type InfoContext, type InfoText, infoText } from '../../digilib/info.ts';
import type { ParameterValues } from '../../digilib/parameters.ts';
import { parseQuery } from '../../digilib/query.ts';
import { parseIdentifier } from '../../image/model/identifier.ts';
import type { Admitted, ImageSet } from '../../image/model/image-set.ts';
import { ifAdmitted } from '../../service/admit.ts';
import { plainJson } from '../negotiation.ts';
import { addressOf, plainOrigin, targetOf } from '../origin.ts';
import { maxAddressBytes, type Service } from '../service.ts';
import { informationPaths } from '../servlets.ts';

/** Below the context path. */
export const infoObjectPaths = informationPaths('dlInfo-json.jsp');

/** One literal with all of them: an object put together from others costs Node as much as the rest of the answer. */
const headersFor = (bytes: number) => ({
  'content-type': plainJson,
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
  'content-length': bytes,
});

/** What the object says of a request itself. */
export const contextOf = (request: IncomingMessage, origin: string): InfoContext => ({
  method: request.method ?? 'GET',
  address: addressOf(request, origin),
  id: randomUUID().slice(0, 8),
});

/** The image that the request names, if the caller may see it; an empty name (in any spelling) names none. */
export async function imageNamedBy(
  values: ParameterValues,
  request: IncomingMessage,
  { admission, callers, guarded, publicImages: looks }: Service,
): Promise<Admitted<ImageSet> | undefined> {
  if (!parseIdentifier(values.fn)?.segments.length) return undefined;
  if (!guarded) return ifAdmitted(looks.admit({ identifiers: [values.fn], page: values.pn }));
  return ifAdmitted(admission.admit(values.fn, values.pn, await callers.callerOf(request)));
}

/** Adds the route. */
export function infoObjectRoute(server: FastifyInstance, service: Service): void {
  const handler = async ({ raw, origin }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const values = parseQuery(targetOf(raw).query);
    const image = values.fn === '' ? undefined : await imageNamedBy(values, raw, service);
    const body = infoText(values, image)(contextOf(raw, origin));
    return reply.headers(headersFor(Buffer.byteLength(body))).send(body);
  };
  for (const path of infoObjectPaths) {
    server.route({ method: ['GET', 'HEAD'], url: `${service.contextPath}${path}`, handler });
  }
}

/** What takes a request that the fast lane leaves. */
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** What a query was found to ask for. */
interface KnownQuery {
  readonly values: ParameterValues;
  /** Of requests that name no image, and of those whose image is as it was. */
  readonly text: InfoText;
  /** The image as it was found last, where the query names one that there is. */
  readonly image?: Admitted<ImageSet>;
}

/** So many queries are remembered, of at most so many characters; each takes a kilobyte or two. */
const maxKnown = 1000;
const maxQueryLength = 500;

/** The query of a plain request; undefined for any other, which the framework's way answers. */
function plainQuery({ url = '', method }: IncomingMessage, target: string): string | undefined {
  if (method !== 'GET' || !url.startsWith(target) || url.length > maxAddressBytes) return undefined;
  return url.length > target.length && url[target.length] !== '?' ? undefined : url.slice(target.length + 1);
}

/** Undefined where the query is to be refused. */
function read(query: string): KnownQuery | undefined {
  try {
    const values = parseQuery(query);
    return { values, text: infoText(values, undefined) };
  } catch {
    return undefined;
  }
}

/**
 * Puts a way before the framework's for the plainest requests: GET, the address in its usual spelling, nothing to refuse.
 * The answer is the same; it takes half of the time (docs/performance.md).
 */
export function withInfoObjectFastLane(service: Service, otherwise: Handler): Handler {
  const target = `${service.contextPath}${infoObjectPaths[0]}`;
  const queries = new LRUCache<string, KnownQuery>({ max: maxKnown });
  const answer = (text: InfoText, request: IncomingMessage, response: ServerResponse, origin: string): void => {
    const body = text(contextOf(request, origin));
    const bytes = Buffer.byteLength(body);
    // Text goes out with the headers in one piece; where each character is a byte, Node need not encode it.
    response.writeHead(200, headersFor(bytes)).end(body, bytes === body.length ? 'latin1' : 'utf8');
  };
  /** Where there are rules of access, an image is the caller's own. */
  const learn = (query: string, known: KnownQuery | undefined): KnownQuery | undefined => {
    const holdsForAll = known !== undefined && (known.image === undefined ? known.values.fn === '' : !service.guarded);
    if (holdsForAll && query.length <= maxQueryLength) queries.set(query, known);
    return known;
  };
  const withImage = ({ values }: KnownQuery, image: Admitted<ImageSet> | undefined): KnownQuery => ({
    values,
    text: infoText(values, image),
    ...(image && { image }),
  });
  return (request, response) => {
    const query = plainQuery(request, target);
    const origin = query === undefined ? undefined : plainOrigin(request, service);
    const found = query === undefined ? undefined : (queries.get(query) ?? learn(query, read(query)));
    if (query === undefined || origin === undefined || found === undefined) return otherwise(request, response);
    const isCurrent = found.image === undefined ? found.values.fn === '' : service.publicImages.isFresh(found.image);
    if (isCurrent) return answer(found.text, request, response, origin);
    imageNamedBy(found.values, request, service).then(
      (image) => {
        const known = withImage(found, image);
        learn(query, known);
        answer(known.text, request, response, origin);
      },
      () => otherwise(request, response),
    );
  };
}
