/** Adds routes, which all answer GET and HEAD: of any kind, and those of JSON lists that depend on the caller and a query. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/policy.ts';
import { badRequest } from '../image/model/errors.ts';
import { whenAbandoned } from './abandoned-responses.ts';
import type { Callers } from './callers.ts';
import { sendJsonError, sendTextError } from './error-responses.ts';
import { plainJson } from './negotiation.ts';
import { privateCacheControl } from './representation.ts';
import type { WorkRules } from './request-context.ts';
import { sendDocument } from './send.ts';
import { targetOf } from './target.ts';

export type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** Answers an error of a handler, or of what is checked before it. */
export type ErrorSender = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Adds a handler for addresses below the context path; errors are answered as text where nothing else is given. */
export function addRoutes(
  server: FastifyInstance,
  urls: readonly string[],
  handler: Handler,
  errorHandler: ErrorSender = sendTextError,
): void {
  const route = { method: ['GET', 'HEAD'], prefixTrailingSlash: 'slash', handler, errorHandler } as const;
  for (const url of urls) server.route({ ...route, method: [...route.method], url });
}

export interface ListParts {
  readonly callers: Callers;
  /** Whether there are rules of access, so that lists differ from caller to caller. */
  readonly guarded: boolean;
  readonly pay?: WorkRules['pay'];
}

type ListMaker = (query: URLSearchParams, caller: Caller, signal: AbortSignal) => Promise<object>;

/** Lists change when scans are added, so that clients revalidate what they stored. */
const openCacheControl = 'no-cache';

/** A whole number from 1 on; undefined where the query has none. Throws ImageError `bad-request` for anything else. */
export function parseNumber(name: string, query: URLSearchParams): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (number < 1) throw badRequest(`“${name}” must be a whole number from 1 on.`);
  return number;
}

/** Adds a route for a list, which costs about so many ms of processor time; errors are answered as JSON. */
export function addListRoute(
  server: FastifyInstance,
  url: string,
  { callers, guarded, pay }: ListParts,
  makeList: ListMaker,
  /** About how much processor time it takes, in ms; undefined for what nobody pays for. */
  workOf?: (query: URLSearchParams) => number | undefined,
): void {
  const cacheControl = guarded ? privateCacheControl : openCacheControl;
  const answer: Handler = async (request, reply) => {
    const query = new URLSearchParams(targetOf(request.raw).query);
    const caller = await callers.callerOf(request.raw);
    const ms = workOf?.(query);
    if (ms !== undefined) await pay?.(request.raw, { ms });
    const list = await makeList(query, caller, whenAbandoned(request.raw, reply.raw));
    return sendDocument(Buffer.from(JSON.stringify(list)), plainJson, cacheControl, request, reply);
  };
  addRoutes(server, [url], answer, sendJsonError);
}
