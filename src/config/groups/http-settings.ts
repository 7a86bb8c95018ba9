/** Settings of the HTTP server: where it listens, and the addresses that its answers name. */
import { z } from 'zod';
import { isAddressRange } from './access-settings.ts';
import { path } from './path-setting.ts';

const port = z.int('must be a whole number').min(0, 'must be 0 to 65535').max(65_535, 'must be 0 to 65535');

const contextPath = z
  .string()
  .transform((text) => text.replace(/\/+$/, ''))
  .refine((text) => text === '' || /^(?:\/[A-Za-z0-9._~-]+)+$/.test(text), 'must look like /digilib');

const publicAddress = z
  .string()
  .regex(
    /^https?:\/\/[^\s/?#]+(?:\/[^\s?#]*)?$/,
    'must look like https://library.example or https://library.example/images',
  )
  .transform((text) => text.replace(/\/+$/, ''));

export const httpSettings = z.strictObject({
  port: port.default(8080).describe('TCP port; 0 takes any free one'),
  host: z.string().min(1).default('127.0.0.1').describe('address to listen on; 0.0.0.0 for all'),
  contextPath: contextPath.default('').describe('path below which everything is served, such as /digilib'),
  trustedProxies: z
    .array(z.string().refine(isAddressRange, 'must be addresses or ranges such as 10.0.0.0/8'))
    .default([])
    .describe(
      'addresses of proxies whose headers count: Forwarded, X-Forwarded-Proto, -Host, -Prefix and -For, and access.rolesHeader',
    ),
  metricsFrom: z
    .array(z.string().refine(isAddressRange, 'must be addresses or ranges such as 10.0.0.0/8'))
    .default(['127.0.0.0/8', '::1'])
    .describe(
      'addresses that may see /metrics, for Prometheus; by default this machine alone. None switches it off; 0.0.0.0/0 and ::/0 are everyone',
    ),
  publicAddress: publicAddress
    .optional()
    .describe('what precedes the server’s paths in answers; by default as the request or a trusted proxy says'),
  maxConnections: z
    .int()
    .min(1)
    .default(4096)
    .describe('open connections; beyond, the one that has been idle for the longest time is closed'),
  drainMs: z
    .int()
    .min(0)
    .max(3_600_000)
    .default(8000)
    .describe('milliseconds that running answers get to be finished in when the server is stopped (SIGTERM)'),
  webapp: path.optional().describe('a folder of static pages that are served beside the APIs'),
  cacheControl: z
    .string()
    .regex(/^[\x20-\x7e]+$/)
    .default('public, max-age=3600, stale-while-revalidate=600, stale-if-error=86400')
    .describe('Cache-Control of what everyone may see: pictures, info.json, manifests and documents'),
  cdnCacheControl: z
    .string()
    .regex(/^[\x20-\x7e]+$/)
    .optional()
    .describe(
      'CDN-Cache-Control of the same, for CDNs that read it (RFC 9213); by default they do as cacheControl says',
    ),
  surrogateKeys: z
    .array(z.enum(['Surrogate-Key', 'xkey', 'Cache-Tag', 'Edge-Cache-Tag']))
    .default([])
    .describe(
      'headers with keys by which proxies and CDNs purge what they keep of an image or a folder: Surrogate-Key (Fastly, deploy/varnish.vcl), xkey (Varnish with vmod_xkey), Cache-Tag (Cloudflare), Edge-Cache-Tag (Akamai)',
    ),
  serverTiming: z
    .boolean()
    .default(true)
    .describe('say in Server-Timing how long a picture waited and was rendered, where it was rendered for the request'),
  explain: z
    .boolean()
    .default(false)
    .describe(
      'answer ?explain=1 at a picture’s address with how the picture is made, as JSON, in place of the picture',
    ),
});
