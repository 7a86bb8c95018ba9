/** Asks the server for JSON, and says what went wrong in a form that the page can show. */

/** Why there is no answer. `signal` ended it where it is `aborted`; an image that is `unreadable` is there. */
export type Problem =
  | 'login-needed'
  | 'denied'
  | 'not-found'
  | 'unreadable'
  | 'busy'
  | 'failed'
  | 'unreachable'
  | 'aborted';

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

/** Parameters of a query; those that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** An address below the base with its query. */
export function addressOf(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string | number] => pair[1] !== undefined);
  const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return text === '' ? path : `${path}?${text}`;
}

function problemOf(status: number): Problem {
  if (status === 401) return 'login-needed';
  if (status === 403) return 'denied';
  if (status === 404) return 'not-found';
  return status === 503 || status === 429 ? 'busy' : 'failed';
}

/** What an address of this server answers with, read by `take`. */
async function fetchFrom<T>(
  address: string,
  options: RequestInit,
  read: (answer: Response) => Promise<T>,
): Promise<Answer<T>> {
  try {
    const answer = await fetch(new URL(address, document.baseURI), options);
    if (!answer.ok) return { ok: false, problem: problemOf(answer.status) };
    return { ok: true, value: await read(answer) };
  } catch {
    return { ok: false, problem: options.signal?.aborted ? 'aborted' : 'unreachable' };
  }
}

const withSignal = (signal: AbortSignal | undefined): RequestInit => (signal ? { signal } : {});

/** The JSON at an address of this server. Its shape is the server's word: both are made from the same types. */
export const fetchJson = <T>(address: string, signal?: AbortSignal): Promise<Answer<T>> =>
  fetchFrom(address, withSignal(signal), async (answer) => (await answer.json()) as T);

/** The bytes at an address of this server. */
export const fetchBytes = (address: string, signal?: AbortSignal): Promise<Answer<Blob>> =>
  fetchFrom(address, withSignal(signal), (answer) => answer.blob());

/** Whether there is anything to have at an address of this server, without fetching it. */
export const fetchHead = (address: string, signal?: AbortSignal): Promise<Answer<undefined>> =>
  fetchFrom(address, { ...withSignal(signal), method: 'HEAD' }, async () => undefined);
