/** Pictures that were asked for before are answered ahead of the framework: what their address means is known. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Admitted, ImageSet } from '../image/image-set.ts';
import type { ImageAnswer } from '../service/images.ts';
import type { AskedPicture } from './asked-picture.ts';
import { plainOrigin, rawTargetOf, relativeTarget } from './origin.ts';
import { namesTag } from './send-document.ts';
import { dispositionOf, stalledAfterMs } from './send-image.ts';
import type { Service } from './service.ts';

/** What an address was found to ask for. */
export interface KnownPicture {
  readonly asked: Pick<AskedPicture, 'identifiers' | 'page'>;
  readonly image: Admitted<ImageSet>;
  readonly answer: ImageAnswer;
  /** For the `Link` header: its canonical path, from the context path on, and what stands behind its address. */
  readonly link?: { readonly path: string; readonly rest: string };
}

/** What takes a request that the lane leaves. */
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The image that an address asked for before, as it is now for everyone. Throws as admission does. */
export type LookAgain = (asked: KnownPicture['asked']) => Promise<Admitted<ImageSet>>;

export interface PictureLane {
  /** Remembers what an address was found to ask for. */
  learn(request: IncomingMessage, picture: KnownPicture): void;
  /** Puts the lane before the framework's way, which answers all else, and all that is not as it was. */
  before(service: Service, otherwise: Handler): Handler;
}

/** So many addresses are remembered; each takes a few kilobytes. */
const maxKnown = 10_000;

interface Lane {
  readonly picture: KnownPicture;
  readonly lastModified: string;
  readonly disposition: string;
}

/** Whether the same files stand behind both, so that the same plan holds for both. */
function isSame(one: ImageSet, other: ImageSet): boolean {
  const [dpi, otherDpi] = [one.metadata.dpi, other.metadata.dpi];
  return (
    one.name === other.name &&
    one.page === other.page &&
    one.resolutions.length === other.resolutions.length &&
    one.resolutions.every((resolution, index) => resolution === other.resolutions[index]) &&
    dpi?.x === otherDpi?.x &&
    dpi?.y === otherDpi?.y
  );
}

function whenAbandoned(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** One literal with all of them: an object put together from others costs Node as much as the rest of the answer. */
const headersOf = ({ picture, lastModified, disposition }: Lane, cacheControl: string, length: number) => ({
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
  etag: picture.answer.etag,
  'last-modified': lastModified,
  'cache-control': cacheControl,
  'content-type': picture.answer.mediaType,
  'content-disposition': disposition,
  'content-length': length,
});

function writeHead(response: ServerResponse, lane: Lane, origin: string, cacheControl: string, length: number): void {
  const { link } = lane.picture;
  if (link !== undefined) response.setHeader('link', `<${origin}${link.path}${link.rest}`);
  response.writeHead(200, headersOf(lane, cacheControl, length));
}

function writeNotModified(response: ServerResponse, lane: Lane, origin: string, cacheControl: string): void {
  const { link, answer } = lane.picture;
  if (link !== undefined) response.setHeader('link', `<${origin}${link.path}${link.rest}`);
  response.writeHead(304, {
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    etag: answer.etag,
    'last-modified': lane.lastModified,
    'cache-control': cacheControl,
  });
}

/** Whether nothing of the request but its address and its tag matters. */
const isPlain = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers['if-modified-since'] === undefined && headers.range === undefined;

/** A lane that has learned nothing yet. Only for a library that is open to everyone: nobody is asked who they are. */
export function createPictureLane(lookAgain: LookAgain): PictureLane {
  const known = new LRUCache<string, Lane>({ max: maxKnown });

  async function answer(
    lane: Lane,
    origin: string,
    service: Service,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    const { picture } = lane;
    const image = await lookAgain(picture.asked);
    if (!isSame(image, picture.image)) return false;
    if (namesTag(request, picture.answer.etag)) {
      writeNotModified(response, lane, origin, service.cacheControl);
      response.end();
      return true;
    }
    const bytes = picture.answer.peek() ?? (await bytesOf(picture.answer, response));
    response.setTimeout(stalledAfterMs, () => response.destroy());
    writeHead(response, lane, origin, service.cacheControl, bytes.length);
    response.end(bytes);
    return true;
  }

  return {
    learn(request, picture) {
      // A file as it is may be large, and is sent as it is read.
      if (picture.answer.plan.kind === 'send-file') return;
      const target = relativeTarget(rawTargetOf(request));
      if (known.has(target) && known.peek(target)?.picture.answer.etag === picture.answer.etag) return;
      known.set(target, {
        picture,
        lastModified: new Date(picture.answer.lastModifiedMs).toUTCString(),
        disposition: dispositionOf(picture.answer),
      });
    },
    before(service, otherwise) {
      if (service.guarded) return otherwise;
      return (request, response) => {
        const lane = isPlain(request) ? known.get(request.url ?? '') : undefined;
        const origin = lane && plainOrigin(request, service);
        if (lane === undefined || origin === undefined) return otherwise(request, response);
        answer(lane, origin, service, request, response).then(
          (isAnswered) => {
            if (isAnswered) return;
            known.delete(request.url ?? '');
            otherwise(request, response);
          },
          () => otherwise(request, response),
        );
      };
    },
  };
}

async function bytesOf(answer: ImageAnswer, response: ServerResponse): Promise<Buffer> {
  const body = await answer.body(whenAbandoned(response));
  if (body.kind === 'stream') throw new TypeError('a stream came into the lane');
  return body.bytes;
}
