/** digilib's Texter at all its addresses, by GET and from forms (digilib-pdf-text.md). */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Callers } from '../../core/http/callers.ts';
import { sendTextError } from '../../core/http/error-responses.ts';
import { privateCacheControl, type Representation, tagOf, withoutScripts } from '../../core/http/representation.ts';
import { retryWhileReplaced, sendRepresentation } from '../../core/http/send.ts';
import { pathBehind, segmentsOf, targetOf } from '../../core/http/target.ts';
import { servletPaths } from '../../core/image/addresses/servlets.ts';
import { badRequest } from '../../core/image/model/errors.ts';
import { percentDecoded } from '../../core/parsing/parse.ts';
import { parseQuery } from './parameters.ts';
import type { Texter } from './texter.ts';

export interface TexterParts {
  readonly texter: Texter;
  readonly callers: Callers;
  readonly contextPath: string;
  /** Whether there are rules of access, so that texts differ from caller to caller. */
  readonly guarded: boolean;
}

export const texterPaths = servletPaths('Texter');

/** The longest form, in bytes: it has a path and a number. */
const maxFormBytes = 16 * 1024;

function mediaTypeOf(name: string, bytes: Buffer): string {
  if (/\.xml$/i.test(name)) return 'text/xml';
  if (/\.html?$/i.test(name)) return 'text/html';
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return `text/plain; charset=${isWide ? 'utf-16' : 'utf-8'}`;
}

async function serve(
  servlet: string,
  { texter, callers, contextPath, guarded }: TexterParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { path, query } = targetOf(request.raw);
  const form = typeof request.body === 'string' ? request.body : '';
  const { fn, pn } = parseQuery([form, query].filter((part) => part !== '').join('&'));
  const behind = percentDecoded(pathBehind(path, segmentsOf(contextPath + servlet))) ?? '';
  const folder = [behind, fn].filter((part) => part !== '').join('/');
  request.imageName = folder;
  const { name, bytes, modifiedMs } = await texter.file(folder, pn, await callers.callerOf(request.raw));
  const mediaType = mediaTypeOf(name, bytes);
  const representation: Representation = {
    mediaType,
    cacheControl: guarded ? privateCacheControl : 'no-cache',
    etag: tagOf(mediaType, bytes),
    lastModifiedMs: modifiedMs,
    ...(mediaType.startsWith('text/plain') ? {} : { contentSecurityPolicy: withoutScripts }),
  };
  return sendRepresentation(representation, bytes, request, reply);
}

/** What Fastify refuses of a body: its length, or its type. */
const isOfForm = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^FST_ERR_CTP_/.test(String(error.code));

const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendTextError(
    isOfForm(error) ? badRequest('The form is too long, or of a type that is not read here.') : error,
    request,
    reply,
  );

export const texterRoutes: FastifyPluginCallback<TexterParts> = (server, parts, done) => {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxFormBytes },
    (_request, body, parsed) => parsed(null, body),
  );
  for (const servlet of texterPaths) {
    for (const url of [servlet, `${servlet}/*`]) {
      const handler = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
        retryWhileReplaced(() => serve(servlet, parts, request, reply));
      const route = { url, prefixTrailingSlash: 'slash', handler, errorHandler } as const;
      server.route({ ...route, method: ['GET', 'HEAD'] });
      server.route({ ...route, method: 'POST', config: { acceptsForms: true } });
    }
  }
  done();
};
