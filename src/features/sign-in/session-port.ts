/** What the sign-in offers to other features: sessions, and texts and cookies that stand for them. */
import type { IncomingMessage } from 'node:http';
import type { SignInSessions } from '../../core/ports.ts';
import { cookiesFor, scopeOf } from './cookies.ts';
import type { Sealing } from './sealing.ts';
import { embeddedCookie, nameOf, type Session, type Sessions, sessionCookie, sessionFaults } from './sessions.ts';
import { signInPaths } from './sign-in-routes.ts';

interface PortParts {
  readonly sealing: Sealing;
  readonly sessions: Sessions;
  readonly contextPath: string;
  readonly isCrossSite: boolean;
}

/** After that, a page that needs the click of a person asks for one. */
const justTypedMs = 60_000;

/** The oldest are forgotten: a cookie holds no list of any length. */
const maxViewers = 20;

/** Uses of other features never are those of the sign-in. */
const sealUse = (use: string): string => `for ${use}`;

interface Sealed {
  readonly session?: Session;
  readonly facts: object;
}

const isSealed = (value: unknown): value is Sealed =>
  typeof value === 'object' && value !== null && 'facts' in value && typeof value.facts === 'object';

export function signInSessions({ sealing, sessions, contextPath, isCrossSite }: PortParts): SignInSessions {
  async function sessionOf(request: IncomingMessage): Promise<Session | undefined> {
    const found = await sessions.of(request);
    return found !== undefined && 'session' in found ? found.session : undefined;
  }

  return {
    paths: signInPaths,
    isCrossSite,
    async of(request) {
      const found = await sessions.of(request);
      if (found === undefined) return undefined;
      const person = await sessions.signedIn(request);
      if ('fault' in found || person === undefined || 'fault' in person) {
        const fault = 'fault' in found ? found.fault : sessionFaults.over;
        return { fault, isOver: fault === sessionFaults.over };
      }
      const { session } = found;
      const isJustTyped = session.kind === 'password' && Date.now() - session.fromMs < justTypedMs;
      const secondsLeft = Math.floor(sessions.secondsLeft(session));
      return { name: nameOf(session), isJustTyped, viewers: session.viewers ?? [], secondsLeft };
    },
    async addViewer(request, origin) {
      const session = await sessionOf(request.raw);
      if (session === undefined) return undefined;
      const others = (session.viewers ?? []).filter((one) => one !== origin);
      const value = await sessions.seal({ ...session, viewers: [...others, origin].slice(-maxViewers) });
      const cookie = { name: sessionCookie, value, maxAgeSeconds: sessions.secondsLeft(session) };
      return cookiesFor(request.raw, cookie, scopeOf(request, { contextPath, isCrossSite }));
    },
    async embeddedCookies(request) {
      const scope = scopeOf(request, { contextPath, isCrossSite: isCrossSite && 'partitioned' });
      const session = scope.isCrossSite && scope.isSecure ? await sessionOf(request.raw) : undefined;
      if (session === undefined) return [];
      const value = await sessions.seal(session);
      const cookie = { name: embeddedCookie, value, maxAgeSeconds: sessions.secondsLeft(session) };
      return cookiesFor(request.raw, cookie, scope) ?? [];
    },
    async seal(use, request, facts) {
      const session = await sessionOf(request);
      if (session === undefined) return sealing.seal(sealUse(use), { facts });
      // The provider is asked by the session itself, never by what stands for it.
      const { refreshToken, viewers: _others, ...rest } = session;
      const stated = { ...rest, ...(refreshToken !== undefined && { refreshToken: '' }) };
      return sealing.seal(sealUse(use), { session: stated, facts });
    },
    async open(use, text) {
      const value = await sealing.open(sealUse(use), text).catch(() => undefined);
      if (!isSealed(value)) return undefined;
      const { session, facts } = value;
      return session === undefined ? { facts } : { facts, person: await sessions.holds(session) };
    },
  };
}
