/** The settings of access: how callers come by roles, and which roles folders and images ask for (digilib.md, section 7). */
import { isIP } from 'node:net';
import { z } from 'zod';

/** Whether a text is an address or a CIDR range, of IPv4 or IPv6. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** Whether a text is the beginning of an address in whole parts, as digilib writes them: `130.92`, `2001:638`. */
const isAddressPrefix = (text: string): boolean =>
  /^(?:\d{1,3}\.){0,2}\d{1,3}\.?$/.test(text) || /^(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4}:?$/i.test(text);

const roles = z.array(z.string().min(1)).describe('names of roles');

const addressRule = z.strictObject({
  address: z
    .string()
    .refine(
      (text) => isAddressRange(text) || isAddressPrefix(text),
      'must be an address, a range such as 10.0.0.0/8, or the first parts of an address such as 130.92',
    )
    .describe('an address, a CIDR range, or the first parts of an address'),
  roles,
});

const algorithm = z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']);

const tokenRule = z
  .strictObject({
    issuer: z.string().min(1).describe('the `iss` of the tokens'),
    audience: z.string().min(1).describe('the `aud` of the tokens: the client id'),
    roles: roles.describe('roles that a valid token gives'),
    rolesClaim: z
      .string()
      .min(1)
      .optional()
      .describe('a claim of the token with more roles, as a list or as text with blanks'),
    keys: z
      .array(z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) }))
      .min(1)
      .optional()
      .describe('public keys, as JSON Web Keys'),
    jwksAddress: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('where the issuer publishes its keys, as a JSON Web Key Set'),
    algorithms: z.array(algorithm).min(1).default(['RS256']).describe('signatures that are accepted'),
  })
  .refine(({ keys, jwksAddress }) => (keys === undefined) !== (jwksAddress === undefined), {
    error: 'needs either keys or jwksAddress',
  });

/** Every setting of access. Without them, everything is open to everyone. */
export const accessSchema = z.strictObject({
  addresses: z.array(addressRule).default([]).describe('roles by the client’s address'),
  tokens: z.array(tokenRule).default([]).describe('roles by an OpenID Connect ID token'),
  tokenCookie: z
    .string()
    .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be a name of a cookie')
    .default('id_token')
    .describe('the cookie that holds the token, beside the parameter id_token'),
  rolesHeader: z
    .string()
    .regex(/^[\w-]+$/, 'must be a name of a header')
    .optional()
    .describe('a header in which a trusted proxy names the caller’s roles, separated by commas'),
  paths: z
    .array(z.strictObject({ path: z.string(), roles }))
    .default([])
    .describe('folders that, with all below, need one of the roles'),
  types: z
    .array(z.strictObject({ type: z.string().min(1), roles }))
    .default([])
    .describe('access types of metadata files that need one of the roles; `default` is for images that have no type'),
});

export type AccessSettings = z.infer<typeof accessSchema>;
