/** What is found out about a token. */

/** The result of verifying a token. */
export type Verdict =
  | { readonly kind: 'valid'; readonly roles: readonly string[]; readonly expiresMs: number }
  | { readonly kind: 'refused'; readonly fault: string }
  /** It could not be verified. */
  | { readonly kind: 'unavailable'; readonly fault: string };

/** Verifies a token. Never rejects; waits at most a few seconds for the keys of an issuer. */
export type VerifyToken = (token: string) => Promise<Verdict>;

export const refused = (fault: string): Verdict => ({ kind: 'refused', fault });
