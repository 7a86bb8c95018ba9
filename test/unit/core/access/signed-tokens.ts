/** Key pairs and signed tokens for the tests of access. */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { PublicKey } from '../../../../src/core/access/keys.ts';
import type { Caller } from '../../../../src/core/access/policy.ts';

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

export interface KeyPair {
  readonly alg: string;
  readonly secret: PrivateKey;
  readonly publicKey: PublicKey;
}

/** A new pair; the public key has the `kid` if one is given. */
export async function makePair(alg: string, kid?: string): Promise<KeyPair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return {
    alg,
    secret: privateKey,
    publicKey: { ...jwk, kty: String(jwk.kty), ...(kid === undefined ? {} : { kid }) },
  };
}

/** The time of all these tests, in seconds since 1970. */
export const nowSeconds = 1_800_000_000;

export const issuer = 'https://login.example/realms/library';

/** Claims that are valid at the time of the tests. */
export const goodClaims: JWTPayload = { iss: issuer, aud: 'lectern', sub: 'anna', exp: nowSeconds + 600 };

/** A token with these claims in addition to the valid ones; undefined claims are left out. */
export const sign = (
  pair: KeyPair,
  claims: Readonly<Record<string, unknown>> = {},
  header: { readonly alg?: string; readonly kid?: string } = {},
): Promise<string> => {
  const payload = Object.entries({ ...goodClaims, ...claims }).filter(([, value]) => value !== undefined);
  return new SignJWT(Object.fromEntries(payload)).setProtectedHeader({ alg: pair.alg, ...header }).sign(pair.secret);
};

export const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The result for a token: its roles, or the reason why it is not accepted. */
export const outcome = ({ roles, authenticated, tokenFault }: Caller): string =>
  tokenFault ?? (authenticated ? [...roles].sort().join(' ') : 'nobody');
