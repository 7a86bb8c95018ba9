/** Requests addresses from outside, as a browser or viewer does, explains failures, and says what was found. */
import { mediaTypeOf, readBounded, reasonOf } from '@lectern/switch/answer';
import { settingsSchema } from '../../app/settings/settings.ts';
import { httpSettings } from '../../config/groups/http-settings.ts';
import { type Environment, readEnvironment } from '../../config/sources/environment.ts';
import { isJsonObject, type JsonObject, parseJsonObject, percentDecoded } from '../../core/parsing/parse.ts';
import { originOnThisMachine, parseBase } from '../common/option-values.ts';
import { UsageError, withUsageErrors } from '../common/usage-error.ts';

/** The answer of a server. */
export interface Reply {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** The media type alone, in lower case. */
  readonly type: string;
  readonly body: Buffer;
}

/** A server that gave no answer; the message says why. */
export class NoAnswer extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoAnswer';
  }
}

interface ProbeOptions {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests an address; redirects are not followed. Rejects with NoAnswer. */
export type Probe = (url: string, options?: ProbeOptions) => Promise<Reply>;

const maxBytes = 20 * 1024 * 1024;

/** The result of a request; for a server that gave no answer, the NoAnswer itself. */
export const ifAnswered = <T>(result: Promise<T>): Promise<T | NoAnswer> =>
  result.catch((error: unknown) => {
    if (error instanceof NoAnswer) return error;
    throw error;
  });

/** A probe with a bound on the time of each answer. */
export const probeWithin =
  (timeoutMs: number): Probe =>
  async (url, { method = 'GET', headers = {} } = {}) => {
    try {
      const response = await fetch(url, {
        method,
        redirect: 'manual',
        // Only the check of compression accepts it.
        headers: { 'user-agent': 'lectern-check', 'accept-encoding': 'identity', ...headers },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { body } = await readBounded(response, maxBytes);
      const type = mediaTypeOf(response.headers.get('content-type'));
      return { url, status: response.status, headers: response.headers, type, body };
    } catch (error) {
      throw new NoAnswer(reasonOf(error, timeoutMs));
    }
  };

/** The members of a JSON object; undefined where the body is something else. */
export const jsonObject = ({ body }: Reply): JsonObject | undefined => parseJsonObject(body.toString('utf8'));

/** Maximum number of documents that are read; a library can begin with many empty folders. */
const maxDocuments = 25;

const objectsIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

const idOf = (document: JsonObject): string => (typeof document['id'] === 'string' ? document['id'] : '');

/** The folder that a manifest at this address describes, as digilib names it. */
function folderOf(address: string): string | undefined {
  const found = /\/presentation\/3\/(?:(.*)\/)?manifest\.json$/.exec(address);
  return found === null ? undefined : percentDecoded(found[1] ?? '');
}

/** The first image of a folder, by its info object; undefined for the top folder, which has no image. */
async function firstIn(base: string, folder: string, probe: Probe): Promise<string | undefined> {
  const reply = await probe(`${base}/api/dlInfo-json.jsp?fn=${encodeURIComponent(folder)}`);
  const name = jsonObject(reply)?.['img.fn'];
  return typeof name === 'string' && name !== '' ? `${folder}/${name}` : undefined;
}

/** The same document below the given base: the address in the document may be wrong. */
function belowBase(base: string, address: string): string | undefined {
  const at = address.indexOf('/presentation/3/');
  return at < 0 ? undefined : base + address.slice(at);
}

/** The addresses of a document's members, or the target of its redirect. */
function nextOf(base: string, reply: Reply): readonly string[] {
  const location = reply.headers.get('location');
  const members = objectsIn(jsonObject(reply)?.['items']).map(idOf);
  return [...(location === null ? [] : [location]), ...members]
    .map((address) => belowBase(base, address))
    .filter((address) => address !== undefined);
}

async function throughManifests(base: string, probe: Probe): Promise<string | undefined> {
  const waiting = [`${base}/presentation/3/collection.json`];
  const seen = new Set<string>();
  while (seen.size < maxDocuments) {
    // Depth first: the pages of a folder come before its neighbors.
    const url = waiting.pop();
    if (url === undefined) return undefined;
    if (seen.has(url)) continue;
    seen.add(url);
    const reply = await probe(url);
    const document = jsonObject(reply);
    const isManifest = document?.['type'] === 'Manifest';
    const folder = isManifest ? folderOf(url) : undefined;
    const image = folder && (await firstIn(base, folder, probe));
    if (image) return image;
    if (!isManifest) waiting.push(...nextOf(base, reply).toReversed());
  }
  return undefined;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The first cover or image in the reading room's list of the top folder. */
async function inReadingRoom(base: string, probe: Probe): Promise<string | undefined> {
  const top = jsonObject(await probe(`${base}/api/folder.json`));
  const covers = objectsIn(top?.['folders']).map(({ cover }) => textOf(cover));
  const images = objectsIn(top?.['images']).map(({ path }) => textOf(path));
  return [...covers, ...images].find((path) => path !== undefined);
}

/** The path of an image, without the slash before it; undefined where none is found. */
export async function findImage(base: string, probe: Probe): Promise<string | undefined> {
  for (const way of [throughManifests, inReadingRoom]) {
    const image = await ifAnswered(way(base, probe));
    if (typeof image === 'string') return image;
  }
  return undefined;
}

export type Finding =
  | { readonly outcome: 'good'; readonly name: string; readonly found: string }
  /** Something does not work; the advice says what to do. */
  | { readonly outcome: 'bad'; readonly name: string; readonly found: string; readonly advice: string }
  /** Nothing is broken, or it could not be tested. */
  | { readonly outcome: 'note'; readonly name: string; readonly found: string };

export const good = (name: string, found: string): Finding => ({ outcome: 'good', name, found });
export const bad = (name: string, found: string, advice: string): Finding => ({ outcome: 'bad', name, found, advice });
export const note = (name: string, found: string): Finding => ({ outcome: 'note', name, found });

const marks: Readonly<Record<Finding['outcome'], string>> = { good: '✓', bad: '✗', note: '–' };

/** A text from a server on one line, at most 200 characters, without control characters. */
export function printable(text: string): string {
  const plain = text.replace(/[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g, ' ');
  return plain.length > 200 ? `${plain.slice(0, 199)}…` : plain;
}

/** The lines that are printed of a finding. */
export function formatFinding(finding: Finding): readonly string[] {
  const line = `${marks[finding.outcome]} ${finding.name}: ${printable(finding.found)}`;
  return finding.outcome === 'bad' ? [line, `    ${finding.advice}`] : [line];
}

/** The server that this environment would start: its own machine's address, and the root, where health is answered too. */
function addressFrom(environment: Environment): string {
  const given = httpSettings.safeParse(readEnvironment(settingsSchema, environment).values['http'] ?? {});
  if (!given.success || given.data.port === 0) {
    throw new UsageError('the environment names no port of a server; give the address as an argument');
  }
  return originOnThisMachine(given.data.host, given.data.port);
}

/** The names of the parts that an answer of `/readyz` says are not ready, also of those without which it is to get requests. */
export function notReadyIn(reply: Reply): readonly string[] {
  const body = jsonObject(reply);
  const names = [body?.['notReady'], body?.['degraded']].flat();
  return names.filter((name) => typeof name === 'string');
}

/** Prints the state of the server at an address, and gives the exit code: 0 where it is well, else 1. */
export async function checkHealth(base: string, what: 'health' | 'ready', probe: Probe): Promise<number> {
  const url = `${base}${what === 'health' ? '/healthz' : '/readyz'}`;
  const reply = await ifAnswered(probe(url));
  if (reply instanceof NoAnswer) {
    console.log(`${url} does not answer: ${printable(reply.message)}`);
    return 1;
  }
  const notReady = notReadyIn(reply);
  const isWell = reply.status === 200;
  const state = notReady.length > 0 ? `not ready: ${notReady.join(', ')}` : `status ${reply.status}`;
  console.log(`${url}: ${printable(state)}`);
  return isWell ? 0 : 1;
}

/** One request in place of all checks; without an address, to the server that this environment would start. */
export const checkOne = (url: string | undefined, what: 'health' | 'ready', timeout: number): Promise<number> =>
  withUsageErrors(async () => {
    const base = url === undefined ? addressFrom(process.env) : parseBase('the address', url);
    return checkHealth(base, what, probeWithin(timeout * 1000));
  });
