/** Requests addresses from outside, as a browser or viewer does, and explains failures. */
import { mediaTypeOf, reasonOf } from '../compare/fetch-answer.ts';

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

export interface ProbeOptions {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests an address; redirects are not followed. Rejects with NoAnswer. */
export type Probe = (url: string, options?: ProbeOptions) => Promise<Reply>;

/** Maximum number of bytes that are read of an answer. */
const maxBytes = 20 * 1024 * 1024;

async function readBody(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

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
      const body = await readBody(response);
      const type = mediaTypeOf(response.headers.get('content-type'));
      return { url, status: response.status, headers: response.headers, type, body };
    } catch (error) {
      throw new NoAnswer(reasonOf(error, timeoutMs));
    }
  };

/** The members of a JSON object; undefined where the body is something else. */
export function jsonObject({ body }: Reply): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
