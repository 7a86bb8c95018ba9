/** `GET {base_url}/api/dlInfo-json.jsp`: the info object (info-endpoint.md). */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type InfoContext, infoText } from '../../digilib/info.ts';
import type { ParameterValues } from '../../digilib/parameters.ts';
import { parseQuery } from '../../digilib/query.ts';
import { parseIdentifier } from '../../image/identifier.ts';
import type { ImageSet } from '../../image/image-set.ts';
import { ifAdmitted } from '../../service/admit.ts';
import { addressOf, plainOrigin, targetOf } from '../origin.ts';
import { plainJson } from '../send-document.ts';
import { maxAddressBytes, type Service } from '../service.ts';
import { informationPaths } from '../servlets.ts';

/** Below the context path. */
export const infoObjectPaths = informationPaths('dlInfo-json.jsp');

/** One literal with all of them: an object put together from others costs Node as much as the rest of the answer. */
const headersFor = (body: Buffer) => ({
  'content-type': plainJson,
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
  'content-length': body.length,
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
  { admission, callers, guarded, looks }: Service,
): Promise<ImageSet | undefined> {
  if (!parseIdentifier(values.fn)?.segments.length) return undefined;
  if (!guarded) return ifAdmitted(looks.again({ identifiers: [values.fn], page: values.pn }));
  return ifAdmitted(admission.admit(values.fn, values.pn, await callers.callerOf(request)));
}

/** The body as bytes: Node sends these faster than text. */
function bodyOf(
  values: ParameterValues,
  image: ImageSet | undefined,
  request: IncomingMessage,
  origin: string,
): Buffer {
  return Buffer.from(infoText(values, contextOf(request, origin), image));
}

/** Adds the route. */
export function infoObjectRoute(server: FastifyInstance, service: Service): void {
  const handler = async ({ raw, origin }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const values = parseQuery(targetOf(raw).query);
    const image = values.fn === '' ? undefined : await imageNamedBy(values, raw, service);
    const body = bodyOf(values, image, raw, origin);
    return reply.headers(headersFor(body)).send(body);
  };
  for (const path of infoObjectPaths) {
    server.route({ method: ['GET', 'HEAD'], url: `${service.contextPath}${path}`, handler });
  }
}

/** What takes a request that the fast lane leaves. */
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The values of a plain request for the info object; undefined for any other, which the framework's way answers. */
function plainValues(request: IncomingMessage, target: string): ParameterValues | undefined {
  const { url = '', method } = request;
  if (method !== 'GET' || !url.startsWith(target) || url.length > maxAddressBytes) return undefined;
  if (url.length > target.length && url[target.length] !== '?') return undefined;
  try {
    return parseQuery(url.slice(target.length + 1));
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
  const answer = (
    values: ParameterValues,
    image: ImageSet | undefined,
    request: IncomingMessage,
    response: ServerResponse,
    origin: string,
  ): void => {
    const body = bodyOf(values, image, request, origin);
    response.writeHead(200, headersFor(body)).end(body);
  };
  return (request, response) => {
    const values = plainValues(request, target);
    const origin = values && plainOrigin(request, service);
    if (values === undefined || origin === undefined) return otherwise(request, response);
    if (values.fn === '') return answer(values, undefined, request, response, origin);
    imageNamedBy(values, request, service).then(
      (image) => answer(values, image, request, response, origin),
      () => otherwise(request, response),
    );
  };
}
