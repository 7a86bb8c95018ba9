/** The headers of a response, and whether it is 304: one builder for Fastify's routes and for the fast path. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import contentDisposition from 'content-disposition';
import type { ImageAnswer } from '../answers/images.ts';
import { outputFormats, stemOf } from '../image/model/formats.ts';

/** What a response says about its body. */
export interface Representation {
  readonly mediaType: string;
  readonly cacheControl: string;
  /** A strong tag in its quotes; a representation without one is never answered with 304. */
  readonly etag?: string;
  /** In ms since 1970. */
  readonly lastModifiedMs?: number;
  readonly vary?: string;
  readonly link?: string | undefined;
  readonly contentSecurityPolicy?: string;
  readonly contentDisposition?: string;
  readonly contentEncoding?: string;
  /** Whether it shows only a part of the image, since the file is truncated or damaged. */
  readonly truncated?: boolean;
  /** Of info.json: the version that addresses of pictures can have (`?v=`). */
  readonly version?: string | undefined;
}

/** Names and values in turn, as `writeHead` takes them: Node needs much longer for objects and for single headers. */
export type HeaderList = readonly string[];

/** What browsers and viewers need on every response, errors included. */
export const commonHeaders: HeaderList = ['access-control-allow-origin', '*', 'x-content-type-options', 'nosniff'];

/** The same with what the site says to robots of everything, if it says anything (setting `robots.tag`). */
export const commonHeadersWith = (robotsTag: string | undefined): HeaderList =>
  robotsTag === undefined ? commonHeaders : [...commonHeaders, 'x-robots-tag', robotsTag];

/** The headers that responses with and without the body have. */
export function metadataHeaders(representation: Representation): string[] {
  const { cacheControl, etag, lastModifiedMs, vary, link, contentSecurityPolicy, truncated, version } = representation;
  const headers = ['cache-control', cacheControl];
  if (etag !== undefined) headers.push('etag', etag);
  if (lastModifiedMs !== undefined) headers.push('last-modified', new Date(lastModifiedMs).toUTCString());
  if (vary !== undefined) headers.push('vary', vary);
  if (link !== undefined) headers.push('link', link);
  if (version !== undefined) headers.push('lectern-version', version);
  if (truncated) headers.push('lectern-image', 'truncated', 'access-control-expose-headers', 'Lectern-Image');
  if (contentSecurityPolicy !== undefined) {
    headers.push('content-security-policy', contentSecurityPolicy, 'referrer-policy', 'same-origin');
  }
  return headers;
}

/** The headers that only a response with the body has, but for the body's length. */
export function contentHeaders(representation: Representation): string[] {
  const headers = ['content-type', representation.mediaType];
  if (representation.contentEncoding !== undefined) headers.push('content-encoding', representation.contentEncoding);
  if (representation.contentDisposition !== undefined) {
    headers.push('content-disposition', representation.contentDisposition);
  }
  return headers;
}

/** Whether `If-None-Match` names the tag; undefined where the request has no such condition (RFC 9110, section 13.1.2). */
function namesTag(headers: IncomingHttpHeaders, etag: string): boolean | undefined {
  const tags = headers['if-none-match']?.trim();
  if (!tags) return undefined;
  return tags === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** A time in ms since 1970 in the whole seconds that HTTP dates have. */
const inSeconds = (ms: number): number => Math.floor(ms / 1000) * 1000;

/** Whether the client has the representation already (RFC 9110, sections 13.1.2 and 13.1.3). */
export function isNotModified(headers: IncomingHttpHeaders, { etag, lastModifiedMs }: Representation): boolean {
  if (etag === undefined) return false;
  const isNamed = namesTag(headers, etag);
  if (isNamed !== undefined || lastModifiedMs === undefined) return isNamed === true;
  const since = headers['if-modified-since'];
  return since !== undefined && inSeconds(lastModifiedMs) <= Date.parse(since);
}

/** Whether the client wants the body of another version only (RFC 9110, sections 13.1.1 and 13.1.4). */
export function failsPrecondition(headers: IncomingHttpHeaders, { etag, lastModifiedMs }: Representation): boolean {
  const tags = headers['if-match']?.trim();
  if (tags) return tags !== '*' && !tags.split(',').some((tag) => tag.trim() === etag);
  const since = headers['if-unmodified-since'];
  return since !== undefined && lastModifiedMs !== undefined && inSeconds(lastModifiedMs) > Date.parse(since);
}

/** Whether a range is of the version that `If-Range` names, if it names one (RFC 9110, section 13.1.5). */
export function isRangeOfVersion(headers: IncomingHttpHeaders, { etag, lastModifiedMs }: Representation): boolean {
  if (headers['if-range'] === undefined) return true;
  const version = String(headers['if-range']).trim();
  if (/^(?:W\/)?"/.test(version)) return version === etag;
  return lastModifiedMs !== undefined && inSeconds(lastModifiedMs) === Date.parse(version);
}

/** A strong tag: equal for equal bytes of one media type. */
export const tagOf = (mediaType: string, body: Buffer): string =>
  `"${createHash('sha256').update(mediaType).update(body).digest('base64url')}"`;

/** A document whose media type depends on what the client accepts, with a tag made from its bytes. */
export const documentRepresentation = (
  body: Buffer,
  mediaType: string,
  cacheControl: string,
  link?: string,
): Representation => ({ mediaType, cacheControl, etag: tagOf(mediaType, body), vary: 'Accept', link });

function fileNameOf({ plan, fileName }: ImageAnswer): string {
  if (plan.kind === 'send-file') return fileName;
  const format = plan.kind === 'send-tile' ? 'jpeg' : plan.format;
  return `${stemOf(fileName)}.${outputFormats[format].extension}`;
}

function dispositionOf(answer: ImageAnswer): string {
  const name = fileNameOf(answer);
  // Clients that read only `filename` differ in how they decode anything but plain ASCII.
  const fallback = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return contentDisposition(name, { type: answer.attachment ? 'attachment' : 'inline', fallback });
}

/** A picture, planned but not made yet. */
export const pictureRepresentation = (answer: ImageAnswer, cacheControl: string, link?: string): Representation => ({
  mediaType: answer.mediaType,
  cacheControl: answer.truncated ? 'no-store' : cacheControl,
  truncated: answer.truncated,
  etag: answer.etag,
  ...(answer.lastModifiedMs !== undefined && { lastModifiedMs: answer.lastModifiedMs }),
  link,
  contentDisposition: dispositionOf(answer),
});

/** Responses that only some callers may see are requested anew each time, so that they are shown only while these may. */
export const privateCacheControl = 'private, no-cache';

/** What shared caches may store is open to everyone. */
export const isPrivate = (cacheControl: unknown): boolean => /private|no-store/.test(String(cacheControl ?? ''));

/** A file that a site has may hold scripts, which must not act for the server. */
export const withoutScripts = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
