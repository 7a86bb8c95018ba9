/** Requests addresses from outside, as a browser or viewer does, and explains failures. */

import { mediaTypeOf, readBounded, reasonOf } from '@lectern/switch/answer';
import { type JsonObject, parseJsonObject } from '../../core/text/parse.ts';

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
