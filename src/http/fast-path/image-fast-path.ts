/** Pictures and info.json that were asked for before are answered ahead of the framework: what their address means is known. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { ImageError } from '../../image/model/errors.ts';
import type { Admitted, ImageSet } from '../../image/model/image-set.ts';
import type { ImageAnswer } from '../../service/images.ts';
import { type IiifMount, iiifMountFinder } from '../iiif-mounts.ts';
import { type ImageQuery, readIiifPicture } from '../iiif-query.ts';
import { type LinkHeader, linkFor } from '../link-header.ts';
import { plainJson, prefersLinkedJson } from '../negotiation.ts';
import { plainOrigin, rawTargetOf, relativeTarget } from '../origin.ts';
import { namesTag, tagOf } from '../send-document.ts';
import { dispositionOf, stalledAfterMs, whenAbandoned } from '../send-image.ts';
import { maxAddressBytes, type Service } from '../service.ts';

/** What an address was found to ask for. */
export type KnownAnswer = {
  readonly asked: Pick<ImageQuery, 'identifiers' | 'page'>;
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
export interface PublicImages {
  /** Whether an image that was found within the last second is as it was, by a look now; false also where that can't be told at once. */
  isFresh(image: Admitted<ImageSet>): boolean;
  /** The image that an address asked for before, as it is now. Throws as admission does. */
  admit(asked: KnownAnswer['asked']): Promise<Admitted<ImageSet>>;
}

export interface ImageFastPath {
  /** Remembers what an address was found to ask for. */
  remember(request: IncomingMessage, known: KnownAnswer): void;
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
  /** The header that only answers of its kind have. */
  readonly special: readonly [name: string, value: string];
  readonly link: string | undefined;
  readonly body?: Buffer;
}

function headOf(known: KnownAnswer, origin: string): Head {
  const link = known.link && linkFor(origin, known.link);
  if (known.kind === 'document') {
    const body = Buffer.from(known.textFor(origin));
    const etag = tagOf(plainJson, body);
    return { origin, etag, mediaType: plainJson, special: ['vary', 'Accept'], link, body };
  }
  const { etag, mediaType, lastModifiedMs } = known.answer;
  return { origin, etag, mediaType, special: ['last-modified', new Date(lastModifiedMs).toUTCString()], link };
}

/** What an answer says with and without its bytes: a list, since objects and single headers cost Node much more. */
function headersOf({ etag, special: [name, value], link }: Head, cacheControl: string): string[] {
  const headers = [
    'access-control-allow-origin',
    '*',
    'x-content-type-options',
    'nosniff',
    name,
    value,
    'etag',
    etag,
    'cache-control',
    cacheControl,
  ];
  if (link !== undefined) headers.push('link', link);
  return headers;
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
    const head = this.#headFor(origin);
    if (!namesTag(request, head.etag)) return false;
    response.writeHead(304, headersOf(head, cacheControl)).end();
    return true;
  }

  send(bytes: Buffer, response: ServerResponse, origin: string, cacheControl: string): void {
    const head = this.#headFor(origin);
    const headers = headersOf(head, cacheControl);
    headers.push('content-type', head.mediaType, 'content-length', String(bytes.length));
    if (this.#disposition !== undefined) headers.push('content-disposition', this.#disposition);
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
  !prefersLinkedJson(headers.accept);

/** A lane that has learned nothing yet. Only for a library that is open to everyone: nobody is asked who they are. */
export function createImageFastPath(looks: PublicImages): ImageFastPath {
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

  /** The address where its image is as it was, by looks that may take their time. */
  async function ifAsBefore(address: KnownAddress): Promise<KnownAddress | undefined> {
    const image = await looks.admit(address.known.asked);
    if (!isSame(image, address.known.image)) return undefined;
    address.image = image;
    return address;
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
    remember(request, known) {
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
      const findPlace = iiifMountFinder(service);
      /** The place of an address that the lane can read by itself. */
      const placeOf = (url: string): IiifMount | undefined =>
        url.startsWith('/') && !url.includes('?') && url.length <= maxAddressBytes ? findPlace(url) : undefined;

      /** What an address of IIIF asks for that nobody has asked for; undefined for what is no picture. Throws where something in it is wrong. */
      async function find(url: string, place: IiifMount): Promise<KnownAddress | undefined> {
        const asked = readIiifPicture(url, place, service);
        if (asked === undefined) return undefined;
        const image = await looks.admit(asked);
        const answer = service.images.answer(asked.request, image);
        if (answer.plan.kind === 'send-file') return undefined;
        return new KnownAddress({ kind: 'picture', asked, image, answer, link: asked.linkTo(answer) });
      }

      const findAgain = (url: string, target: KnownAddress | IiifMount): Promise<KnownAddress | undefined> =>
        target instanceof KnownAddress ? ifAsBefore(target) : find(url, target);

      /** Answers where the address turns out to be the lane's; whether it did. */
      async function answer(
        current: KnownAddress | Promise<KnownAddress | undefined>,
        origin: string,
        request: IncomingMessage,
        response: ServerResponse,
      ): Promise<boolean> {
        const address = await current;
        if (address === undefined) return false;
        if (!answerAtOnce(address, origin, cacheControl, request, response)) {
          address.send(await make(address, request, response), response, origin, cacheControl);
        }
        lane.set(request.url ?? '', address);
        return true;
      }

      function leaveUnless(answered: Promise<boolean>, request: IncomingMessage, response: ServerResponse): void {
        answered.then(
          (isAnswered) => {
            if (isAnswered) return;
            lane.delete(request.url ?? '');
            otherwise(request, response);
          },
          () => {
            if (!request.socket.destroyed) otherwise(request, response);
          },
        );
      }

      return (request, response) => {
        const { url = '' } = request;
        const target = isPlain(request) ? (lane.get(url) ?? placeOf(url)) : undefined;
        const origin = target && plainOrigin(request, service);
        if (target === undefined || origin === undefined) return otherwise(request, response);
        const current = target instanceof KnownAddress && looks.isFresh(target.image) ? target : undefined;
        if (current && answerAtOnce(current, origin, cacheControl, request, response)) return;
        const answered = answer(current ?? findAgain(url, target), origin, request, response);
        leaveUnless(answered, request, response);
      };
    },
  };
}
