/** Why a token is not accepted, in sentences that contain nothing of the token. */
import { errors } from 'jose';
import { KeysUnavailable } from './key-address.ts';

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
