/** The public keys that tokens are verified with: from the settings, or from an address of the issuer. */
import {
  type CryptoKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWSHeaderParameters,
} from 'jose';
import { createKeySetFetch, type KeyAddressOptions } from './key-address.ts';

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
