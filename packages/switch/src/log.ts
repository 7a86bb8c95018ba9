/** Reads the requests of access logs (Apache, nginx, Tomcat, plain lists of addresses), counts equal ones, and chooses some of them. */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { percentDecoded } from './digilib.ts';

/** What keeps a comparison from being made, as a sentence; `side` is the server that it is about, where it is about one. */
export class SwitchError extends Error {
  readonly side: 'old' | 'new' | undefined;

  constructor(message: string, side?: 'old' | 'new') {
    super(message);
    this.name = 'SwitchError';
    this.side = side;
  }
}

export type LogLine =
  | { readonly kind: 'request'; readonly method: 'GET' | 'HEAD'; readonly target: string }
  | { readonly kind: 'other-method' }
  | { readonly kind: 'blank' }
  | { readonly kind: 'no-request' };

/** The request line stands in quotes, in which Apache and nginx escape quotes and odd bytes with a backslash. */
const quotedRequest = /"([A-Z]{3,20}) ((?:[^"\\]|\\.)+?)(?: HTTP\/\d(?:\.\d)?)?"/;

const plainRequest = /^(?:([A-Z]{3,20})\s+)?((?:https?:\/\/|\/)\S*)(?:\s+HTTP\/\d(?:\.\d)?)?$/i;

const origin = /^https?:\/\/[^/?#]*/i;

const percent = (byte: string): string => `%${byte.toUpperCase()}`;

/** Undoes the log's escapes; characters that addresses can't hold are percent-encoded, so that a target is plain ASCII. */
function targetOf(logged: string): string {
  const unescaped = logged
    .replace(/\\x([0-9A-Fa-f]{2})/g, (_, byte: string) => percent(byte))
    .replace(/\\([tnrbvf])/g, (_, letter: string) =>
      percent({ t: '09', n: '0a', r: '0d', b: '08', v: '0b', f: '0c' }[letter] ?? '20'),
    )
    .replace(/\\(.)/g, '$1');
  const relative = unescaped.replace(origin, '').replace(/#.*$/s, '');
  const ascii = relative.replace(/[^\x21-\x7e]/g, (byte) => percent(byte.charCodeAt(0).toString(16).padStart(2, '0')));
  return ascii.startsWith('/') ? ascii : `/${ascii}`;
}

/** Reads one line, in which each character stands for a byte. */
export function parseLogLine(line: string): LogLine {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return { kind: 'blank' };
  const found = plainRequest.exec(text) ?? quotedRequest.exec(text);
  const [, method = 'GET', logged] = found ?? [];
  if (logged === undefined || (!logged.startsWith('/') && !origin.test(logged))) return { kind: 'no-request' };
  const upper = method.toUpperCase();
  if (upper !== 'GET' && upper !== 'HEAD') return { kind: 'other-method' };
  return { kind: 'request', method: upper, target: targetOf(logged) };
}

const isToken = (pair: string): boolean => {
  const [name = ''] = pair.split('=', 1);
  return percentDecoded(name.replaceAll('+', ' '))?.trim().toLowerCase() === 'id_token';
};

/** The query without its `id_token`. The separators stay, so that all other pairs are sent as they were. */
function queryWithoutToken(query: string): string {
  const pairs = query.match(/[^&;]+(?:&amp;|[&;])*|[&;]+/g) ?? [];
  const others = pairs.filter((pair) => !isToken(pair));
  return others.length === pairs.length ? query : others.join('').replace(/(?:&amp;|[&;])$/, '');
}

/** The target without login token and session: both are private, and are neither sent nor printed. */
export function withoutToken(target: string): string {
  const mark = target.indexOf('?');
  const path = (mark < 0 ? target : target.slice(0, mark)).replace(/;jsessionid=[^/;]*/gi, '');
  if (mark < 0) return path;
  const query = queryWithoutToken(target.slice(mark + 1));
  return query === '' && mark < target.length - 1 ? path : `${path}?${query}`;
}

/** The part of a target that follows the context path, such as `/Scaler?fn=…`; undefined for a target elsewhere. */
export function behindContext(target: string, contextPath: string): string | undefined {
  if (!target.startsWith(contextPath)) return undefined;
  const rest = target.slice(contextPath.length);
  if (rest !== '' && !rest.startsWith('/') && !rest.startsWith('?')) return undefined;
  // Dot segments are resolved before a request is sent, and could lead out of the application.
  const { pathname } = new URL(`http://host${contextPath}${rest}`);
  return pathname === contextPath || pathname.startsWith(`${contextPath}/`) ? rest : undefined;
}

/** A request and its frequency. */
export interface LoggedRequest {
  readonly method: 'GET' | 'HEAD';
  /** Behind the context path, with the query. */
  readonly target: string;
  /** How often it occurs in the log. */
  readonly weight: number;
}

/** Counts of the lines of all logs. */
export interface LogTally {
  readonly lines: number;
  /** Requests below the context path by GET or HEAD. */
  readonly requests: number;
  readonly otherMethods: number;
  readonly elsewhere: number;
  readonly noRequests: number;
  /** The number of the first line that holds none; 0 where all hold one. */
  readonly firstNoRequest: number;
  /** Requests that were left out because the maximum number of different addresses was reached. */
  readonly beyondMemory: number;
}

export interface Logged {
  readonly tally: LogTally;
  readonly requests: readonly LoggedRequest[];
}

const maxAddresses = 1_000_000;

/** Counts the lines of a log. */
export class RequestCounter {
  readonly #contextPath: string;
  readonly #counts = new Map<string, number>();
  readonly #tally = {
    lines: 0,
    requests: 0,
    otherMethods: 0,
    elsewhere: 0,
    noRequests: 0,
    firstNoRequest: 0,
    beyondMemory: 0,
  } satisfies LogTally;

  /** `contextPath` precedes digilib's paths in the log, such as `/digilib`; empty for the root. */
  constructor(contextPath: string) {
    this.#contextPath = contextPath;
  }

  add(line: string): void {
    this.#tally.lines++;
    const read = parseLogLine(line);
    if (read.kind === 'other-method') this.#tally.otherMethods++;
    if (read.kind === 'no-request') {
      this.#tally.noRequests++;
      this.#tally.firstNoRequest ||= this.#tally.lines;
    }
    if (read.kind === 'request') this.#count(read.method, read.target);
  }

  #count(method: string, logged: string): void {
    const target = behindContext(logged, this.#contextPath);
    if (target === undefined) {
      this.#tally.elsewhere++;
      return;
    }
    this.#tally.requests++;
    const key = `${method} ${withoutToken(target)}`;
    const count = this.#counts.get(key);
    if (count === undefined && this.#counts.size >= maxAddresses) this.#tally.beyondMemory++;
    else this.#counts.set(key, (count ?? 0) + 1);
  }

  result(): Logged {
    const requests = [...this.#counts].map(([key, weight]): LoggedRequest => {
      const method = key.startsWith('HEAD ') ? 'HEAD' : 'GET';
      return { method, target: key.slice(method.length + 1), weight };
    });
    return { tally: this.#tally, requests };
  }
}

async function* prepended(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** The bytes of a log; gzip is recognized by its first bytes. */
async function* unpacked(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  const { done, value: first } = await chunks.next();
  if (done) return;
  if (first[0] !== 0x1f || first[1] !== 0x8b) return yield* prepended(first, chunks);
  const gunzip = createGunzip();
  const feeding = pipeline(prepended(first, chunks), gunzip);
  // An error destroys `gunzip`, so that reading it below throws.
  feeding.catch(() => undefined);
  yield* gunzip;
}

/** Longer lines are cut, so that no file can fill the memory. */
const maxLineLength = 100_000;

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    // Latin-1 keeps every byte, wherever a chunk ends; the parser encodes bytes that addresses can't hold.
    const parts = (rest + chunk.toString('latin1')).split('\n');
    rest = (parts.pop() ?? '').slice(0, maxLineLength);
    yield* parts;
  }
  if (rest !== '') yield rest;
}

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES') return 'it may not be read';
  return code.startsWith('Z_') ? 'its gzip compression is damaged' : 'it can’t be read to its end';
};

async function readLog(name: string, counter: RequestCounter): Promise<void> {
  const source: AsyncIterable<Buffer> = name === '-' ? process.stdin : createReadStream(name);
  try {
    for await (const line of linesOf(unpacked(source))) counter.add(line);
  } catch (error) {
    throw new SwitchError(`the log ${name === '-' ? 'from standard input' : name} can’t be used: ${reasonOf(error)}`);
  }
}

/** Reads logs, one after the other; `-` is standard input. Throws SwitchError. */
export async function readLogs(names: readonly string[], contextPath: string): Promise<Logged> {
  const counter = new RequestCounter(contextPath);
  for (const name of names) await readLog(name, counter);
  return counter.result();
}

/** Numbers from 0 to below 1 that are the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Some of the list, each with the same chance (the first part of a Fisher-Yates shuffle). */
function sampleOf<T>(list: readonly T[], count: number, random: () => number): readonly T[] {
  const rest = [...list];
  for (let at = 0; at < Math.min(count, rest.length); at++) {
    const other = at + Math.floor(random() * (rest.length - at));
    const [one, two] = [rest[at] as T, rest[other] as T];
    rest[at] = two;
    rest[other] = one;
  }
  return rest.slice(0, count);
}

const byWeight = (a: LoggedRequest, b: LoggedRequest): number =>
  b.weight - a.weight || (a.target < b.target ? -1 : a.target > b.target ? 1 : a.method < b.method ? -1 : 1);

/** At most `limit` of them: the more frequent half, and as many of the rest by chance, so that rare ones are seen too. */
export function choose(requests: readonly LoggedRequest[], limit: number, seed: number): readonly LoggedRequest[] {
  const sorted = [...requests].sort(byWeight);
  if (sorted.length <= limit) return sorted;
  const frequent = Math.ceil(limit / 2);
  return [...sorted.slice(0, frequent), ...sampleOf(sorted.slice(frequent), limit - frequent, randomFrom(seed))];
}
