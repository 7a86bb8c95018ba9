/** Settings of purging: which proxies and CDNs are told what has changed, and how. */
import { METHODS } from 'node:http';
import { z } from 'zod';
import { path } from '../../config/groups/path-setting.ts';
import type { SettingsWith } from '../../core/feature.ts';

/** An address in which `{url}` and `{key}` stand for what is purged. */
function isAddress(text: string): boolean {
  const url = URL.parse(text.replaceAll('{url}', '/url').replaceAll('{key}', 'key'));
  return /^https?:$/.test(url?.protocol ?? '') && url?.username === '' && url.password === '' && url.hash === '';
}

const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,80}$/, 'must be the name of a header');
const headerValue = z
  .string()
  .max(2000)
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII');

const target = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,40}$/, 'must have letters, digits, dots and hyphens')
    .describe('its name in logs and metrics'),
  template: z
    .enum(['fastly', 'varnish', 'nginx', 'cloudflare'])
    .optional()
    .describe('how requests look where the settings below do not say it'),
  address: z
    .string()
    .refine(isAddress, 'must be an address that begins with http:// or https://, without a name or a password')
    .describe('where requests are sent; {url} and {key} in it are replaced'),
  method: z
    .enum(METHODS as [string, ...string[]])
    .optional()
    .describe('the method of requests; POST by default'),
  headers: z
    .record(headerName, headerValue)
    .optional()
    .describe('headers of requests, instead of those of the template with the same names'),
  body: z.string().max(10_000).optional().describe('the body of requests'),
  separator: z.string().max(10).optional().describe('what is between the keys of {keys}; a space by default'),
  keysAtOnce: z.int().min(1).max(1000).optional().describe('keys of one request at most; 100 by default'),
  secretFile: path
    .optional()
    .describe('a file with what {secret} stands for, such as a token; it is read again for each request'),
});

export const purgeSettings = {
  purge: z
    .strictObject({
      targets: z
        .array(target)
        .max(20)
        .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'must not have the same name twice')
        .default([])
        .describe(
          'proxies and CDNs that are asked to forget what they keep of an image or a folder that has changed; by default none',
        ),
      watch: z
        .boolean()
        .default(true)
        .describe('walk through the library every changes.refreshMinutes to notice changes, where there are targets'),
      maxWaiting: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(10_000)
        .describe('paths that wait to be purged, for each target; where there are more, everything is purged'),
    })
    .prefault({})
    .describe('telling proxies and CDNs what has changed'),
};

export type PurgeSettings = SettingsWith<typeof purgeSettings>;
export type PurgeTarget = PurgeSettings['purge']['targets'][number];
