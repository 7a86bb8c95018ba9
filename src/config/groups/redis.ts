/** Settings of the Redis that servers share. */
import { z } from 'zod';
import { path } from './path.ts';

const hasNoPassword = (address: string): boolean => URL.canParse(address) && new URL(address).password === '';

export const redisSettings = z.strictObject({
  address: z
    .url({ protocol: /^rediss?$/, error: 'must be an address that begins with redis:// or rediss://' })
    .refine(hasNoPassword, 'must not contain the password; name a file that holds it by redis.passwordFile')
    .describe('the address, such as redis://redis.example:6379/0; rediss:// encrypts, and a user stands before the @'),
  passwordFile: path.optional().describe('a file with the password, which is read again for each connection'),
  prefix: z
    .string()
    .regex(/^[\w{}.-]{1,100}$/, 'must have letters, digits, and { } _ . - only')
    .default('lectern')
    .describe('what the names of all keys begin with'),
  builds: z
    .boolean()
    .default(true)
    .describe(
      'whether a server builds pyramids of the queue; without, lectern worker does, and the server only while Redis is lost',
    ),
  takeoverSeconds: z
    .int()
    .min(1)
    .max(3600)
    .default(30)
    .describe('seconds after which a build of a process that died is begun again by another one'),
});
