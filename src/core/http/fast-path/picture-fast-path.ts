/** Pictures and info.json before Fastify, where they are the same for all callers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DerivativeAnswer } from '../../answers/images.ts';
import type { OutgoingBytes } from '../../answers/outgoing-bytes.ts';
import type { Admitted, ImageSet } from '../../image/model/image-set.ts';
import { isWholeForAll } from '../access-services.ts';
import type { Callers } from '../callers.ts';
import { type ImageAddresses, type ImageQuery, linkFor, type PublicImages } from '../image-queries.ts';
import { type ImageResponse, type ImageResponseParts, respondWithImage } from '../image-response.ts';
import { plainJson, prefersLinkedJson } from '../negotiation.ts';
import { holdUnsent } from '../outgoing.ts';
import { pictureCacheControl } from '../picture-versions.ts';
import {
  contentHeaders,
  documentRepresentation,
  type HeaderList,
  isNotModified,
  metadataHeaders,
  pictureRepresentation,
  type Representation,
} from '../representation.ts';
import { bodyOptionsOf, recordStage, serverTimingOf, type WorkRules } from '../request-context.ts';
import { markOpen } from '../restricted-readers.ts';
import { type SharedCaches, subjectOf } from '../shared-caches.ts';
import { splitTarget } from '../target.ts';
import type { CachedResponse, ResponseMaker } from './fast-path.ts';

interface FastImagesParts extends ImageResponseParts, WorkRules {
  readonly addresses: ImageAddresses;
  readonly publicImages: PublicImages;
  readonly callers: Pick<Callers, 'isAnyone'>;
  readonly outgoing: OutgoingBytes;
  /** The headers of every answer. */
  readonly commonHeaders: HeaderList;
  /** The `Cache-Control` of what everyone may see. */
  readonly cacheControl: string;
  readonly sharedCaches: SharedCaches | undefined;
}

type FastResponse =
  | (Extract<ImageResponse, { kind: 'picture' }> & { readonly answer: DerivativeAnswer })
  | Extract<ImageResponse, { kind: 'info' }>;

/** Undefined for what Fastify answers: an original file, which can be large and is sent as it is read; a part of an image. */
function fastResponseOf(response: ImageResponse): FastResponse | undefined {
  if (response.kind === 'info') return response;
  if (response.kind !== 'picture' || response.answer.kind !== 'derivative') return undefined;
  if (response.answer.truncated) return undefined;
  return { ...response, answer: response.answer };
}

/** Whether both have the same files and metadata, and the same lies on them, so that the response to one is right for the other. */
function isSame(one: ImageSet, other: ImageSet): boolean {
  const [dpi, otherDpi] = [one.metadata.dpi, other.metadata.dpi];
  return (
    one.name === other.name &&
    one.page === other.page &&
    one.derived === other.derived &&
    one.covers?.key === other.covers?.key &&
    one.resolutions.length === other.resolutions.length &&
    one.resolutions.every((resolution, index) => resolution === other.resolutions[index]) &&
    dpi?.x === otherDpi?.x &&
    dpi?.y === otherDpi?.y
  );
}

/** The headers for requests by one origin, and for a document its bytes. */
interface Head {
  readonly origin: string;
  readonly representation: Representation;
  readonly metadata: string[];
  /** With the body's headers; undefined until the body's length is known. */
  complete?: string[];
  readonly body?: Buffer;
}

/** What the headers of the responses to one query need. */
interface HeadParts extends Pick<FastImagesParts, 'commonHeaders' | 'sharedCaches'> {
  readonly cacheControl: string;
  readonly subject: string;
  readonly version: string | undefined;
}

function headFor(response: FastResponse, origin: string, parts: HeadParts): Head {
  const { commonHeaders, cacheControl, sharedCaches, subject, version } = parts;
  const link = response.link && linkFor(origin, response.link);
  const body = response.kind === 'info' ? Buffer.from(response.textFor(origin)) : undefined;
  const representation =
    response.kind === 'picture'
      ? pictureRepresentation(response.answer, cacheControl, link)
      : { ...documentRepresentation(body ?? Buffer.of(), plainJson, cacheControl, link), version };
  const forCaches = sharedCaches?.headersFor(representation.cacheControl, subject) ?? [];
  const metadata = [...commonHeaders, ...metadataHeaders(representation), ...forCaches];
  return { origin, representation, metadata, ...(body && { body }) };
}

function writeBody(body: Buffer, head: Head, response: ServerResponse, outgoing: OutgoingBytes, timing?: string): void {
  head.complete ??= [...head.metadata, ...contentHeaders(head.representation), 'content-length', String(body.length)];
  response.writeHead(200, timing === undefined ? head.complete : [...head.complete, 'server-timing', timing]);
  response.end(body);
  holdUnsent(body, response, outgoing);
}

/** Writes the responses to one query, for any origin. */
function createWriter(response: FastResponse, parts: FastImagesParts, headParts: HeadParts): CachedResponse['write'] {
  const { outgoing } = parts;
  let last: Head | undefined;
  return (request, raw, origin) => {
    // Most requests come by the same origin.
    if (last?.origin !== origin) last = headFor(response, origin, headParts);
    const head = last;
    if (isNotModified(request.headers, head.representation)) {
      raw.writeHead(304, head.metadata).end();
      return undefined;
    }
    const body = response.kind === 'picture' ? response.answer.peek() : head.body;
    if (body !== undefined) {
      writeBody(body, head, raw, outgoing);
      return undefined;
    }
    if (response.kind !== 'picture') throw new TypeError('a document without its bytes');
    markOpen(request);
    return response.answer.body(bodyOptionsOf(request, raw, parts)).then((bytes) => {
      const timing = parts.serverTiming ? serverTimingOf(request) : undefined;
      writeBody(bytes, head, raw, outgoing, timing);
    });
  };
}

/** The adapter for addresses of images. What not everyone may see whole, and callers with credentials, are left to Fastify. */
export function createImageMaker(parts: FastImagesParts): ResponseMaker {
  const { addresses, publicImages, images, callers } = parts;

  const headPartsOf = ({ kind, version }: ImageQuery, image: Admitted<ImageSet>): HeadParts => ({
    commonHeaders: parts.commonHeaders,
    sharedCaches: parts.sharedCaches,
    subject: parts.sharedCaches === undefined ? '' : subjectOf(image),
    version: kind === 'info' ? images.versionOf(image) : undefined,
    cacheControl:
      kind === 'picture'
        ? pictureCacheControl(image, version, images.versionOf, parts.cacheControl)
        : parts.cacheControl,
  });

  async function admit(query: ImageQuery, request: IncomingMessage): Promise<Admitted<ImageSet>> {
    const startMs = performance.now();
    const image = await publicImages.admit(query);
    recordStage(request, 'admission', performance.now() - startMs);
    return image;
  }

  function responseTo(query: ImageQuery, image: Admitted<ImageSet>): CachedResponse | undefined {
    if (!isWholeForAll(image)) return undefined;
    const response = fastResponseOf(respondWithImage(query, image, parts));
    return response && cachedResponse(query, image, response);
  }

  const findNow = async (query: ImageQuery, request: IncomingMessage): Promise<CachedResponse | undefined> =>
    responseTo(query, await admit(query, request));

  /** At once for an image that was admitted just now. */
  function find(query: ImageQuery, request: IncomingMessage): ReturnType<ResponseMaker> {
    const startMs = performance.now();
    const image = publicImages.recent(query);
    if (image === undefined) return findNow(query, request);
    recordStage(request, 'admission', performance.now() - startMs);
    try {
      return responseTo(query, image) ?? Promise.resolve(undefined);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  function cachedResponse(query: ImageQuery, first: Admitted<ImageSet>, response: FastResponse): CachedResponse {
    let image = first;
    const cached: CachedResponse = {
      kind: response.kind === 'picture' ? 'picture' : 'info-json',
      isShared: true,
      fits: (request) =>
        callers.isAnyone(request) && (response.kind === 'picture' || !prefersLinkedJson(request.headers.accept)),
      isFresh: () => publicImages.isFresh(image),
      async refresh(request) {
        const current = await admit(query, request);
        if (!isSame(current, first)) return responseTo(query, current);
        image = current;
        return cached;
      },
      write: createWriter(response, parts, headPartsOf(query, first)),
    };
    return cached;
  }

  return (request, address) => {
    const mount = addresses.mountOf(splitTarget(address).path);
    const query = mount && callers.isAnyone(request) ? addresses.queryOf(request, mount) : undefined;
    switch (query?.kind) {
      case 'picture':
        return query.explain ? undefined : find(query, request);
      case 'info':
        return prefersLinkedJson(request.headers.accept) ? undefined : find(query, request);
      default:
        return undefined;
    }
  };
}
