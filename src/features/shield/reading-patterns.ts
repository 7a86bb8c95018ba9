/**
 * Who asks as a viewer does: a document about an image or a book first, and right after it tiles or small pictures. Addresses of a swarm
 * ask now and then for anything, so that hardly any of them shows this; no cookie and no script is needed to tell.
 */
import { LRUCache } from 'lru-cache';

/** For so long after a document, what a viewer asks for is a reader's, in ms. */
const provisionalMs = 30_000;

/** For so long after the last request of a reader who has shown the pattern, in ms. */
const establishedMs = 10 * 60_000;

/** Requests that follow a document before the pattern counts as shown. */
const shownAfter = 3;

/** Clients that are remembered; each takes some 200 bytes. */
const maxClients = 20_000;

/** The longest side in pixels of a tile that viewers ask for, and of a small picture such as a thumbnail. */
const maxTileSide = 1024;
const maxSmallSide = 400;

interface Seen {
  untilMs: number;
  /** Requests of a viewer since the document. */
  count: number;
}

const documentPath =
  /\/(?:info|manifest|collection|folder|dlInfo-json|ImgInfo-json|dirInfo-xml)\.(?:json|jsp)(?:\?|$)|\/(?:view|digilib|jquery)\//;

/** Whether an address is one of those documents that viewers ask for before pictures. Most addresses are pictures, and told at once. */
export function isReadingDocument(address: string): boolean {
  if (address.endsWith('/info.json')) return true;
  return !address.includes('/default.') && documentPath.test(address);
}

const iiifPicture =
  /\/iiif\/[123]\/[^/]+\/(full|square|\d+,\d+,\d+,\d+)\/(?:\^?!?(\d*),(\d*)|max|full)\/!?[\d.]+\/\w+\.\w+(?:\?|$)/;

const isWithin = (limit: number, ...sides: readonly (string | undefined)[]): boolean => {
  const known = sides.filter((side) => side !== undefined && side !== '').map(Number);
  return known.length > 0 && known.every((side) => side <= limit);
};

function isPartOfScaler(address: string): boolean {
  if (!address.includes('Scaler?')) return false;
  const query = new URLSearchParams(address.slice(address.indexOf('?') + 1));
  return (
    isWithin(maxTileSide * 2, query.get('dw') ?? undefined, query.get('dh') ?? undefined) && query.get('mo') !== 'file'
  );
}

/** Whether an address is a picture as viewers ask for them: a tile, or a small one of the whole. */
export function isViewerPicture(address: string): boolean {
  const [matched, region = '', width, height] = iiifPicture.exec(address) ?? [];
  if (matched === undefined) return isPartOfScaler(address);
  return isWithin(/^\d/.test(region) ? maxTileSide : maxSmallSide, width, height);
}

export class ReadingPatterns {
  readonly #seen = new LRUCache<string, Seen>({ max: maxClients });
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Notes that a client asked for a document that viewers ask for first. */
  noteDocument(client: string): void {
    const untilMs = this.#now() + provisionalMs;
    const seen = this.#seen.get(client);
    if (seen === undefined || seen.untilMs <= this.#now()) this.#seen.set(client, { untilMs, count: 0 });
    else seen.untilMs = Math.max(seen.untilMs, untilMs);
  }

  /** Whether a client has shown the pattern, and holds on to it. */
  hasShown(client: string): boolean {
    const seen = this.#seen.get(client);
    return seen !== undefined && seen.count >= shownAfter && seen.untilMs > this.#now();
  }

  /** Whether a client that asks for a picture asks as a viewer does; counts the request. */
  isReading(client: string, address: string): boolean {
    const seen = this.#seen.get(client);
    const nowMs = this.#now();
    if (seen === undefined || seen.untilMs <= nowMs || !isViewerPicture(address)) return false;
    seen.count += 1;
    if (seen.count >= shownAfter) seen.untilMs = nowMs + establishedMs;
    return true;
  }
}
