/** Readers that send mixed requests to several servers, and compare each answer with the one that is known to be right. */
import sharp from 'sharp';
import type { ServerProcess, TimedAnswer } from '../fixtures/server-process.ts';

/** How an answer is compared: all of its bytes, its text without the server's own address, or its pixels. */
export type Comparison = 'bytes' | 'text' | 'pixels';

export interface KnownAnswer {
  readonly address: string;
  readonly comparison: Comparison;
  readonly body: Buffer;
}

export interface Tally {
  readonly right: number;
  /** The longest time until a right answer was there, in ms. */
  readonly slowestRightMs: number;
  /** By status. */
  readonly refused: Readonly<Record<number, number>>;
  /** Connections that ended with a server that was killed. */
  readonly cut: number;
  /** What no server may do, as sentences. */
  readonly faults: readonly string[];
  /** The longest time until an error was answered, in ms. */
  readonly slowestErrorMs: number;
  /** The longest time for an answer that needs nothing but the server’s process, in ms: what a busy machine adds to each. */
  readonly latenessMs: number;
}

/** A server that may be replaced by a new process. */
export interface Place {
  current: ServerProcess;
  /** Counts the processes that were killed here. */
  kills: number;
  /** Whether the process was killed and no other one serves yet. */
  isDown: boolean;
}

/** Between an answer and the next request of a reader, in ms. */
const restMs = 40;

/** Errors are answered within this time in ms, and with one of these statuses. */
export const errorsWithinMs = 5000;
const allowedErrors = [502, 503, 504];

/** The largest mean difference of samples, from 0 to 255, between a picture from a scan and one from its pyramid. */
const maxMeanDifference = 4;

const withoutAddress = (body: Buffer): string => body.toString().replace(/http:\/\/127\.0\.0\.1:\d+/g, '');

async function meanDifference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((bytes) => sharp(bytes).raw().toBuffer({ resolveWithObject: true })),
  );
  if (a === undefined || b === undefined || a.info.width !== b.info.width || a.info.height !== b.info.height)
    return 255;
  let sum = 0;
  for (let at = 0; at < a.data.length; at++) sum += Math.abs((a.data[at] ?? 0) - (b.data[at] ?? 0));
  return sum / a.data.length;
}

/** Why a body is not the known one; undefined where it is. */
async function problemOf({ comparison, body }: KnownAnswer, found: Buffer): Promise<string | undefined> {
  if (found.equals(body)) return undefined;
  if (comparison === 'bytes') return `${found.length} other bytes instead of ${body.length}`;
  if (comparison === 'text') return withoutAddress(found) === withoutAddress(body) ? undefined : 'another text';
  const difference = await meanDifference(body, found).catch((error: unknown) => error);
  if (typeof difference !== 'number') return `no picture: ${difference}`;
  return difference <= maxMeanDifference ? undefined : `a mean difference of ${difference.toFixed(1)}`;
}

export class MixedLoad {
  readonly #places: readonly Place[];
  #right = 0;
  #slowestRightMs = 0;
  #cut = 0;
  #slowestErrorMs = 0;
  #slowestError = '';
  #latenessMs = 0;
  readonly #refused: Record<number, number> = {};
  readonly #faults: string[] = [];

  constructor(places: readonly Place[]) {
    this.#places = places;
  }

  /** Requests one address from one server, and records what came of it. */
  async request(known: KnownAnswer, place: Place): Promise<TimedAnswer> {
    const { current, kills, isDown } = place;
    const answer = await current.get(known.address);
    if (answer.status === 200) {
      const problem = await problemOf(known, answer.body);
      if (problem === undefined) this.#right++;
      this.#slowestRightMs = Math.max(this.#slowestRightMs, answer.ms);
      if (problem !== undefined) this.#faults.push(`${known.address}: ${problem}`);
    } else if (answer.status === 0 && (isDown || place.kills > kills)) this.#cut++;
    else this.#recordError(known.address, answer);
    return answer;
  }

  #recordError(address: string, { status, ms, body }: TimedAnswer): void {
    this.#refused[status] = (this.#refused[status] ?? 0) + 1;
    const text = body.toString().slice(0, 200);
    if (!allowedErrors.includes(status)) this.#faults.push(`${address}: status ${status}, ${text}`);
    if (ms <= this.#slowestErrorMs) return;
    this.#slowestErrorMs = ms;
    this.#slowestError = `${address}: status ${status} after ${Math.round(ms)} ms, ${text}`;
  }

  /** Sends requests for these answers in turn, to one server after the other, by so many readers, until `isOver`. */
  async run(known: readonly KnownAnswer[], readers: number, isOver: () => boolean): Promise<void> {
    let next = 0;
    const reader = async (): Promise<void> => {
      while (!isOver()) {
        const answer = known[next % known.length];
        // A step that shares no factor with the number of answers, so that each server gets all of them.
        const place = this.#places[(next + Math.floor(next / known.length)) % this.#places.length];
        next++;
        if (answer === undefined || place === undefined) throw new Error('there is nothing to request');
        const { status } = await this.request(answer, place);
        await new Promise((resolve) => setTimeout(resolve, status === 200 ? restMs : 100));
      }
    };
    await Promise.all([
      ...Array.from({ length: readers }, reader),
      ...this.#places.map((place) => this.#watch(place, isOver)),
    ]);
  }

  /** Measures how late the machine is. */
  async #watch(place: Place, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const { status, ms } = await place.current.get('/healthz');
      if (status === 200) this.#latenessMs = Math.max(this.#latenessMs, ms);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** What came of the requests since the last call. */
  take(): Tally {
    if (this.#slowestErrorMs > errorsWithinMs + this.#latenessMs) this.#faults.push(this.#slowestError);
    const tally = {
      right: this.#right,
      slowestRightMs: Math.round(this.#slowestRightMs),
      refused: { ...this.#refused },
      cut: this.#cut,
      faults: this.#faults.splice(0),
      slowestErrorMs: Math.round(this.#slowestErrorMs),
      latenessMs: Math.round(this.#latenessMs),
    };
    [this.#right, this.#cut, this.#slowestRightMs, this.#slowestErrorMs, this.#latenessMs] = [0, 0, 0, 0, 0];
    for (const status of Object.keys(this.#refused)) delete this.#refused[Number(status)];
    return tally;
  }
}
