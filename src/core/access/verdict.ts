/** What is found out about a token, and why one is not accepted: in sentences that contain nothing of it. */

/** The result of verifying a token. */
export type Verdict =
  | { readonly kind: 'valid'; readonly roles: readonly string[]; readonly expiresMs: number }
  | { readonly kind: 'refused'; readonly fault: string }
  /** It could not be verified. */
  | { readonly kind: 'unavailable'; readonly fault: string };

/** Verifies a token. Never rejects; waits at most a few seconds for the keys of an issuer. */
export type VerifyToken = (token: string) => Promise<Verdict>;

export const refused = (fault: string): Verdict => ({ kind: 'refused', fault });

export const faults = {
  long: 'The token is longer than 16 KiB.',
  malformed: 'The token is no signed JSON Web Token.',
  issuer: 'The token comes from an issuer that is not trusted here.',
  audience: 'The token is meant for another client.',
  algorithm: 'The token is signed in a way that is not accepted here.',
  key: 'The token is signed with a key that its issuer is not known to have.',
  signature: 'The signature of the token is wrong.',
  expired: 'The token has expired.',
  early: 'The token is not valid yet.',
  endless: 'The token does not say when it expires (exp).',
  unavailable: 'The token can’t be checked, since the keys of its issuer can’t be read at the moment.',
  other: 'The token can’t be verified.',
} as const;
