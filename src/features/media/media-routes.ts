/** `GET {base_url}/media/{path}`: a file of sound or video, or a text beside one, as it is, or a range of it. */
import contentDisposition from 'content-disposition';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../../core/access/admit.ts';
import { addRoutes } from '../../core/http/add-routes.ts';
import type { Callers } from '../../core/http/callers.ts';
import { privateCacheControl, type Representation } from '../../core/http/representation.ts';
import type { WorkRules } from '../../core/http/request-context.ts';
import { retryWhileReplaced, sendFile } from '../../core/http/send.ts';
import { pathBehind, segmentsOf, targetOf } from '../../core/http/target.ts';
import { decodeSegment } from '../../core/image/addresses/iiif-addresses.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { mediaFormatOf, mediaTextsOf } from '../../core/image/model/media-formats.ts';
import type { Library } from '../../core/library/library.ts';
import { mediaPath } from './media-files.ts';

export interface MediaRoutesParts extends WorkRules {
  readonly admission: Pick<Admission, 'admitMedia'>;
  readonly callers: Callers;
  readonly library: Pick<Library, 'handle'>;
  readonly contextPath: string;
  /** Whether there are rules of access, so that answers differ from caller to caller. */
  readonly guarded: boolean;
}

const mediaTypeOf = (name: string): string => {
  const [text] = mediaTextsOf(name);
  const type = mediaFormatOf(name)?.mediaType ?? text?.mediaType ?? 'application/octet-stream';
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
};

/** What scripts of other sites may read besides the usual headers: players ask for ranges. */
const exposed = 'Accept-Ranges, Content-Length, Content-Range, ETag';

async function serve(parts: MediaRoutesParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const rawPath = pathBehind(targetOf(request.raw).path, segmentsOf(parts.contextPath + mediaPath));
  const path = decodeSegment(rawPath);
  if (path === undefined) throw new ImageError('not-found', 'This is no address of sound or video.');
  const caller = await parts.callers.callerOf(request.raw);
  const { name, file } = await parts.admission.admitMedia(path, caller);
  const representation: Representation = {
    mediaType: mediaTypeOf(name),
    cacheControl: parts.guarded ? privateCacheControl : 'no-cache',
    etag: `"${file.fingerprint}"`,
    lastModifiedMs: file.modifiedMs,
    contentDisposition: contentDisposition(name, {
      type: 'inline',
      fallback: name.replace(/[^\x20-\x7e]|["\\%]/g, '_'),
    }),
  };
  reply.header('access-control-expose-headers', exposed);
  const toSend = { bytes: file.bytes, open: () => parts.library.handle(file).read() };
  return sendFile(toSend, representation, parts, request, reply);
}

export const mediaRoutes: FastifyPluginCallback<MediaRoutesParts> = (server, parts, done) => {
  addRoutes(server, [`${mediaPath}/*`], (request, reply) => retryWhileReplaced(() => serve(parts, request, reply)));
  done();
};
