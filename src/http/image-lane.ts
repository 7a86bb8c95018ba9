/** Pictures and info.json that were asked for before are answered ahead of the framework: what their address means is known. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Admitted, ImageSet } from '../image/image-set.ts';
import type { ImageAnswer } from '../service/images.ts';
import type { AskedPicture } from './asked-picture.ts';
import { plainOrigin, rawTargetOf, relativeTarget } from './origin.ts';
import { namesTag, plainJson, tagOf } from './send-document.ts';
import { dispositionOf, stalledAfterMs, whenAbandoned } from './send-image.ts';
import type { Service } from './service.ts';

/** A `Link` header but for the origin that stands before it: its canonical path, and what stands behind that address. */
export interface LinkHeader {
  readonly path: string;
  readonly rest: string;
}

/** What an address was found to ask for. */
export type KnownAnswer = {
  readonly asked: Pick<AskedPicture, 'identifiers' | 'page'>;
  readonly image: Admitted<ImageSet>;
} & (
  | { readonly kind: 'picture'; readonly answer: ImageAnswer; readonly link?: LinkHeader }
  | {
      readonly kind: 'document';
      /** The JSON for those who ask by this origin. */
      readonly textFor: (origin: string) => string;
      readonly link: LinkHeader;
    }
);

type KnownPicture = KnownAnswer & { readonly kind: 'picture' };

/** What takes a request that the lane leaves. */
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The image that an address asked for before, as it is now for everyone. Throws as admission does. */
export type LookAgain = (asked: KnownAnswer['asked']) => Promise<Admitted<ImageSet>>;

export interface ImageLane {
  /** Remembers what an address was found to ask for. */
  learn(request: IncomingMessage, known: KnownAnswer): void;
  /** Puts the lane before the framework's way, which answers all else, and all that is not as it was. */
  before(service: Service, otherwise: Handler): Handler;
}

/** So many addresses are remembered; each takes a few kilobytes. */
const maxKnown = 10_000;

/** Whether the same files stand behind both, so that the same plan and the same facts hold for both. */
function isSame(one: ImageSet, other: ImageSet): boolean {
  const [dpi, otherDpi] = [one.metadata.dpi, other.metadata.dpi];
  return (
    one.name === other.name &&
    one.page === other.page &&
    one.derived === other.derived &&
    one.resolutions.length === other.resolutions.length &&
    one.resolutions.every((resolution, index) => resolution === other.resolutions[index]) &&
    dpi?.x === otherDpi?.x &&
    dpi?.y === otherDpi?.y
  );
}

async function bytesOf(answer: ImageAnswer, request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  const body = await answer.body(whenAbandoned(request, response));
  if (body.kind === 'stream') throw new TypeError('a stream came into the lane');
  return body.bytes;
}

/** What every answer about one image says of itself. */
interface Head {
  readonly etag: string;
  readonly cacheControl: string;
  readonly link: string | undefined;
}

/** Of an answer that the client has already. */
function notModified(
  response: ServerResponse,
  { etag, cacheControl, link }: Head,
  more: Readonly<Record<string, string>>,
) {
  if (link !== undefined) response.setHeader('link', link);
  const headers = {
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    etag,
    'cache-control': cacheControl,
    ...more,
  };
  response.writeHead(304, headers).end();
}

async function answerPicture(
  { answer }: KnownPicture,
  head: Head,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const lastModified = new Date(answer.lastModifiedMs).toUTCString();
  if (namesTag(request, head.etag)) return notModified(response, head, { 'last-modified': lastModified });
  const bytes = answer.peek() ?? (await bytesOf(answer, request, response));
  response.setTimeout(stalledAfterMs, () => response.destroy());
  if (head.link !== undefined) response.setHeader('link', head.link);
  // One literal with all of them: an object put together from others costs Node as much as the rest of the answer.
  response.writeHead(200, {
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    etag: head.etag,
    'last-modified': lastModified,
    'cache-control': head.cacheControl,
    'content-type': answer.mediaType,
    'content-disposition': dispositionOf(answer),
    'content-length': bytes.length,
  });
  response.end(bytes);
}

function answerDocument(
  body: Buffer,
  { etag, cacheControl, link }: Head,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (namesTag(request, etag)) {
    notModified(response, { etag, cacheControl, link }, { vary: 'Accept' });
    return;
  }
  response.writeHead(200, {
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    link: link ?? '',
    etag,
    vary: 'Accept',
    'cache-control': cacheControl,
    'content-type': plainJson,
    'content-length': body.length,
  });
  response.end(body);
}

/** Whether nothing of the request but its address and its tag matters. */
const isPlain = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers['if-modified-since'] === undefined &&
  headers.range === undefined &&
  !headers.accept?.includes('ld+json');

/** The `Link` header for those who ask by this origin. */
export const linkFor = (origin: string, { path, rest }: LinkHeader): string => `<${origin}${path}${rest}`;

/** A lane that has learned nothing yet. Only for a library that is open to everyone: nobody is asked who they are. */
export function createImageLane(lookAgain: LookAgain): ImageLane {
  const lane = new LRUCache<string, KnownAnswer>({ max: maxKnown });

  /** Whether the request was answered. */
  async function answer(
    known: KnownAnswer,
    origin: string,
    cacheControl: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    if (!isSame(await lookAgain(known.asked), known.image)) return false;
    const link = known.link && linkFor(origin, known.link);
    if (known.kind === 'picture') {
      await answerPicture(known, { etag: known.answer.etag, cacheControl, link }, request, response);
    } else {
      const body = Buffer.from(known.textFor(origin));
      answerDocument(body, { etag: tagOf(plainJson, body), cacheControl, link }, request, response);
    }
    return true;
  }

  return {
    learn(request, known) {
      // A file as it is may be large, and is sent as it is read.
      if (known.kind === 'picture' && known.answer.plan.kind === 'send-file') return;
      lane.set(relativeTarget(rawTargetOf(request)), known);
    },
    before(service, otherwise) {
      if (service.guarded) return otherwise;
      return (request, response) => {
        const { url = '' } = request;
        const known = isPlain(request) ? lane.get(url) : undefined;
        const origin = known && plainOrigin(request, service);
        if (known === undefined || origin === undefined) return otherwise(request, response);
        answer(known, origin, service.cacheControl, request, response).then(
          (isAnswered) => {
            if (isAnswered) return;
            lane.delete(url);
            otherwise(request, response);
          },
          () => {
            if (!request.socket.destroyed) otherwise(request, response);
          },
        );
      };
    },
  };
}
