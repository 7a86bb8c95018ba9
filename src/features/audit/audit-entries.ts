/** What a request is recorded as: one line of JSON for what somebody saw. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../core/access/policy.ts';
import { loggableAddress, rawTargetOf } from '../../core/http/target.ts';
import type { AuditKind } from './audit-settings.ts';

/** A line, before names have pseudonyms. */
export interface AuditEntry {
  readonly atMs: number;
  readonly what: AuditKind;
  /** Without tokens and links. */
  readonly address: string;
  /** The path of an image or a folder, where the answer is made of one. */
  readonly path?: string | undefined;
  /** The number of an image in the folder that is named in its place; undefined for the first one. */
  readonly page?: number | undefined;
  readonly client: string;
  readonly name?: string | undefined;
  readonly roles: readonly string[];
  readonly links: readonly { readonly id: string; readonly for?: string | undefined }[];
}

/** Texts have routes of their own among other information. */
const isTextRoute = (url: string): boolean => /\/api\/text\/|Texter/.test(url);

/** What of the library an answer shows; undefined for the files of pages, and for what belongs to no image or folder. */
export function kindOf({ kind, routeOptions }: FastifyRequest, reply: FastifyReply): AuditKind | undefined {
  switch (kind ?? routeOptions.config.kind) {
    case 'picture':
      return reply.hasHeader('accept-ranges') ? 'originals' : 'pictures';
    case 'document':
      return 'documents';
    case 'information':
      return isTextRoute(routeOptions.url ?? '') ? 'texts' : 'descriptions';
    case 'page':
      return String(reply.getHeader('content-type')).startsWith('text/html') ? 'descriptions' : undefined;
    case 'info-json':
    case 'info-object':
    case 'manifest':
    case 'folder':
      return 'descriptions';
    default:
      return undefined;
  }
}

/** Answers that show something, or say that the client has it already. */
const showing: ReadonlySet<number> = new Set([200, 206, 304]);

/** Undefined for what nobody saw. */
export function entryOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { caller, client, atMs }: { readonly caller: Caller | undefined; readonly client: string; readonly atMs: number },
): AuditEntry | undefined {
  if (request.method !== 'GET' && request.method !== 'POST') return undefined;
  const what = reply.raw.headersSent && showing.has(reply.statusCode) ? kindOf(request, reply) : undefined;
  if (what === undefined) return undefined;
  return {
    atMs,
    what,
    address: loggableAddress(rawTargetOf(request.raw)),
    path: request.imageName,
    page: request.imagePage,
    client,
    name: caller?.name,
    roles: [...(caller?.roles ?? [])],
    links: (caller?.links ?? []).map(({ id, recipient }) => ({ id, for: recipient })),
  };
}
