/** Where the public keys come from that tokens are verified with: the settings, or an address of the issuer’s. */
import {
  type CryptoKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWSHeaderParameters,
} from 'jose';
import { type KeyAddressOptions, watchedFetch } from './key-address.ts';

/** A public key as JSON Web Key (RFC 7517). */
export interface PublicKey {
  readonly kty: string;
  readonly [member: string]: unknown;
}

/** The keys that may have signed a token with this header. Rejects where there is none, or where they can’t be read. */
export type KeySource = (header: JWSHeaderParameters) => Promise<readonly CryptoKey[]>;

/** The result, or nothing where no key of a set suits the header. */
async function ifSuitable(key: Promise<CryptoKey>): Promise<readonly CryptoKey[]> {
  try {
    return [await key];
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return [];
    throw error;
  }
}

/** Keys from the settings. A `kid` chooses among them where both key and token have one. */
export function configuredKeys(keys: readonly PublicKey[]): KeySource {
  const choices = keys.map(({ kid, ...key }) => ({ kid, choose: createLocalJWKSet({ keys: [key] }) }));
  return async ({ kid: wanted, ...header }) => {
    const meant = choices.filter(({ kid }) => kid === undefined || wanted === undefined || kid === wanted);
    const found = await Promise.all(meant.map(({ choose }) => ifSuitable(choose(header))));
    return found.flat();
  };
}

const timeoutMs = 3000;

/** Keys that an issuer publishes at an address: kept for 10 minutes, asked for anew for an unknown `kid`, but not twice in 30 s. */
export function publishedKeys(address: string, options: KeyAddressOptions): KeySource {
  const choose = createRemoteJWKSet(new URL(address), {
    timeoutDuration: timeoutMs,
    [customFetch]: watchedFetch(address, options),
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
