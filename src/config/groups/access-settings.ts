/** Settings of access: how callers get roles, and which roles folders and images require (digilib.md, section 7). */

import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import { endOfUntil } from '../../core/image/model/until.ts';
import { problemsOfTiers, tier, tierName } from './tier-settings.ts';

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

/** Whether a text is an address or a CIDR range, of IPv4 or IPv6. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

const isByte = (text: string): boolean => /^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 255;

/** Whether a text is the first parts of an IPv4 address, as digilib writes them: `130.92`. */
function isIPv4Prefix(text: string): boolean {
  const parts = text.replace(/\.$/, '').split('.');
  return parts.length <= 3 && parts.every(isByte);
}

/** Whether a text is the first groups of an IPv6 address. A single group needs its colon: `1300` is more likely a typo. */
const isIPv6Prefix = (text: string): boolean =>
  /^[0-9a-f]{1,4}:(?:[0-9a-f]{1,4}:){0,5}(?:[0-9a-f]{1,4})?:?$/i.test(text);

/** Whether a text is an address, a CIDR range, or the first parts of an address. */
export const isAddressPattern = (text: string): boolean =>
  isAddressRange(text) || isIPv4Prefix(text) || isIPv6Prefix(text);

const quote = (text: unknown): string => JSON.stringify(text);

const roles = z
  .array(
    z.string().refine((role) => role !== '' && role.trim() === role, {
      error: ({ input }) => `the role ${quote(input)} must be a name without blanks around it`,
    }),
  )
  .describe('names of roles');

/** What a rule gives beside the whole, and how long it holds. */
const lesser = {
  tiers: z
    .array(z.strictObject({ tier: tierName, roles }))
    .optional()
    .describe('tiers for further roles'),
  everyone: tierName.optional().describe('the tier for everyone, even without any role'),
  until: z
    .string()
    .refine((text) => endOfUntil(text) !== undefined, {
      error: ({ input }) => `${quote(input)} must be a year, a month or a day, such as 2061, 2061-07 or 2061-07-31`,
    })
    .optional()
    .describe('the year, month or day through which the rule holds, by UTC, as for an embargo; always by default'),
};

const addressRule = z.strictObject({
  address: z
    .string()
    .refine(isAddressPattern, {
      error: ({ input }) =>
        `${quote(input)} must be an address, a range such as 10.0.0.0/8, or the first parts of an address such as 130.92`,
    })
    .describe('an address, a CIDR range, or the first whole parts of an address'),
  roles,
});

const algorithm = z.enum(algorithms as [Algorithm, ...Algorithm[]], {
  error: ({ input }) => `${quote(input)} is no signature that can be accepted; these can: ${algorithms.join(', ')}`,
});

const key = z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP'], 'must be a key of kty RSA, EC or OKP') });

interface Keys {
  readonly issuer: string;
  readonly keys?: readonly Key[] | undefined;
  readonly jwksAddress?: string | undefined;
  readonly algorithms: readonly Algorithm[];
}

/** What is wrong with the keys of an issuer, in one sentence for each fault. */
function problemsOfKeys({ issuer, keys, jwksAddress, algorithms: accepted }: Keys): readonly string[] {
  if ((keys === undefined) === (jwksAddress === undefined)) return [`${issuer} needs either keys or jwksAddress`];
  return (keys ?? []).flatMap((one, index) => {
    const problem = problemOfKey(one, accepted);
    return problem === undefined ? [] : [`key ${index + 1} of ${issuer} ${problem}`];
  });
}

const tokenRule = z
  .strictObject({
    issuer: z.string().min(1).describe('the `iss` of the tokens'),
    audience: z.string().min(1).describe('the `aud` of the tokens: the client id'),
    roles: roles.describe('roles that a valid token gives'),
    rolesClaim: z
      .string()
      .min(1)
      .optional()
      .describe(
        'a claim of the token with more roles, as a list or as text with blanks; `a.b` is the claim b inside of a',
      ),
    keys: z.array(key).min(1).optional().describe('public keys, as JSON Web Keys'),
    jwksAddress: z
      .url({
        protocol: /^https?$/,
        error: ({ input }) => `${quote(input)} must be an address that begins with https:// or http://`,
      })
      .optional()
      .describe('where the issuer publishes its keys, as a JSON Web Key Set'),
    algorithms: z.array(algorithm).min(1).default(['RS256']).describe('signatures that are accepted'),
  })
  .check(({ value, issues }) => {
    for (const message of problemsOfKeys(value)) issues.push({ code: 'custom', message, input: value.issuer });
  });

/** Whether a path can name a folder of the library; what begins with a dot is never served. */
const canNameFolder = (path: string): boolean =>
  !/[\0\\\uFFFD]/.test(path) && path.split('/').every((name) => name === '.' || !name.startsWith('.'));

const pathRule = z.strictObject({
  path: z
    .string()
    .refine((text) => text.trim() === text, {
      error: ({ input }) => `the path ${quote(input)} has blanks around it, so it would guard nothing`,
    })
    .refine(canNameFolder, {
      error: ({ input }) =>
        `the path ${quote(input)} can name no folder: it needs slashes, UTF-8, and names that begin with no dot`,
    })
    .describe('a folder, from the library’s root; empty for the whole library'),
  roles,
  ...lesser,
});

const claimRule = z.strictObject({
  claim: z.string().min(1).describe('the name of a claim, such as groups; `a.b` is the claim b inside of a'),
  value: z
    .string()
    .min(1)
    .optional()
    .describe(
      'its value, or one of its values; a star at the beginning or end stands for any text, as in *@library.example. By default any value',
    ),
  roles,
});

/** Every setting of access. Without them, everything is open to everyone. */
export const accessSettings = z
  .strictObject({
    tiers: z
      .array(tier)
      .default([])
      .describe(
        'images made smaller for some callers, the best tier first: of several that a caller has, the first counts',
      ),
    addresses: z.array(addressRule).default([]).describe('roles by the client’s address'),
    tokens: z.array(tokenRule).default([]).describe('roles by an OpenID Connect ID token'),
    claims: z
      .array(claimRule)
      .default([])
      .describe('roles by what an issuer says of a person, in its ID tokens and at the sign-in'),
    tokenCookie: z
      .string()
      .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'tokenCookie must be a name of a cookie, such as id_token')
      .default('id_token')
      .describe('the cookie that holds the token, beside the parameter id_token'),
    rolesHeader: z
      .string()
      .regex(/^[\w-]+$/, 'rolesHeader must be a name of a header, such as X-Lectern-Roles')
      .optional()
      .describe('a header in which a trusted proxy names the caller’s roles, separated by commas'),
    allowedOrigins: z
      .array(
        z.url().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
          error: ({ input }) => `${quote(input)} must be an origin such as https://viewer.example, without a path`,
        }),
      )
      .default([])
      .describe(
        'origins whose pages may read what a client’s address alone opens; pages of others read what is open to all',
      ),
    paths: z.array(pathRule).default([]).describe('folders that, with all below, need one of the roles'),
    types: z
      .array(z.strictObject({ type: z.string().min(1), roles, ...lesser }))
      .default([])
      .describe(
        'access types of metadata files that need one of the roles; `default` is for all that are not listed, and for images that have none',
      ),
  })
  .check(({ value, issues }) => {
    for (const message of problemsOfTiers(value)) issues.push({ code: 'custom', message, input: value.tiers });
  });
