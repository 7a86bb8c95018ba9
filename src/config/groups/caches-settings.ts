/** Settings of what servers store and can make again, pictures, derived pyramids and indexes, and of the Redis that they share. */
import { z } from 'zod';
import { optionalDirectory, path } from './path-setting.ts';

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;

const bucketAddress = z
  .string()
  .regex(
    /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[^/\0\\]+)*\/?$/,
    'must be an address of a bucket, such as s3://bucket/prefix',
  );

const bytes = (least: number, usual: number) => z.int().min(least).default(usual);

export const cacheSettings = z.strictObject({
  memoryBytes: bytes(0, 64 * mebibyte).describe('bytes of pictures in memory'),
  directory: optionalDirectory.describe(
    'pictures are stored on disk in lectern-derivatives in this folder; by default in lectern in the user’s cache directory, where that can be written; false stores none on disk',
  ),
  maxBytes: bytes(1, 4 * gibibyte).describe('bytes of pictures on disk'),
  shared: z
    .union([bucketAddress, path], { error: 'must be an address of a bucket, such as s3://bucket/prefix, or a folder' })
    .optional()
    .describe(
      'a bucket, a part of one, or a folder that several servers have, in which they share their pictures; it is read before a picture is made, and written behind. What a bucket holds is deleted by a rule of the bucket',
    ),
  sharedMaxBytes: bytes(1, 100 * gibibyte).describe(
    'bytes of pictures in a folder of cache.shared; each server deletes those unused for the longest time',
  ),
});

export const pyramidSettings = z.strictObject({
  directory: path
    .optional()
    .describe('where they are stored; by default lectern/pyramids in $XDG_CACHE_HOME, or in .cache of the home folder'),
  shared: bucketAddress
    .optional()
    .describe(
      'a bucket, or a part of it, in which all of them lie instead, for several servers; the folder then has temporary files only. What the bucket holds is deleted by a rule of the bucket',
    ),
  maxBytes: bytes(0, 20 * gibibyte).describe(
    'bytes that all of them together may take; those unused for the longest time are deleted first. 0 for none at all. With a bucket, the bytes of temporary files for one of them',
  ),
  quality: z.int().min(50).max(95).default(85).describe('JPEG quality of their tiles'),
  automatic: z
    .boolean()
    .default(true)
    .describe('make one in the background after the first tiles of an image; without, only lectern pyramid does'),
});

export const indexSettings = z.strictObject({
  directory: optionalDirectory.describe(
    'a folder on a disk of this machine, which servers may share; by default lectern/index in the user’s cache directory, where that can be written; false stores nothing on disk',
  ),
  maxBytes: bytes(1, gibibyte).describe('bytes of the index on disk'),
  memoryBytes: bytes(mebibyte, 64 * mebibyte).describe(
    'bytes of the index in memory; an image takes about 900, the name of one about 60',
  ),
});

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
