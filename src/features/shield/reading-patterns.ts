/**
 * Who asks as a viewer does: a document about an image or a book first, and right after it tiles of that one, or small pictures of those
 * beside it. After a list of the library, and once the pattern was shown, small pictures may be any, and parts of an image need not be tiles.
 * Addresses of a swarm ask now and then for anything, so that hardly any of them shows this; no cookie and no script is needed to tell.
 */
import { LRUCache } from 'lru-cache';
import { isAbout, isIn, type Subject, subjectsOf } from './reading-subjects.ts';

/** For so long after a document, what a viewer asks for is a reader's, in ms. */
const provisionalMs = 30_000;

/**
 * For so long after the last request of a reader who has shown the pattern, in ms: as long as browsers keep documents by default, so that
 * whoever comes back to an image asks for its tiles without its document.
 */
const establishedMs = 60 * 60_000;

/** Requests that follow a document before the pattern counts as shown. */
const shownAfter = 3;

/** Clients that are remembered; each takes some 400 bytes, and up to 1 KB where it has read much. */
const maxClients = 20_000;

/** Images and folders that are remembered of a client: those that it asked about last, some of which its browser may have kept. */
const maxSubjects = 32;

/** The longest side in pixels of a tile that viewers ask for, of most tiles, and of a small picture such as a thumbnail. */
const maxTileSide = 1024;
const usualTileSide = 512;
const maxSmallSide = 400;

/** A second in which a reader asks counts less with time, as e^-1 after this, in ms. */
const activityMs = 60_000;

/** Whoever asks in more seconds of the last minute, about, reads without a pause. */
const maxActiveSeconds = 30;

interface Seen {
  /** The address of its latest document. */
  address: string;
  untilMs: number;
  /** Requests of a viewer since the document. */
  count: number;
  /** The latest of each, the last one at the end. */
  readonly images: Subject[];
  readonly folders: Subject[];
  /** The folders of the images. */
  readonly around: Subject[];
  /** Whether a document was about the library as a whole. */
  isAboutAll: boolean;
  /** Seconds in which it asked for pictures. */
  active: number;
  activeAtMs: number;
}

const documentPath =
  /\/(?:info|manifest|collection|folder|search|dlInfo-json|ImgInfo-json|dirInfo-xml)\.(?:json|jsp)(?:\?|$)|\/(?:view|digilib|jquery)\//;

/** Whether an address is one of those documents that viewers ask for before pictures. Most addresses are pictures, and told at once. */
export function isReadingDocument(address: string): boolean {
  if (address.endsWith('/info.json')) return true;
  return !address.includes('/default.') && documentPath.test(address);
}

const iiifPicture =
  /\/iiif\/[123]\/([^?]+?)\/(full|square|\d+,\d+,\d+,\d+)\/(?:(\^?!?)(\d*),(\d*)|max|full)\/!?[\d.]+\/\w+\.\w+(?:\?|$)/;

const isWithin = (limit: number, ...sides: readonly (string | undefined)[]): boolean => {
  const known = sides.filter((side) => side !== undefined && side !== '').map(Number);
  return known.length > 0 && known.every((side) => side <= limit);
};

/** A picture as viewers ask for them: a tile, another part of an image that is as small, or a small one of the whole. */
export interface ViewerPicture {
  readonly kind: 'tile' | 'part' | 'small';
  readonly identifier: string;
}

function pictureOfScaler(address: string): ViewerPicture | undefined {
  if (!address.includes('Scaler?')) return undefined;
  const query = new URLSearchParams(address.slice(address.indexOf('?') + 1));
  const sides = [query.get('dw') ?? undefined, query.get('dh') ?? undefined];
  if (query.get('mo') === 'file' || !isWithin(maxTileSide * 2, ...sides)) return undefined;
  return { kind: isWithin(maxSmallSide, ...sides) ? 'small' : 'tile', identifier: query.get('fn') ?? '' };
}

/** Whether a region `x,y,w,h` in these sides is reduced by a power of two that its corner is a multiple of, as tiles are. */
function isTile(region: string, width: string, height: string): boolean {
  const [x = 0, y = 0, w = 0, h = 0] = region.split(',').map(Number);
  const factor = width === '' ? h / Number(height) : w / Number(width);
  const reduction = 2 ** Math.max(0, Math.round(Math.log2(factor)));
  // Sides of a tile at the edge are rounded up or down.
  const isReduced = (side: number, to: string): boolean => to === '' || Math.abs(side / reduction - Number(to)) < 1;
  return x % reduction === 0 && y % reduction === 0 && isReduced(w, width) && isReduced(h, height);
}

/** The picture of an address; undefined for others than viewers ask for. */
export function viewerPictureOf(address: string): ViewerPicture | undefined {
  const [matched, identifier = '', region = '', fit, width = '', height = ''] = iiifPicture.exec(address) ?? [];
  if (matched === undefined) return pictureOfScaler(address);
  if (/^\d/.test(region)) {
    if (!isWithin(maxTileSide, width, height)) return undefined;
    return { kind: isTile(region, width, height) ? 'tile' : 'part', identifier };
  }
  if (isWithin(maxSmallSide, width, height)) return { kind: 'small', identifier };
  // The lowest level of viewers, where the whole fits into one tile; in version 3 they name both sides, as hardly anyone else does.
  const limit = width !== '' && height !== '' ? maxTileSide : usualTileSide;
  return region === 'full' && fit === '' && isWithin(limit, width, height) ? { kind: 'tile', identifier } : undefined;
}

function remember(subjects: Subject[], subject: Subject | undefined): void {
  if (subject === undefined || subjects.at(-1) === subject) return;
  subjects.push(subject);
  if (subjects.length > maxSubjects) subjects.shift();
}

export class ReadingPatterns {
  readonly #seen = new LRUCache<string, Seen>({ max: maxClients });
  readonly #now: () => number;
  readonly #slash: string;

  /** `slash` stands for one in the identifiers of IIIF addresses. */
  constructor(slash: string, now: () => number = () => performance.now()) {
    this.#slash = slash;
    this.#now = now;
  }

  /** Notes that a client asked for a document that viewers ask for first, at a time in ms on the clock of `now`. */
  noteDocument(client: string, address: string, nowMs = this.#now()): void {
    const untilMs = nowMs + provisionalMs;
    let seen = this.#seen.get(client);
    if (seen === undefined || seen.untilMs <= nowMs) {
      const { active = 0, activeAtMs = nowMs } = seen ?? {};
      const subjects = { images: [], folders: [], around: [], isAboutAll: false };
      seen = { address, untilMs, count: 0, ...subjects, active, activeAtMs };
      this.#seen.set(client, seen);
    } else {
      seen.untilMs = Math.max(seen.untilMs, untilMs);
      if (seen.address === address) return;
      seen.address = address;
    }
    const { image, folder, around } = subjectsOf(address, this.#slash);
    remember(seen.images, image);
    remember(seen.folders, folder);
    remember(seen.around, around);
    if (image === undefined && folder === undefined) seen.isAboutAll = true;
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
    if (seen === undefined || seen.untilMs <= nowMs) return false;
    const picture = viewerPictureOf(address);
    if (picture === undefined || !this.#isExpected(picture, seen)) return false;
    seen.count += 1;
    if (seen.count >= shownAfter) seen.untilMs = nowMs + establishedMs;
    if (nowMs - seen.activeAtMs >= 1000 || seen.active === 0) {
      seen.active = seen.active * Math.exp((seen.activeAtMs - nowMs) / activityMs) + 1;
      seen.activeAtMs = nowMs;
    }
    return true;
  }

  /** Whether a picture belongs to the documents before it. */
  #isExpected({ kind, identifier }: ViewerPicture, seen: Seen): boolean {
    const isShown = seen.count >= shownAfter;
    if (kind === 'part' && !isShown) return false;
    if (kind === 'small' && (seen.isAboutAll || isShown || isIn(identifier, seen.around, this.#slash))) return true;
    return isAbout(identifier, seen, this.#slash);
  }

  /** Whether a reader asks for pictures most of the time, as programs do, and as those who look at them do not. */
  isWithoutPause(client: string): boolean {
    const seen = this.#seen.peek(client);
    return seen !== undefined && seen.active > maxActiveSeconds;
  }
}
