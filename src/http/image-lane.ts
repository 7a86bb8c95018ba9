/** Pictures and info.json that were asked for before are answered ahead of the framework: what their address means is known. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { ImageError } from '../image/errors.ts';
import type { Admitted, ImageSet } from '../image/image-set.ts';
import type { ImageAnswer } from '../service/images.ts';
import { type AskedPicture, readIiifPicture } from './iiif-picture.ts';
import { iiifPlaceFinder } from './iiif-places.ts';
import { type LinkHeader, linkFor } from './link-header.ts';
import { plainOrigin, rawTargetOf, relativeTarget } from './origin.ts';
import { namesTag, plainJson, tagOf } from './send-document.ts';
import { dispositionOf, stalledAfterMs, whenAbandoned } from './send-image.ts';
import { maxAddressBytes, type Service } from './service.ts';

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

/** What takes a request that the lane leaves. */
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Looks at images for everyone, where there are no rules of access. */
export interface Looks {
  /** Whether an image that was found within the last second is as it was, by a look now; false also where that can't be told at once. */
  holds(image: Admitted<ImageSet>): boolean;
  /** The image that an address asked for before, as it is now. Throws as admission does. */
  again(asked: KnownAnswer['asked']): Promise<Admitted<ImageSet>>;
}

export interface ImageLane {
  /** Remembers what an address was found to ask for. */
  learn(request: IncomingMessage, known: KnownAnswer): void;
  /** Throws what the lane met when it made the answer to a request: then the framework's way says so, and does not try again. */
  requireNoFailure(request: IncomingMessage): void;
  /** Puts the lane before the framework's way, which answers all else, and all that is not as it was. */
  before(service: Service, otherwise: Handler): Handler;
}

/** So many addresses are remembered; each takes some five kilobytes. */
const maxKnown = 5000;

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

/** What an answer says of itself to those who ask by one origin; of a document its bytes too. */
interface Head {
  readonly origin: string;
  readonly etag: string;
  readonly mediaType: string;
  /** The headers between tag and content, names and values in turn. */
  readonly others: readonly [string, string, string, string];
  readonly link: string | undefined;
  readonly body?: Buffer;
}

function headOf(known: KnownAnswer, origin: string): Head {
  const link = known.link && linkFor(origin, known.link);
  if (known.kind === 'document') {
    const body = Buffer.from(known.textFor(origin));
    const etag = tagOf(plainJson, body);
    return {
      origin,
      etag,
      mediaType: plainJson,
      others: ['vary', 'Accept', 'x-content-type-options', 'nosniff'],
      link,
      body,
    };
  }
  const { etag, mediaType, lastModifiedMs } = known.answer;
  const lastModified = new Date(lastModifiedMs).toUTCString();
  return {
    origin,
    etag,
    mediaType,
    others: ['last-modified', lastModified, 'x-content-type-options', 'nosniff'],
    link,
  };
}

/** An address that the lane answers. */
class KnownAddress {
  readonly known: KnownAnswer;
  /** As it was found last. */
  image: Admitted<ImageSet>;
  readonly #disposition: string | undefined;
  #head: Head | undefined;

  constructor(known: KnownAnswer) {
    this.known = known;
    this.image = known.image;
    this.#disposition = known.kind === 'picture' ? dispositionOf(known.answer) : undefined;
  }

  /** Most ask by the same origin. */
  #headFor(origin: string): Head {
    if (this.#head?.origin === origin) return this.#head;
    this.#head = headOf(this.known, origin);
    return this.#head;
  }

  /** The bytes of the answer where they are there at once. */
  peek(origin: string): Buffer | undefined {
    return this.known.kind === 'picture' ? this.known.answer.peek() : this.#headFor(origin).body;
  }

  /** 304 where the client has the answer already; whether it has. */
  isKnownTo(request: IncomingMessage, response: ServerResponse, origin: string, cacheControl: string): boolean {
    const { etag, others, link } = this.#headFor(origin);
    if (!namesTag(request, etag)) return false;
    const headers = ['access-control-allow-origin', '*', ...others, 'etag', etag, 'cache-control', cacheControl];
    if (link !== undefined) headers.push('link', link);
    response.writeHead(304, headers).end();
    return true;
  }

  send(bytes: Buffer, response: ServerResponse, origin: string, cacheControl: string): void {
    const { etag, mediaType, others, link } = this.#headFor(origin);
    // A list in one literal: an object, or headers that are set one by one, cost Node as much as the rest of the answer.
    const headers = [
      'access-control-allow-origin',
      '*',
      others[0],
      others[1],
      others[2],
      others[3],
      'etag',
      etag,
      'cache-control',
      cacheControl,
      'content-type',
      mediaType,
      'content-length',
      String(bytes.length),
    ];
    if (this.#disposition !== undefined) headers.push('content-disposition', this.#disposition);
    if (link !== undefined) headers.push('link', link);
    response.writeHead(200, headers);
    response.end(bytes);
    // What the system has taken whole can't stall here.
    if (response.socket?.writableLength !== 0) response.setTimeout(stalledAfterMs, () => response.destroy());
  }
}

async function bytesOf({ known }: KnownAddress, request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  if (known.kind === 'document') throw new TypeError('a document without its bytes');
  const body = await known.answer.body(whenAbandoned(request, response));
  if (body.kind === 'stream') throw new TypeError('a stream came into the lane');
  return body.bytes;
}

/** Whether nothing of the request but its address and its tag matters. */
const isPlain = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers['if-modified-since'] === undefined &&
  headers.range === undefined &&
  !headers.accept?.includes('ld+json');

/** A lane that has learned nothing yet. Only for a library that is open to everyone: nobody is asked who they are. */
export function createImageLane(looks: Looks): ImageLane {
  const lane = new LRUCache<string, KnownAddress>({ max: maxKnown });
  const failures = new WeakMap<IncomingMessage, unknown>();

  async function make(address: KnownAddress, request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
    try {
      return await bytesOf(address, request, response);
    } catch (error) {
      // Of a file that was replaced meanwhile, the framework's way makes the whole answer anew.
      if (!(error instanceof ImageError) || error.code !== 'changed') failures.set(request, error);
      throw error;
    }
  }

  /** Whether the image is as it was, by looks that may take their time. */
  async function isAsBefore(address: KnownAddress): Promise<boolean> {
    const image = await looks.again(address.known.asked);
    if (!isSame(image, address.known.image)) return false;
    address.image = image;
    return true;
  }

  /** Answers where nothing has to be waited for; whether it did. */
  function answerAtOnce(
    address: KnownAddress,
    origin: string,
    cacheControl: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): boolean {
    if (address.isKnownTo(request, response, origin, cacheControl)) return true;
    const bytes = address.peek(origin);
    if (bytes === undefined) return false;
    address.send(bytes, response, origin, cacheControl);
    return true;
  }

  return {
    learn(request, known) {
      // A file as it is may be large, and is sent as it is read.
      if (known.kind === 'picture' && known.answer.plan.kind === 'send-file') return;
      lane.set(relativeTarget(rawTargetOf(request)), new KnownAddress(known));
    },
    requireNoFailure(request) {
      if (failures.has(request)) throw failures.get(request);
    },
    before(service, otherwise) {
      if (service.guarded) return otherwise;
      const { cacheControl } = service;
      const placeOf = iiifPlaceFinder(service);

      /** What a picture's address of IIIF asks for; undefined for all others. Throws where something in it is wrong. */
      async function find(url: string): Promise<KnownAddress | undefined> {
        const place = url.includes('?') || url.length > maxAddressBytes ? undefined : placeOf(url);
        const asked = place && readIiifPicture(url, place, service);
        if (asked === undefined) return undefined;
        const image = await looks.again(asked);
        const answer = service.images.answer(asked.request, image);
        if (answer.plan.kind === 'send-file') return undefined;
        return new KnownAddress({ kind: 'picture', asked, image, answer, link: asked.linkTo(image, service.limits) });
      }

      async function send(address: KnownAddress, origin: string, request: IncomingMessage, response: ServerResponse) {
        if (answerAtOnce(address, origin, cacheControl, request, response)) return;
        address.send(await make(address, request, response), response, origin, cacheControl);
      }

      /** Whether the request was answered. */
      async function answer(
        url: string,
        known: KnownAddress | undefined,
        origin: string,
        request: IncomingMessage,
        response: ServerResponse,
      ): Promise<boolean> {
        const isCurrent = known !== undefined && (looks.holds(known.image) || (await isAsBefore(known)));
        const address = isCurrent ? known : await find(url);
        if (address === undefined) return false;
        await send(address, origin, request, response);
        lane.set(url, address);
        return true;
      }

      return (request, response) => {
        const { url = '' } = request;
        const isHere = isPlain(request) && url.startsWith('/');
        const known = isHere ? lane.get(url) : undefined;
        const origin = known || (isHere && placeOf(url)) ? plainOrigin(request, service) : undefined;
        if (origin === undefined) return otherwise(request, response);
        if (known && looks.holds(known.image) && answerAtOnce(known, origin, cacheControl, request, response)) return;
        answer(url, known, origin, request, response).then(
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
