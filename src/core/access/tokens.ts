/** Gives clients roles by OpenID Connect ID tokens of the issuers in the settings (digilib.md, section 7). */

import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { type ClaimRule, rolesOfClaims, wordsOfClaim } from './claims.ts';
import {
  configuredKeys,
  type KeyAddressOptions,
  type KeySource,
  KeysUnavailable,
  type PublicKey,
  publishedKeys,
} from './keys.ts';
import { faults, refused, type Verdict, type VerifyToken } from './verdict.ts';

const maxValid = 5000;
const maxRefused = 1000;
const validForMs = 5 * 60_000;
const refusedForMs = 10_000;

interface CachedVerdict {
  readonly verdict: Verdict;
  readonly untilMs: number;
}

/**
 * The same check with a cache. Valid tokens are cached by their hash until they expire, at most 5 minutes. Refused ones are
 * cached for 10 seconds and separately, so that many of them do not evict the valid. Simultaneous checks of a token share one.
 */
export function cacheVerdicts(check: VerifyToken, now: () => number): VerifyToken {
  const valid = new LRUCache<string, CachedVerdict>({ max: maxValid });
  const refused = new LRUCache<string, CachedVerdict>({ max: maxRefused });
  const pending = new Map<string, Promise<Verdict>>();

  const cachedVerdict = (key: string): Verdict | undefined =>
    [valid, refused].map((cache) => cache.get(key)).find((cached) => cached && cached.untilMs > now())?.verdict;

  function remember(key: string, verdict: Verdict): void {
    if (verdict.kind === 'valid') {
      valid.set(key, { verdict, untilMs: Math.min(verdict.expiresMs, now() + validForMs) });
    }
    if (verdict.kind === 'refused') refused.set(key, { verdict, untilMs: now() + refusedForMs });
  }

  async function verify(key: string, token: string): Promise<Verdict> {
    try {
      const verdict = await check(token);
      remember(key, verdict);
      return verdict;
    } finally {
      pending.delete(key);
    }
  }

  return async (token) => {
    const key = createHash('sha256').update(token).digest('base64');
    const shared = cachedVerdict(key) ?? pending.get(key);
    if (shared !== undefined) return shared;
    const verdict = verify(key, token);
    pending.set(key, verdict);
    return verdict;
  };
}

/** An issuer’s tokens for one client, and the roles that they give. It has either `keys` or `jwksAddress`. */
export interface TokenRule {
  readonly issuer: string;
  readonly audience: string;
  readonly roles: readonly string[];
  /** A claim with more roles: its name, or the path to a nested claim, such as `realm_access.roles`. */
  readonly rolesClaim?: string | undefined;
  readonly keys?: readonly PublicKey[] | undefined;
  readonly jwksAddress?: string | undefined;
  readonly algorithms: readonly string[];
}

type CheckOptions = KeyAddressOptions & {
  /** Rules that give more roles by claims. */
  readonly claims?: readonly ClaimRule[];
};

interface Check {
  readonly rule: TokenRule;
  readonly keys: KeySource;
}

const maxLength = 16 * 1024;
const toleranceSeconds = 30;

/** Whether another key could still verify the token: faults of its claims are found only after its signature is verified. */
const isAboutKey = (error: unknown): boolean =>
  !(error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed);

/** The claims of a token that is valid by a rule. Rejects with an error for `faultOf`. */
async function verifyBy({ rule, keys }: Check, token: string, now: () => number): Promise<JWTPayload> {
  const header = decodeProtectedHeader(token);
  if (!rule.algorithms.includes(header.alg ?? 'none')) throw new errors.JOSEAlgNotAllowed();
  const options: JWTVerifyOptions = {
    issuer: rule.issuer,
    audience: rule.audience,
    algorithms: [...rule.algorithms],
    requiredClaims: ['exp'],
    clockTolerance: toleranceSeconds,
  };
  let failure: unknown = new errors.JWKSNoMatchingKey();
  for (const key of await keys(header)) {
    try {
      return (await jwtVerify(token, key, { ...options, currentDate: new Date(now()) })).payload;
    } catch (error) {
      if (!isAboutKey(error)) throw error;
      failure = error;
    }
  }
  throw failure;
}

async function verdictBy(check: Check, token: string, { now, claims = [] }: CheckOptions): Promise<Verdict> {
  try {
    const payload = await verifyBy(check, token, now);
    const { roles: own, rolesClaim } = check.rule;
    const roles = [...own, ...wordsOfClaim(payload, rolesClaim), ...rolesOfClaims(claims, payload)];
    return { kind: 'valid', roles, expiresMs: (payload.exp ?? 0) * 1000 };
  } catch (error) {
    return { kind: error instanceof KeysUnavailable ? 'unavailable' : 'refused', fault: faultOf(error) };
  }
}

/** The roles of all rules that accept the token; where none does, `unavailable` has precedence over `refused`. */
function joinVerdicts(verdicts: readonly Verdict[]): Verdict {
  const valid = verdicts.filter((verdict) => verdict.kind === 'valid');
  const [first] = valid;
  if (first !== undefined) return { ...first, roles: valid.flatMap(({ roles }) => roles) };
  return verdicts.find(({ kind }) => kind === 'unavailable') ?? verdicts[0] ?? refused(faults.issuer);
}

/** The claims of a token before it is verified. They select the rules, so that no token makes the server fetch other keys. */
function unverifiedClaims(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

function keysOf({ issuer, keys, jwksAddress }: TokenRule, options: KeyAddressOptions): KeySource {
  if (keys !== undefined) return configuredKeys(keys);
  if (jwksAddress !== undefined) return publishedKeys(jwksAddress, options);
  throw new TypeError(`The tokens of ${issuer} have neither keys nor an address of keys.`);
}

/** Returns a function that verifies tokens by these rules. */
function createCheck(rules: readonly TokenRule[], options: CheckOptions): VerifyToken {
  const checks: readonly Check[] = rules.map((rule) => ({ rule, keys: keysOf(rule, options) }));
  return async (token) => {
    if (token.length > maxLength) return refused(faults.long);
    const claims = unverifiedClaims(token);
    if (claims === undefined) return refused(faults.malformed);
    const ofIssuer = checks.filter(({ rule }) => rule.issuer === claims.iss);
    if (ofIssuer.length === 0) return refused(faults.issuer);
    const ofAudience = ofIssuer.filter(({ rule }) => [claims.aud].flat().includes(rule.audience));
    if (ofAudience.length === 0) return refused(faults.audience);
    return joinVerdicts(await Promise.all(ofAudience.map((check) => verdictBy(check, token, options))));
  };
}

/** `onFault` is called with a sentence, which contains nothing of a token, about a fault that the operator should mend. */
export type TokenOptions = Pick<CheckOptions, 'onFault'> & Partial<CheckOptions>;

/** Verifies tokens by these rules, and caches the verdicts. Throws TypeError for a rule without keys. */
export function createTokenVerifier(rules: readonly TokenRule[], options: TokenOptions): VerifyToken {
  const { now = () => Date.now(), fetch = globalThis.fetch } = options;
  return cacheVerdicts(createCheck(rules, { ...options, now, fetch }), now);
}

const ofClaims: Readonly<Record<string, string>> = {
  iss: faults.issuer,
  aud: faults.audience,
  nbf: faults.early,
};

const ofErrors = [
  [KeysUnavailable, faults.unavailable],
  [errors.JWTExpired, faults.expired],
  [errors.JOSEAlgNotAllowed, faults.algorithm],
  [errors.JOSENotSupported, faults.algorithm],
  [errors.JWKSNoMatchingKey, faults.key],
  [errors.JWSSignatureVerificationFailed, faults.signature],
  [errors.JWSInvalid, faults.malformed],
  [errors.JWTInvalid, faults.malformed],
] as const;

/** The sentence for an error of the verification. */
export function faultOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'exp') return error.reason === 'missing' ? faults.endless : faults.other;
    return ofClaims[error.claim] ?? faults.other;
  }
  return ofErrors.find(([kind]) => error instanceof kind)?.[1] ?? faults.other;
}
