/** Requests to an OpenSearch by HTTP, and its faults in sentences that name neither its address nor credentials. */
import { SearchEngineError } from '../search-engine.ts';

export interface OpenSearchOptions {
  /** The address of a node or a proxy, without a slash at its end. */
  readonly address: string;
  /** The name of the index or of an alias of one; an index is made where there is none. */
  readonly index: string;
  /** The value of `Authorization`. */
  readonly authorization?: string | undefined;
  /** After how many milliseconds a request that reads is given up; 10 s by default. */
  readonly deadlineMs?: number;
  /** The same for requests that write, which OpenSearch itself gives up after a minute; 60 s by default. */
  readonly writeDeadlineMs?: number;
  /** How long is waited before each further attempt to write, in ms. */
  readonly pausesMs?: readonly number[];
}

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The type of the fault, such as `index_not_found_exception`. */
  readonly errorType?: string;
}

export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** Text is a list of lines of JSON. */
  readonly body?: object | string;
  readonly isWriting?: boolean;
}

/** Resolves with any status; rejects where there is no answer in time, or one of another server. */
export type Client = (outgoing: Outgoing) => Promise<Answer>;

/** More than any answer to what is asked: 5000 pages of 10,000 words. */
const mostBytes = 512 * 2 ** 20;

/** Codes of OpenSSL and Node for certificates that they do not take. */
const certificateFault = /CERT|SIGNATURE|SELF_SIGNED|ALTNAME|UNABLE_TO_GET_ISSUER/;

function sentenceOf(error: unknown, deadlineMs: number): string {
  if (error instanceof SearchEngineError) return error.message;
  const { name, cause } = error as { readonly name?: string; readonly cause?: { readonly code?: string } };
  if (name === 'TimeoutError') return `The search engine does not answer within ${deadlineMs / 1000} seconds.`;
  if (certificateFault.test(cause?.code ?? ''))
    return `The search engine’s certificate is not trusted (${cause?.code}).`;
  return 'The search engine does not answer.';
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > mostBytes) throw new SearchEngineError('The search engine’s answer is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Of `{"error":{"type":"…"}}`; some faults are a plain text, and those of bulk requests are within their items. */
export function typeOf(error: unknown): string | undefined {
  const { type } = typeof error === 'object' && error !== null ? (error as { readonly type?: unknown }) : {};
  return typeof type === 'string' && /^[a-z_]{1,80}$/.test(type) ? type : undefined;
}

function answerOf(status: number, text: string): Answer {
  let body: unknown;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    // A proxy's page of HTML, or the “Unauthorized” of the security plugin.
    if (status >= 300) return { status, body: {} };
  }
  if (typeof body !== 'object' || body === null)
    throw new SearchEngineError('The search engine answers with something else than JSON.');
  const errorType = typeOf((body as { readonly error?: unknown }).error);
  return { status, body: body as Answer['body'], ...(errorType === undefined ? {} : { errorType }) };
}

/** Sends requests. */
export function createClient(options: OpenSearchOptions): Client {
  const { address, authorization, deadlineMs = 10_000, writeDeadlineMs = 60_000 } = options;
  return async ({ method, path, body, isWriting = false }) => {
    const headers = new Headers(authorization === undefined ? {} : { authorization });
    if (body !== undefined)
      headers.set('content-type', typeof body === 'string' ? 'application/x-ndjson' : 'application/json');
    const withinMs = isWriting ? writeDeadlineMs : deadlineMs;
    try {
      const response = await fetch(`${address}${path}`, {
        method,
        headers,
        body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
        // A redirection would turn a POST into a GET.
        redirect: 'manual',
        signal: AbortSignal.timeout(withinMs),
      });
      return answerOf(response.status, await textOf(response));
    } catch (error) {
      throw new SearchEngineError(sentenceOf(error, withinMs));
    }
  };
}

/** Why an answer with the status of a fault is one. */
export function faultOf({ status, errorType }: Pick<Answer, 'status' | 'errorType'>): SearchEngineError {
  if (status === 401) return new SearchEngineError('The search engine refuses the credentials (status 401).');
  const type = errorType === undefined ? '' : ` (${errorType})`;
  return new SearchEngineError(`The search engine answers with status ${status}${type}.`);
}

export const isFault = ({ status }: Answer): boolean => status < 200 || status >= 300;

/** The answer of a search in the whole index: one that misses some of its parts would pass for complete. */
export function wholeAnswer(answer: Answer): Answer {
  if (isFault(answer)) throw faultOf(answer);
  const { timed_out: isLate, _shards: shards } = answer.body as {
    readonly timed_out?: boolean;
    readonly _shards?: { readonly failed?: number };
  };
  if (isLate === true || (shards?.failed ?? 0) > 0)
    throw new SearchEngineError('The search engine searched only a part of its index.');
  return answer;
}

interface Field {
  readonly type: string;
  readonly analyzer?: string;
}

/** The words come folded, so that they are parted at spaces and nothing else. */
const fields = {
  folder: { type: 'keyword' },
  within: { type: 'keyword' },
  name: { type: 'keyword' },
  fingerprint: { type: 'keyword', index: false, doc_values: false },
  words: { type: 'text', analyzer: 'whitespace', norms: true },
  text: { type: 'text', index: false },
  boxes: { type: 'binary' },
} as const;

interface FoundIndex {
  readonly mappings?: { readonly properties?: Readonly<Record<string, Field>> };
}

const hasOurFields = ({ mappings }: FoundIndex): boolean =>
  Object.entries<Field>(fields).every(([name, field]) => {
    const found = mappings?.properties?.[name];
    return found?.type === field.type && found.analyzer === field.analyzer;
  });

/** Makes the index where there is none; rejects where there is one that other programs made, or none can be made. */
export async function ensureIndexExists(client: Client, path: string): Promise<void> {
  const found = await client({ method: 'GET', path: `${path}/_mapping` });
  if (found.status === 404) {
    const made = await client({
      method: 'PUT',
      path,
      body: { mappings: { dynamic: 'strict', properties: fields } },
      isWriting: true,
    });
    // Another server was quicker.
    if (isFault(made) && made.errorType !== 'resource_already_exists_exception') throw faultOf(made);
    return;
  }
  if (isFault(found)) throw faultOf(found);
  // An alias answers with the index that it stands for.
  if (!Object.values(found.body as Record<string, FoundIndex>).every(hasOurFields))
    throw new SearchEngineError(
      'The search engine’s index has other fields than Lectern’s; delete it, or name another.',
    );
}
