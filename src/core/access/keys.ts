/** The public keys that tokens are verified with: from the settings, or from an address of the issuer. */
import {
  type CryptoKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose';

export interface KeyAddressOptions {
  /** Called with a sentence about an address that fails, at most once a minute. */
  readonly onFault: (message: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly fetch: typeof fetch;
}

/** The keys of an issuer can’t be fetched now, so that its tokens can be neither accepted nor refused. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

const maxBytes = 1024 * 1024;

async function readBounded(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new KeysUnavailable('it answered more than 1 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function requireKeySet(text: string): string {
  try {
    createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
    return text;
  } catch {
    throw new KeysUnavailable('what it answered is no JSON Web Key Set');
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof KeysUnavailable) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time';
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return `it can’t be reached${code}`;
}

/** An address without the parts that may contain secrets. */
const loggable = (address: string): string => {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
};

/** After a failure, nothing is fetched for this time, so that not every request waits for it. */
const retryAfterMs = 10_000;
const reportEveryMs = 60_000;

/** Returns a `fetch` for jose that yields valid key sets only. Rejects with KeysUnavailable. */
export function createKeySetFetch(address: string, { onFault, now, fetch }: KeyAddressOptions): FetchImplementation {
  let failure: KeysUnavailable | undefined;
  let retryAtMs = 0;
  let reportAtMs = 0;

  function failed(error: unknown): KeysUnavailable {
    failure = new KeysUnavailable(reasonOf(error));
    retryAtMs = now() + retryAfterMs;
    if (now() >= reportAtMs) {
      reportAtMs = now() + reportEveryMs;
      onFault(
        `The keys at ${loggable(address)} can’t be read: ${failure.message}. Tokens of this issuer do not count.`,
      );
    }
    return failure;
  }

  return async (url, options) => {
    if (failure !== undefined && now() < retryAtMs) throw failure;
    try {
      const response = await fetch(url, options);
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new KeysUnavailable(`it answered ${response.status}`);
      }
      const keySet = requireKeySet(await readBounded(response.body));
      failure = undefined;
      return new Response(keySet);
    } catch (error) {
      throw failed(error);
    }
  };
}

/** A public key as JSON Web Key (RFC 7517). */
export interface PublicKey {
  readonly kty: string;
  readonly [member: string]: unknown;
}

/** Returns the keys that may have signed a token with this header. Rejects where there are none, or they are unavailable. */
export type KeySource = (header: JWSHeaderParameters) => Promise<readonly CryptoKey[]>;

async function ifMatching(key: Promise<CryptoKey>): Promise<readonly CryptoKey[]> {
  try {
    return [await key];
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return [];
    throw error;
  }
}

/** Keys from the settings. Where both key and token have a `kid`, these must be equal. */
export function configuredKeys(keys: readonly PublicKey[]): KeySource {
  const choices = keys.map(({ kid, ...key }) => ({ kid, choose: createLocalJWKSet({ keys: [key] }) }));
  return async ({ kid: tokenKid, ...header }) => {
    const possible = choices.filter(({ kid }) => kid === undefined || tokenKid === undefined || kid === tokenKid);
    const found = await Promise.all(possible.map(({ choose }) => ifMatching(choose(header))));
    return found.flat();
  };
}

const timeoutMs = 3000;

/** Keys from an address: cached for 10 minutes, and fetched again for an unknown `kid`, but at most every 30 s. */
export function publishedKeys(address: string, options: KeyAddressOptions): KeySource {
  const choose = createRemoteJWKSet(new URL(address), {
    timeoutDuration: timeoutMs,
    [customFetch]: createKeySetFetch(address, options),
  });
  return async (header) => {
    try {
      return [await choose(header)];
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      const several: CryptoKey[] = [];
      for await (const key of error) several.push(key);
      return several;
    }
  };
}
