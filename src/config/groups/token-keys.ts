/** Checks the public keys of the settings: complete, strong enough, and usable with the accepted signatures. */
import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** The signatures that can be accepted, by the kind of key that makes them (RFC 7518, section 3.1; RFC 8037; RFC 9864). */
const algorithmsByKind = {
  RSA: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  'P-521': ['ES512'],
  Ed25519: ['EdDSA', 'Ed25519'],
} as const;

type Kind = keyof typeof algorithmsByKind;
export type Algorithm = (typeof algorithmsByKind)[Kind][number];

/** Every signature that can be accepted; none with a shared secret is among them. */
export const algorithms: readonly Algorithm[] = Object.values(algorithmsByKind).flat();

/** A JSON Web Key as it stands in the settings. */
export interface Key {
  readonly kty: 'RSA' | 'EC' | 'OKP';
  readonly [member: string]: unknown;
}

/** The minimum for RSA signatures (RFC 7518, section 3.3). */
const minRsaBits = 2048;

function parseKey(key: Key): KeyObject | undefined {
  try {
    return createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function signaturesOf({ kty, crv }: Key): readonly Algorithm[] {
  const kind = kty === 'RSA' ? kty : String(crv);
  return Object.hasOwn(algorithmsByKind, kind) ? algorithmsByKind[kind as Kind] : [];
}

function problemOfAlgorithm(key: Key, accepted: readonly Algorithm[]): string | undefined {
  const possible = signaturesOf(key);
  if (possible.length === 0) return 'is of a curve that is not known here; known are P-256, P-384, P-521 and Ed25519';
  const { alg } = key;
  const meant = alg === undefined ? possible : possible.filter((algorithm) => algorithm === alg);
  if (meant.length === 0) return `has an alg that is not its own; it can be ${possible.join(', ')}`;
  if (meant.some((algorithm) => accepted.includes(algorithm))) return undefined;
  return `is of no use, since algorithms lists none of ${meant.join(', ')}`;
}

/** Why a key can't verify tokens, as a sentence without its subject; undefined if it can. */
export function problemOfKey(key: Key, accepted: readonly Algorithm[]): string | undefined {
  if (key['d'] !== undefined) return 'is a private key; only its public members belong here';
  if (key['use'] !== undefined && key['use'] !== 'sig')
    return 'is not for signatures; its use must be sig, or left out';
  const parsed = parseKey(key);
  if (parsed === undefined) return 'is no complete public key in the form of a JSON Web Key';
  const bits = parsed.asymmetricKeyDetails?.modulusLength ?? minRsaBits;
  if (bits < minRsaBits) return `has ${bits} bits; RSA keys need ${minRsaBits}`;
  return problemOfAlgorithm(key, accepted);
}
