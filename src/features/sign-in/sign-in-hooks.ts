/** What the sign-in does for all routes: refreshed sessions go to browsers, and digilib's closed addresses ask for a password. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SeesRequest } from '../../core/http/fast-path/fast-path.ts';
import { isPrivate, privateCacheControl } from '../../core/http/representation.ts';
import { targetOf } from '../../core/http/target.ts';
import { percentDecoded } from '../../core/parsing/parse.ts';
import { cookiesFor, scopeOf } from './cookies.ts';
import { embeddedCookie, type Sessions } from './sessions.ts';
import { type Users, userFaults } from './users.ts';

interface HookParts {
  readonly sessions: Sessions;
  readonly users: Users | undefined;
  readonly contextPath: string;
  readonly isCrossSite: boolean;
}

/** Sends the cookie of a session that was refreshed for a request, with its answer. */
function addRefreshedCookies(server: FastifyInstance, { sessions, contextPath, isCrossSite }: HookParts): void {
  server.addHook('onSend', async (request, reply) => {
    if (!isPrivate(reply.getHeader('cache-control')) || reply.hasHeader('set-cookie')) return;
    const current = await sessions.known(request.raw);
    if (current?.changed === undefined) return;
    const { cookie: name } = current;
    const scope = scopeOf(request, {
      contextPath,
      isCrossSite: isCrossSite && (name === embeddedCookie ? 'partitioned' : true),
    });
    const maxAgeSeconds = sessions.secondsLeft(current.session);
    const cookies = cookiesFor(request.raw, { name, value: current.changed, maxAgeSeconds }, scope);
    if (cookies !== undefined) reply.header('set-cookie', cookies);
  });
}

/** Below this path digilib's sites ask for a password before anything else (`auth-url-path`, web.xml). */
const closedPath = /^\/authenticated(?:\/|$)/;

/** Tells the requests for addresses that ask for a password. */
export const asksForPassword =
  (contextPath: string): SeesRequest =>
  (request) => {
    const path = percentDecoded(targetOf(request).path) ?? '';
    return path.startsWith(contextPath) && closedPath.test(path.slice(contextPath.length));
  };

function addPasswordPrompt(server: FastifyInstance, users: Users, contextPath: string): void {
  const asks = asksForPassword(contextPath);
  const isClosed = ({ raw }: FastifyRequest): boolean => asks(raw);
  // Everyone may see the same image at another address, but a shared cache would give it out here without a password.
  server.addHook('onSend', async (request, reply) => {
    if (isClosed(request) && !isPrivate(reply.getHeader('cache-control')))
      reply.header('cache-control', privateCacheControl);
  });
  server.addHook('onRequest', async (request, reply) => {
    if (!isClosed(request)) return undefined;
    const known = await users.basic(request.raw);
    if (known !== undefined && !('fault' in known)) return undefined;
    const sentence = known?.fault ?? 'This address needs a name and a password.';
    if (sentence === userFaults.often) reply.header('retry-after', '60');
    return reply
      .code(401)
      .header('www-authenticate', 'Basic realm="digilib", charset="UTF-8"')
      .header('cache-control', 'no-store')
      .type('text/plain; charset=utf-8')
      .send(`${sentence}\n`);
  });
}

export function addSignInHooks(server: FastifyInstance, parts: HookParts): void {
  addRefreshedCookies(server, parts);
  if (parts.users !== undefined) addPasswordPrompt(server, parts.users, parts.contextPath);
}
