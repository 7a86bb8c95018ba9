/** Which fault of a token an error of its verification is. */
import { errors } from 'jose';
import { KeysUnavailable } from './key-address.ts';
import { faults } from './token-faults.ts';

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
