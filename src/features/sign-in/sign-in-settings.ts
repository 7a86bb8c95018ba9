/** Settings of the sign-in: the provider of OpenID Connect, users with passwords, and sessions. */
import { z } from 'zod';
import { path } from '../../config/groups/path-setting.ts';
import type { SettingsWith } from '../../core/feature.ts';
import { isLoopback } from '../../core/http/origin.ts';
import { isPasswordHash } from './passwords.ts';

/** Plain HTTP would show the tokens to the network. */
const isSafeIssuer = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && (hostname === 'localhost' || isLoopback(hostname)));
};

const roles = z.array(z.string().min(1));

const provider = z.strictObject({
  issuer: z
    .string()
    .refine(isSafeIssuer, 'must be an address that begins with https:// (http:// on this machine alone)')
    .describe('the address of the provider, as its configuration names it in `issuer`'),
  clientId: z.string().min(1).describe('the name of this server at the provider'),
  clientSecretFile: path
    .optional()
    .describe(
      'a file with the secret of this server at the provider, read for each sign-in; without it the client is public',
    ),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be names of scopes'))
    .default(['openid', 'profile'])
    .describe('what the provider is asked for; `offline_access` where it gives refresh tokens for that alone'),
  roles: roles.default([]).describe('roles of everyone who signs in'),
  rolesClaim: z
    .string()
    .min(1)
    .optional()
    .describe('a claim with more roles, as a list or as text with blanks; `access.claims` has rules for others'),
  label: z.string().trim().min(1).max(60).optional().describe('how the sign-in page names the provider'),
});

const user = z.strictObject({
  name: z.string().regex(/^[^:\p{Cc}]{1,100}$/u, 'must have no colon and no control character'),
  password: z
    .string()
    .refine(isPasswordHash, 'must be what `lectern password` prints')
    .describe('the hash of the password, as `lectern password` prints it'),
  roles,
});

export const signInSettings = {
  signIn: z
    .strictObject({
      provider: provider.optional().describe('the provider of OpenID Connect at which people sign in'),
      users: z.array(user).default([]).describe('users with passwords: people, and machines that send HTTP Basic'),
      usersFile: path
        .optional()
        .describe('a file tomcat-users.xml with the users of a digilib, read again when it changes'),
      keysFile: path.describe(
        'a file with the keys of sessions, a line each, as `lectern password --session-key` prints them: the first one seals, all of them open',
      ),
      maxHours: z.number().positive().max(720).default(10).describe('hours after which people sign in again'),
      refreshMinutes: z
        .number()
        .positive()
        .max(1440)
        .default(5)
        .describe(
          'minutes after which the provider is asked whether a session still holds, where it gives refresh tokens',
        ),
      crossSite: z
        .boolean()
        .default(false)
        .describe(
          'whether browsers send sessions with images on pages of other sites too (SameSite=None), as IIIF viewers there need it; HTTPS only',
        ),
    })
    .refine(
      ({ provider, users, usersFile }) => provider !== undefined || users.length > 0 || usersFile !== undefined,
      'needs a provider, users or usersFile',
    )
    .optional()
    .describe('how people sign in; by default nobody does'),
};

export type SignInSettings = SettingsWith<typeof signInSettings>;
export type SignIn = NonNullable<SignInSettings['signIn']>;
