/** The addresses of Authorization Flow 2.0 and Authentication 1.0: windows that viewers open, tokens, sign-out, and probes. */
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { addRoutes } from '../../core/http/add-routes.ts';
import { sendJsonError, sendTextError } from '../../core/http/error-responses.ts';
import { type Page, sendPage } from '../../core/http/html.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import { requireOwnOrigin } from '../../core/http/own-origin.ts';
import { targetOf } from '../../core/http/target.ts';
import { takeTextBodies } from '../../core/http/text-bodies.ts';
import { type PageLanguage, pageLanguageOf } from '../../core/http/words.ts';
import { type LanguageMap, parseLanguages } from '../../core/image/folder/folder-metadata.ts';
import { badRequest, ImageError } from '../../core/image/model/errors.ts';
import { askingPage, closingPage, logoutPage, tokenPage } from './auth-pages.ts';
import type { NamedLibrary } from './auth-words.ts';
import { serveProbe } from './probe.ts';
import { authPaths } from './services.ts';
import {
  isPossible,
  message1,
  message2,
  originIn,
  status1,
  type TokenResult,
  type TokenRules,
  tokenFor,
} from './token-answers.ts';

export interface IiifAuthParts extends TokenRules {
  readonly contextPath: string;
  readonly libraryName: () => Promise<LanguageMap>;
  /** In lower case; empty for none. */
  readonly rolesHeader: string;
  readonly hasKiosk: boolean;
}

const queryOf = ({ raw }: FastifyRequest): URLSearchParams => new URLSearchParams(targetOf(raw).query);

const ownOriginOf = ({ origin }: FastifyRequest): string => new URL(origin).origin;

interface Reader {
  readonly language: PageLanguage;
  readonly library: NamedLibrary;
}

const libraryOf = async (request: FastifyRequest, { libraryName }: IiifAuthParts): Promise<NamedLibrary> => ({
  names: await libraryName(),
  host: new URL(request.origin).host,
});

async function readerOf(request: FastifyRequest, parts: IiifAuthParts): Promise<Reader> {
  const language = pageLanguageOf(parseLanguages(request.headers['accept-language'] ?? ''));
  return { language, library: await libraryOf(request, parts) };
}

/** These pages are never stored, and their addresses go to no other site. */
function show(page: Page, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const sent = sendPage(page, 'no-store', request, reply);
  return sent;
}

function requireOrigin(request: FastifyRequest, parts: IiifAuthParts): string {
  const origin = originIn(queryOf(request).get('origin'));
  if (origin === undefined) throw badRequest('“origin” must be the origin of the viewer’s page.');
  if (!isPossible(origin, ownOriginOf(request), parts))
    throw new ImageError('denied', 'Pages of this origin get no access here.');
  return origin;
}

/** The access service (Authorization Flow 2.0, section 3.3.1): signs in, asks once for each site, and closes itself. */
async function login(request: FastifyRequest, reply: FastifyReply, parts: IiifAuthParts): Promise<FastifyReply> {
  const origin = requireOrigin(request, parts);
  const session = await parts.sessions.of(request.raw);
  if (session === undefined || 'fault' in session) {
    const to = `${authPaths.login.slice(1)}?${new URLSearchParams({ origin })}`;
    const address = `${request.origin}${parts.contextPath}${parts.sessions.paths.begin}?${new URLSearchParams({ to })}`;
    return reply.header('cache-control', 'no-store').redirect(address, 303);
  }
  const reader = await readerOf(request, parts);
  // Browsers give cookies to frames of a site on which somebody has clicked or typed (section A).
  const isTrusted = parts.allowedOrigins.has(origin) && session.isJustTyped;
  const needsNoClick = origin === ownOriginOf(request) || session.viewers.includes(origin) || isTrusted;
  const page = needsNoClick ? closingPage(reader, 'done') : askingPage(reader, origin, session.name);
  return show(page, request, reply);
}

/** The reader lets pages of an origin read. */
async function allow(request: FastifyRequest, reply: FastifyReply, parts: IiifAuthParts): Promise<FastifyReply> {
  requireOwnOrigin(request);
  const origin = requireOrigin(request, parts);
  const cookies = await parts.sessions.addViewer(request, origin);
  if (cookies === undefined) return login(request, reply, parts);
  reply.header('set-cookie', cookies);
  return show(closingPage(await readerOf(request, parts), 'done'), request, reply);
}

const kiosk = async (request: FastifyRequest, reply: FastifyReply, parts: IiifAuthParts): Promise<FastifyReply> => {
  requireOrigin(request, parts);
  return show(closingPage(await readerOf(request, parts), 'kiosk-done'), request, reply);
};

type Messages = (result: TokenResult, messageId: string, library: NamedLibrary, site: string) => object;

/** The page that sends its message to pages of the named origin alone; the same as JSON for the page itself. */
async function sendMessage(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: IiifAuthParts,
  messages: Messages,
): Promise<FastifyReply> {
  const query = queryOf(request);
  const origin = originIn(query.get('origin'));
  if (origin === undefined) throw badRequest('“origin” must be the origin of the page to which the message goes.');
  const messageId = query.get('messageId') ?? '';
  const result: TokenResult = messageId === '' ? { fault: 'invalidRequest' } : await tokenFor(request, origin, parts);
  const message = messages(result, messageId, await libraryOf(request, parts), origin);
  const isMissing = 'fault' in result && result.fault === 'missingAspect';
  if ('token' in result) reply.header('set-cookie', await parts.sessions.embeddedCookies(request));
  if (request.headers.accept === 'application/json' && request.headers['sec-fetch-site'] === 'same-origin')
    return unstored(reply).type(plainJson).send(JSON.stringify({ message }));
  const asksForCookies = isMissing && parts.sessions.isCrossSite;
  return show(tokenPage({ message, origin, asksForCookies }), request, reply);
}

const unstored = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'no-store');

/** Without `messageId`, for programs that are no browsers (Authentication 1.0, section 2.2.3). */
async function sendToken1(request: FastifyRequest, reply: FastifyReply, parts: IiifAuthParts): Promise<FastifyReply> {
  if (queryOf(request).has('messageId')) return sendMessage(request, reply, parts, message1);
  const result = await tokenFor(request, undefined, parts);
  const own = ownOriginOf(request);
  const body = message1(result, undefined, await libraryOf(request, parts), own);
  return unstored(reply).code(status1(result)).type(plainJson).send(JSON.stringify(body));
}

/** A page of another site signs nobody out by itself: where the reader has not clicked to come here, it is asked. */
async function logout(request: FastifyRequest, reply: FastifyReply, parts: IiifAuthParts): Promise<FastifyReply> {
  const session = await parts.sessions.of(request.raw);
  const base = `${request.origin}${parts.contextPath}`;
  const facts = {
    address: base + parts.sessions.paths.end,
    home: `${base}/`,
    isAsked: request.headers['sec-fetch-user'] === '?1',
  };
  const person = session !== undefined && 'name' in session ? session.name : undefined;
  return show(logoutPage(await readerOf(request, parts), person, facts), request, reply);
}

async function probe(request: FastifyRequest, reply: FastifyReply, parts: IiifAuthParts): Promise<FastifyReply> {
  // The address of one request has room for hundreds of probes, each of which would send the next one.
  if (parts.tokens.isOwn(request.raw)) throw new ImageError('not-found', 'A probe is no resource of a probe.');
  // Which pages may read the answer depends on the caller.
  await parts.callers.callerOf(request.raw);
  const { contextPath, rolesHeader, tokens } = parts;
  const library = await libraryOf(request, parts);
  return serveProbe(request, reply, { contextPath, rolesHeader, probeMark: tokens.probeMark, library });
}

const maxFormBytes = 1024;

/** The form that asks has no fields. */
function addForm(server: FastifyInstance, parts: IiifAuthParts): void {
  void server.register((scope, _options, ready) => {
    takeTextBodies(scope, maxFormBytes);
    scope.route({
      method: 'POST',
      url: authPaths.login,
      config: { acceptsForms: true },
      handler: (request, reply) => allow(request, reply, parts),
      errorHandler: sendTextError,
    });
    ready();
  });
}

export const iiifAuthRoutes: FastifyPluginCallback<IiifAuthParts> = (server, parts, done) => {
  addRoutes(server, [authPaths.login], (request, reply) => login(request, reply, parts));
  if (parts.hasKiosk) addRoutes(server, [authPaths.kiosk], (request, reply) => kiosk(request, reply, parts));
  addRoutes(server, [authPaths.token2], (request, reply) => sendMessage(request, reply, parts, message2));
  addRoutes(server, [authPaths.token1], (request, reply) => sendToken1(request, reply, parts));
  addRoutes(server, [authPaths.logout], (request, reply) => logout(request, reply, parts));
  addRoutes(server, [`${authPaths.probe}/*`], (request, reply) => probe(request, reply, parts), sendJsonError);
  addForm(server, parts);
  done();
};
