/** The probe service: what a resource would answer, found out by asking for it (Authorization Flow 2.0, section 5). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { plainJson } from '../../core/http/negotiation.ts';
import { privateCacheControl } from '../../core/http/representation.ts';
import { targetOf } from '../../core/http/target.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { probeHeader } from './access-tokens.ts';
import { type AuthWord, type NamedLibrary, wordMap } from './auth-words.ts';
import { authPaths, context2 } from './services.ts';

interface ProbeParts {
  readonly contextPath: string;
  readonly probeMark: string;
}

/** A picture of an image service, by which the service is probed: the part before is the service. */
const picture =
  /^(.*\/(?:iiif\/([123])|Scaler\/[^/]+(?:\/([123]))?)\/[^/]+)\/full\/(?:max|full)\/0\/(?:default|native)\.jpg$/;

/** What can be probed: pictures of image services, documents and texts. */
const probed = [picture, /^\/(?:pdf|zip|txt)\/./, /^\/api\/text\/./];

/** A resource is asked for as the client would: with its credentials, through the same proxies. */
const forwardedHeaders = [
  'host',
  'authorization',
  'cookie',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-prefix',
];

interface Asked {
  readonly status: number;
  readonly location: string | undefined;
}

async function ask(target: string, request: FastifyRequest, parts: ProbeParts, rolesHeader: string): Promise<Asked> {
  const { headers, socket } = request.raw;
  const sent = [...forwardedHeaders, rolesHeader].flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const answer = await request.server.inject({
    method: 'HEAD',
    url: parts.contextPath + target,
    headers: { ...Object.fromEntries(sent), [probeHeader]: parts.probeMark },
    remoteAddress: socket.remoteAddress ?? '',
  });
  return { status: answer.statusCode, location: answer.headers.location };
}

const wordsOf = (status: number): readonly [heading: AuthWord, note: AuthWord] => {
  if (status === 404) return ['not-there', 'denied-note'];
  return status >= 500 ? ['not-now', 'later'] : ['denied', 'denied-note'];
};

/** The image service in whose place a picture leads to that of a tier. */
function substituteAt(location: string): object | undefined {
  const found = picture.exec(location);
  if (found === null) return undefined;
  const [, id, version = found[3] ?? '2'] = found;
  return { id, type: `ImageService${version}` };
}

/** The result for a resource (section 5.2); where a smaller image is shown in place of one, parts of the whole are denied. */
export function probeResult({ status, location }: Asked, library: NamedLibrary): object {
  const common = { '@context': context2, type: 'AuthProbeResult2' };
  if (status < 300) return { ...common, status };
  const substitute = location === undefined ? undefined : substituteAt(location);
  const [heading, note] = substitute === undefined ? wordsOf(status) : (['smaller', 'denied-note'] as const);
  return {
    ...common,
    status: substitute === undefined ? status : 401,
    ...(substitute && { substitute: [substitute] }),
    heading: wordMap(heading, library),
    note: wordMap(note, library),
  };
}

export async function serveProbe(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ProbeParts & { readonly rolesHeader: string; readonly library: NamedLibrary },
): Promise<FastifyReply> {
  const { path, query } = targetOf(request.raw);
  const resource = path.slice(parts.contextPath.length + authPaths.probe.length);
  if (!probed.some((form) => form.test(resource)))
    throw new ImageError('not-found', 'This is no address of a probe; it has that of a picture, document or text.');
  const target = query === '' ? resource : `${resource}?${query}`;
  const result = probeResult(await ask(target, request, parts, parts.rolesHeader), parts.library);
  reply.header('cache-control', privateCacheControl).header('vary', 'Authorization');
  return reply.type(plainJson).send(JSON.stringify(result));
}
