/** The requests by which one proxy or CDN is asked to forget some paths: made from its template, and sent. */
import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { purgeKeyOf } from '../../core/http/shared-caches.ts';
import type { PurgeTarget } from './purge-settings.ts';
import { templateOf } from './templates.ts';

export interface PurgeRequest {
  readonly method: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A target has this time for its answer, in ms. */
const timeoutMs = 10_000;

/** What of an answer tells why it is an error is not read: it may hold what was sent. */
export class RefusedPurge extends Error {
  constructor(status: number) {
    super(`the answer had the status ${status}`);
  }
}

/** Of an address that is asked for anew: nothing is kept of it any more. */
const gone: ReadonlySet<number> = new Set([401, 403, 404, 410]);

type Values = Readonly<Record<string, string>>;

const filled = (text: string, values: Values): string =>
  text.replace(/\{(keys|key|url|secret)\}/g, (_, name: string) => values[name] ?? '');

function inParts<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size));
}

/** Makes requests for paths of the library; `addressesOf` says at which addresses documents about a path are. */
export function createPurgeRequests(
  target: PurgeTarget,
  addressesOf: (path: string) => readonly string[],
): (paths: readonly string[]) => Promise<readonly PurgeRequest[]> {
  const template = templateOf(target);
  const { method, separator, keysAtOnce } = template;
  const all = JSON.stringify([target.address, template.headers, template.body]);

  function valuesOf(paths: readonly string[]): readonly Values[] {
    if (all.includes('{url}')) return [...new Set(paths.flatMap(addressesOf))].map((url) => ({ url }));
    const keys = [...new Set(paths.map(purgeKeyOf))];
    if (all.includes('{key}')) return keys.map((key) => ({ key }));
    return inParts(keys, keysAtOnce).map((some) => ({ keys: some.join(separator) }));
  }

  return async (paths) => {
    const secret = target.secretFile === undefined ? '' : (await readFile(target.secretFile, 'utf8')).trim();
    return valuesOf(paths).map((values) => ({
      method,
      address: filled(target.address, values),
      headers: Object.fromEntries(
        Object.entries(template.headers).map(([name, value]) => [name, filled(value, { ...values, secret })]),
      ),
      ...(template.body !== undefined && { body: filled(template.body, { ...values, secret }) }),
    }));
  };
}

/** Rejects where there is no answer in time, or one that is no success; a redirect is none, and is not followed. */
export function sendPurge({ method, address, headers, body }: PurgeRequest, signal: AbortSignal): Promise<void> {
  const send = address.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const outgoing = send(address, { method, headers: { ...length, ...headers }, signal: limited }, (incoming) => {
      const { statusCode = 0 } = incoming;
      // Nothing of the body is of use: an answer can be as long as a picture.
      incoming.destroy();
      if ((statusCode >= 200 && statusCode < 300) || (method === 'GET' && gone.has(statusCode))) resolve();
      else reject(new RefusedPurge(statusCode));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
