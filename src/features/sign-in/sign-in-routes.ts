/** The addresses of the sign-in: to the provider and back, the form for passwords, sign out, and who is signed in. */
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { addRoutes } from '../../core/http/add-routes.ts';
import type { Callers } from '../../core/http/callers.ts';
import { sendJsonError, sendTextError } from '../../core/http/error-responses.ts';
import { sendPage } from '../../core/http/html.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import { requireOwnOrigin } from '../../core/http/own-origin.ts';
import { targetOf } from '../../core/http/target.ts';
import { takeTextBodies } from '../../core/http/text-bodies.ts';
import { pageLanguageOf } from '../../core/http/words.ts';
import { parseLanguages } from '../../core/image/folder/folder-metadata.ts';
import { badRequest, ImageError } from '../../core/image/model/errors.ts';
import { cookieOf, cookiesFor, cookiesWithout, scopeOf } from './cookies.ts';
import { type PendingSignIn, type Provider, ProviderRefusal } from './provider.ts';
import type { Sealing } from './sealing.ts';
import { nameOf, type Session, type Sessions, sessionCookie } from './sessions.ts';
import { signInPage } from './sign-in-page.ts';
import type { Users } from './users.ts';

export const signInPaths = {
  begin: '/sign-in',
  callback: '/sign-in/callback',
  end: '/sign-out',
  backChannel: '/sign-in/backchannel-logout',
  session: '/api/session.json',
} as const;

export interface SignInParts {
  readonly sealing: Sealing;
  readonly sessions: Sessions;
  readonly provider: Provider | undefined;
  readonly providerLabel: string | undefined;
  /** Undefined where nobody has a password. */
  readonly users: Users | undefined;
  readonly isCrossSite: boolean;
  readonly contextPath: string;
  readonly callers: Pick<Callers, 'callerOf'>;
  readonly logger: Logger;
  /** As of `OpenSignIn`. */
  readonly onFault: (message: string, error: unknown) => void;
}

/** The way to the provider and back takes at most this time. */
const pendingSeconds = 3600;

/** The ID token, which some providers ask for at the sign-out; it is sent there alone. */
const idTokenCookie = 'lectern_id';

/** Each sign-in has a cookie of its own, so that two tabs do not disturb each other. */
const pendingCookie = (state: string): string => `lectern_sign_in_${state.slice(0, 12)}`;

const statePattern = /^[\w-]{16,100}$/;

/** Answers of the sign-in are never stored, and their addresses go to no other site. */
const unstored = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');

const redirect = (reply: FastifyReply, address: string): FastifyReply => unstored(reply).redirect(address, 303);

/** A path of this server, relative to the base, or empty: never another site, whatever is asked for (RFC 6819, section 4.2.4). */
export function returnPathOf(asked: string | null | undefined, base: string): string {
  if (asked === null || asked === undefined || /[\\\p{Cc}]/u.test(asked) || asked.length > 4000) return '';
  if (!URL.canParse(asked, base)) return '';
  const { href } = new URL(asked, base);
  return href.startsWith(base) ? href.slice(base.length) : '';
}

const baseOf = ({ origin }: FastifyRequest, { contextPath }: SignInParts): string => `${origin}${contextPath}/`;

const queryOf = ({ raw }: FastifyRequest): URLSearchParams => new URLSearchParams(targetOf(raw).query);

async function addSession(
  session: Session,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: SignInParts,
): Promise<void> {
  const maxAgeSeconds = parts.sessions.secondsLeft(session);
  const value = await parts.sessions.seal(session);
  const cookies = cookiesFor(request.raw, { name: sessionCookie, value, maxAgeSeconds }, scopeOf(request, parts));
  if (cookies === undefined) {
    parts.logger.warn({ subject: session.subject }, 'a session is too long for cookies: the provider says too much');
    throw new ImageError(
      'failed',
      'The provider says more of you than a session can hold. Tell those who run the library.',
    );
  }
  reply.header('set-cookie', cookies);
}

/** Sends the reader to the provider. */
async function beginAtProvider(
  provider: Provider,
  to: string,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: SignInParts,
): Promise<FastifyReply> {
  const client = await import('openid-client');
  const state = client.randomState();
  const pending: PendingSignIn = { state, nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier(), to };
  const callback = baseOf(request, parts) + signInPaths.callback.slice(1);
  const address = await asking(parts, provider.authorizationAddress(callback, pending));
  const value = await parts.sealing.seal('sign-in', { ...pending, untilMs: Date.now() + pendingSeconds * 1000 });
  const cookie = { name: pendingCookie(state), value, maxAgeSeconds: pendingSeconds };
  reply.header('set-cookie', cookiesFor(request.raw, cookie, scopeOf(request, parts, 'sign-in')) ?? []);
  return redirect(reply, address);
}

type Pending = PendingSignIn & { readonly untilMs: number };

const isPending = (value: unknown): value is Pending =>
  typeof value === 'object' && value !== null && 'state' in value && 'untilMs' in value;

/** The sign-in that this browser began. Throws ImageError where there is none. */
async function pendingOf(request: FastifyRequest, { sealing }: SignInParts): Promise<Pending> {
  const state = queryOf(request).get('state') ?? '';
  const cookie = statePattern.test(state) ? cookieOf(request.raw, pendingCookie(state)) : undefined;
  const pending = cookie === undefined ? undefined : await sealing.open('sign-in', cookie);
  if (isPending(pending) && pending.state === state && pending.untilMs > Date.now()) return pending;
  throw badRequest('This sign-in was not begun in this browser, or too long ago. Begin it again.');
}

/** What the provider answers, or an error for the reader. */
async function asking<T>({ onFault }: SignInParts, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    onFault('a sign-in failed', error);
    if (error instanceof ProviderRefusal)
      throw new ImageError('denied', 'The provider did not sign you in. Try it again.');
    throw new ImageError('store-late', 'The provider of the sign-in does not answer; try it again later.');
  }
}

async function finishAtProvider(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: SignInParts,
): Promise<FastifyReply> {
  const pending = await pendingOf(request, parts);
  const callback = new URL(`${baseOf(request, parts)}${signInPaths.callback.slice(1)}?${queryOf(request)}`);
  const answer = await asking(parts, provider.finish(callback, pending));
  const session = parts.sessions.begin(answer);
  await addSession(session, request, reply, parts);
  const scope = scopeOf(request, parts, 'sign-out');
  const value = answer.idToken === undefined ? '' : await parts.sealing.seal('id', { idToken: answer.idToken });
  const maxAgeSeconds = parts.sessions.secondsLeft(session);
  reply.header('set-cookie', [
    ...(cookiesFor(request.raw, { name: idTokenCookie, value, maxAgeSeconds }, scope) ?? []),
    ...cookiesWithout(request.raw, pendingCookie(pending.state), scopeOf(request, parts, 'sign-in')),
  ]);
  return redirect(reply, baseOf(request, parts) + pending.to);
}

function showForm(
  to: string,
  fault: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, providerLabel }: SignInParts,
): FastifyReply {
  const language = pageLanguageOf(parseLanguages(request.headers['accept-language'] ?? ''));
  const options = { to, fault, hasProvider: provider !== undefined, providerLabel, language };
  unstored(reply);
  return sendPage(signInPage(options), 'no-store', request, reply.code(fault === undefined ? 200 : 401));
}

function begin(request: FastifyRequest, reply: FastifyReply, parts: SignInParts): FastifyReply | Promise<FastifyReply> {
  const query = queryOf(request);
  const to = returnPathOf(query.get('to'), baseOf(request, parts));
  const { provider, users } = parts;
  const goesOn = users === undefined || query.get('with') === 'provider';
  if (provider !== undefined && goesOn) return beginAtProvider(provider, to, request, reply, parts);
  return showForm(to, undefined, request, reply, parts);
}

/** Signs in by name and password. */
async function submit(users: Users, request: FastifyRequest, reply: FastifyReply, parts: SignInParts) {
  requireOwnOrigin(request);
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
  const [name, password] = [form.get('name') ?? '', form.get('password') ?? ''];
  const to = returnPathOf(form.get('to'), baseOf(request, parts));
  const checked = await users.check(name, password, request.raw);
  if ('fault' in checked) return showForm(to, checked.fault, request, reply, parts);
  const user = await users.named(name);
  if (user === undefined) return showForm(to, undefined, request, reply, parts);
  await addSession(parts.sessions.beginOfUser(name, users.markOf(user)), request, reply, parts);
  return redirect(reply, baseOf(request, parts) + to);
}

/** Signs out here, and says where the reader signs out at the provider. */
async function end(request: FastifyRequest, reply: FastifyReply, parts: SignInParts): Promise<FastifyReply> {
  requireOwnOrigin(request);
  const { sessions, provider, sealing } = parts;
  const current = await sessions.of(request.raw);
  const session = current !== undefined && 'session' in current ? current.session : undefined;
  if (session !== undefined) sessions.end(session);
  const sealed = cookieOf(request.raw, idTokenCookie);
  const hint = (sealed === undefined ? undefined : await sealing.open('id', sealed)) as
    | { idToken?: string }
    | undefined;
  reply.header('set-cookie', [
    ...cookiesWithout(request.raw, sessionCookie, scopeOf(request, parts)),
    ...cookiesWithout(request.raw, idTokenCookie, scopeOf(request, parts, 'sign-out')),
  ]);
  const home = baseOf(request, parts);
  const atProvider = session?.kind === 'provider' ? provider?.logoutAddress(home, hint?.idToken) : undefined;
  const address = await atProvider?.catch((error: unknown) => {
    parts.onFault('the provider of the sign-in does not answer', error);
    return undefined;
  });
  return unstored(reply)
    .type(plainJson)
    .send(JSON.stringify({ address: address ?? home }));
}

/** The provider signs somebody out (OpenID Connect Back-Channel Logout 1.0, section 2.5). */
async function endByProvider(provider: Provider, request: FastifyRequest, reply: FastifyReply, parts: SignInParts) {
  const token = new URLSearchParams(typeof request.body === 'string' ? request.body : '').get('logout_token') ?? '';
  try {
    parts.sessions.endAllOf(await provider.signedOutBy(token));
    return unstored(reply).code(200).send();
  } catch (error) {
    parts.onFault('a logout token was refused', error);
    const body = { error: 'invalid_request', error_description: 'The logout token does not count.' };
    return unstored(reply).code(400).type(plainJson).send(JSON.stringify(body));
  }
}

/** Who is signed in, for the reading room. */
async function describeSession(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: SignInParts,
): Promise<FastifyReply> {
  const current = await parts.sessions.of(request.raw);
  const { roles, tokenFault } = await parts.callers.callerOf(request.raw);
  const session = current !== undefined && 'session' in current ? current.session : undefined;
  const body = {
    name: session === undefined ? null : nameOf(session),
    roles: session === undefined ? [] : [...roles],
    ...(tokenFault !== undefined && { fault: tokenFault }),
  };
  return unstored(reply).type(plainJson).send(JSON.stringify(body));
}

const maxFormBytes = 64 * 1024;

export const signInRoutes: FastifyPluginCallback<SignInParts> = (server, parts, done) => {
  const { provider, users } = parts;
  addRoutes(server, [signInPaths.begin], (request, reply) => begin(request, reply, parts));
  addRoutes(server, [signInPaths.session], (request, reply) => describeSession(request, reply, parts), sendJsonError);
  if (provider !== undefined) {
    addRoutes(server, [signInPaths.callback], (request, reply) => finishAtProvider(provider, request, reply, parts));
  }
  void server.register((scope, _options, ready) => {
    takeTextBodies(scope, maxFormBytes);
    addForm(scope, signInPaths.end, (request, reply) => end(request, reply, parts));
    if (users !== undefined)
      addForm(scope, signInPaths.begin, (request, reply) => submit(users, request, reply, parts));
    if (provider !== undefined)
      addForm(scope, signInPaths.backChannel, (request, reply) => endByProvider(provider, request, reply, parts));
    ready();
  });
  done();
};

type FormHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function addForm(scope: FastifyInstance, url: string, handler: FormHandler): void {
  const config = { acceptsForms: true };
  scope.route({ method: 'POST', url, config, handler, bodyLimit: maxFormBytes, errorHandler: sendTextError });
}
