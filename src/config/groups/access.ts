/** Settings of access: how callers get roles, and which roles folders and images require (digilib.md, section 7). */
import { z } from 'zod';
import { isAddressPattern } from './address-forms.ts';
import { type Algorithm, algorithms, type Key, problemOfKey } from './token-keys.ts';

const quote = (text: unknown): string => JSON.stringify(text);

const roles = z
  .array(
    z.string().refine((role) => role !== '' && role.trim() === role, {
      error: ({ input }) => `the role ${quote(input)} must be a name without blanks around it`,
    }),
  )
  .describe('names of roles');

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
});

/** Every setting of access. Without them, everything is open to everyone. */
export const accessSettings = z.strictObject({
  addresses: z.array(addressRule).default([]).describe('roles by the client’s address'),
  tokens: z.array(tokenRule).default([]).describe('roles by an OpenID Connect ID token'),
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
    .array(z.strictObject({ type: z.string().min(1), roles }))
    .default([])
    .describe(
      'access types of metadata files that need one of the roles; `default` is for all that are not listed, and for images that have none',
    ),
});
