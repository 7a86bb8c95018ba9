/** Why a token is not accepted, in sentences that contain nothing of the token. */

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
