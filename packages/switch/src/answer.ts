/** Requests one address from one server, with a bound on time and bytes. */

/** The result of a request; the reason of a failure is for people. */
export type Outcome = Answer | { readonly kind: 'failure'; readonly reason: string };

export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  /** The media type in lower case without its parameters; empty where the answer names none. */
  readonly type: string;
  /** The Location header; empty if there is none. */
  readonly location: string;
  readonly body: Buffer;
  /** Whether the body is longer than `maxBytes`, and only its beginning was read. */
  readonly isCut: boolean;
  /** From the request to the last byte. */
  readonly timeMs: number;
}

export interface FetchOptions {
  readonly timeoutMs: number;
  /** Aborts the request. */
  readonly signal: AbortSignal;
  readonly maxBytes?: number;
}

const maxBodyBytes = 200 * 1024 * 1024;

/** The body of a response, or of a longer one the chunks before the bound. */
export async function readBounded({ body }: Response, maxBytes: number): Promise<Pick<Answer, 'body' | 'isCut'>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early cancels the rest of the body.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) return { body: Buffer.concat(chunks), isCut: true };
    chunks.push(chunk);
  }
  return { body: Buffer.concat(chunks), isCut: false };
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name can’t be looked up now',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  EHOSTUNREACH: 'the host can’t be reached',
  ENETUNREACH: 'the network can’t be reached',
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; NODE_EXTRA_CA_CERTS names a file to trust',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted; NODE_EXTRA_CA_CERTS names a file to trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted; NODE_EXTRA_CA_CERTS names a file to trust',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** Why a fetch failed, for people. */
export function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'the request failed';
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return reasons[code] ?? (cause instanceof Error && cause.message !== '' ? cause.message : error.message);
}

/** The media type of a header's value, in lower case. */
export const mediaTypeOf = (header: string | null): string =>
  (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** Requests an address; redirects are not followed. */
export async function fetchAnswer(
  method: 'GET' | 'HEAD',
  url: string,
  { timeoutMs, signal, maxBytes = maxBodyBytes }: FetchOptions,
): Promise<Outcome> {
  const begin = performance.now();
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { 'user-agent': 'lectern-compare' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const read = await readBounded(response, maxBytes);
    return {
      kind: 'answer',
      status: response.status,
      type: mediaTypeOf(response.headers.get('content-type')),
      location: response.headers.get('location') ?? '',
      ...read,
      timeMs: performance.now() - begin,
    };
  } catch (error) {
    return { kind: 'failure', reason: reasonOf(error, timeoutMs) };
  }
}
