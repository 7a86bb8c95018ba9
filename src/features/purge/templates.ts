/** How proxies and CDNs are asked to forget, by name: what a target in the settings does not say itself. */
import type { PurgeTarget } from './purge-settings.ts';

/** All that a request is made from. */
export interface PurgeTemplate {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly separator: string;
  readonly keysAtOnce: number;
}

const plain: PurgeTemplate = { method: 'POST', headers: {}, separator: ' ', keysAtOnce: 100 };

const json = { 'Content-Type': 'application/json' };

export const templates: Readonly<Record<NonNullable<PurgeTarget['template']>, PurgeTemplate>> = {
  // POST https://api.fastly.com/service/SERVICE/purge, at most 256 keys.
  fastly: {
    ...plain,
    headers: { 'Fastly-Key': '{secret}', 'Surrogate-Key': '{keys}', Accept: 'application/json' },
    keysAtOnce: 256,
  },
  // As in deploy/varnish.vcl, where the keys become one regular expression.
  varnish: { ...plain, method: 'PURGE', headers: { 'Surrogate-Key': '{keys}' }, separator: '|' },
  // nginx has no keys: as in deploy/nginx-cache.conf, where requests with the secret store the answer anew.
  nginx: { ...plain, method: 'GET', headers: { 'X-Lectern-Renew': '{secret}' } },
  // POST https://api.cloudflare.com/client/v4/zones/ZONE/purge_cache, at most 100 tags.
  cloudflare: {
    ...plain,
    headers: { ...json, Authorization: 'Bearer {secret}' },
    body: '{"tags":["{keys}"]}',
    separator: '","',
  },
};

/** Names of headers have no case. */
function mergedHeaders(one: PurgeTemplate['headers'], other: PurgeTemplate['headers'] = {}): PurgeTemplate['headers'] {
  const own = new Set(Object.keys(other).map((name) => name.toLowerCase()));
  return { ...Object.fromEntries(Object.entries(one).filter(([name]) => !own.has(name.toLowerCase()))), ...other };
}

export function templateOf({ template, method, headers, separator, keysAtOnce, ...own }: PurgeTarget): PurgeTemplate {
  const base = template === undefined ? plain : templates[template];
  const body = own.body ?? base.body;
  return {
    method: method ?? base.method,
    headers: mergedHeaders(base.headers, headers),
    separator: separator ?? base.separator,
    keysAtOnce: keysAtOnce ?? base.keysAtOnce,
    ...(body !== undefined && { body }),
  };
}
