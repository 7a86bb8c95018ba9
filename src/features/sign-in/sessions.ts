/** Sessions: sealed into cookies, so that servers need no store, checked by the provider from time to time, and ended by it. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { type Claims, wordsOfClaim } from '../../core/access/claims.ts';
import type { SignedIn } from '../../core/access/policy.ts';
import { cookieOf } from './cookies.ts';
import { type Provider, type ProviderAnswer, ProviderRefusal, type SignedOut } from './provider.ts';
import type { Sealing } from './sealing.ts';

export const sessionCookie = 'lectern_session';

/** The copy of a session that a browser keeps for pages of one other site alone (CHIPS, `Partitioned`). */
export const embeddedCookie = 'lectern_embedded';

export type SessionCookie = typeof sessionCookie | typeof embeddedCookie;

/** What a session is: sealed in the cookie. Times are in ms since 1970. */
export interface Session {
  readonly id: string;
  /** Of the provider, or the name of a user with a password. */
  readonly subject: string;
  readonly kind: 'provider' | 'password';
  readonly claims: Claims;
  /** The provider; a session of another one does not count. */
  readonly issuer?: string | undefined;
  /** Of a user: what changes with its password. */
  readonly password?: string | undefined;
  readonly providerSession?: string | undefined;
  readonly refreshToken?: string | undefined;
  readonly fromMs: number;
  readonly checkedMs: number;
  /** Origins whose pages the person lets read what it may see. */
  readonly viewers?: readonly string[];
}

/** A session of a request, and the cookie's value where it has changed. */
export interface CurrentSession {
  readonly session: Session;
  readonly changed?: string;
}

/** The same, and which cookie it has come in. */
interface FoundSession extends CurrentSession {
  readonly cookie: SessionCookie;
}

interface SessionsParts {
  readonly sealing: Sealing;
  readonly provider: Pick<Provider, 'refresh'> | undefined;
  readonly issuer: string | undefined;
  readonly maxMs: number;
  readonly refreshMs: number;
  /** The user of a session with a password; undefined where there is none any more, or the password is another one. */
  readonly userOf: (session: Session) => Promise<SignedIn | undefined>;
  readonly roles: readonly string[];
  readonly rolesClaim: string | undefined;
  readonly onFault: (message: string, error: unknown) => void;
  /** Tells other servers what has ended here. */
  readonly onEnded?: (key: string, atMs: number) => void;
  readonly now?: () => number;
}

export const sessionFaults = {
  over: 'The session is over; sign in again.',
  unchecked: 'The session can’t be checked, since the provider of the sign-in does not answer.',
} as const;

/** A provider that does not answer ends no session for this many times as long as it is asked after. */
const graceFactor = 6;

/** Sessions that were refreshed or ended: what their cookies do not say yet. */
const maxKnown = 20_000;

const use = 'session';

const isSession = (value: unknown): value is Session =>
  typeof value === 'object' && value !== null && 'id' in value && 'subject' in value && 'checkedMs' in value;

/** How a person is named: by the usual claims, or else by the provider's own name. */
export function nameOf({ claims, subject }: Pick<Session, 'claims' | 'subject'>): string {
  const names = [claims['name'], claims['preferred_username'], claims['email'], subject];
  return names.find((name): name is string => typeof name === 'string' && name.trim() !== '')?.trim() ?? '';
}

export class Sessions {
  readonly #parts: SessionsParts;
  readonly #now: () => number;
  /** What ended before that was known to this process is not known to it any more. */
  readonly #startedMs: number;
  /** The latest of each session that this process has refreshed, until browsers send it. */
  readonly #refreshed = new LRUCache<string, Session>({ max: maxKnown });
  readonly #refreshing = new Map<string, Promise<Session>>();
  /** Sessions that have ended, and since when all sessions of a subject or of a session at the provider have. */
  readonly #ended: LRUCache<string, number>;
  readonly #found = new WeakMap<IncomingMessage, Promise<FoundSession | { readonly fault: string } | undefined>>();

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => Date.now());
    this.#startedMs = this.#now();
    this.#ended = new LRUCache<string, number>({ max: maxKnown, ttl: parts.maxMs });
  }

  begin(answer: ProviderAnswer): Session {
    const { subject, claims, providerSession, refreshToken } = answer;
    return { ...this.#new('provider', subject), issuer: this.#parts.issuer, claims, providerSession, refreshToken };
  }

  beginOfUser(name: string, password: string): Session {
    return { ...this.#new('password', name), password };
  }

  #new(kind: Session['kind'], subject: string): Session {
    const nowMs = this.#now();
    return { id: randomBytes(16).toString('base64url'), kind, subject, claims: {}, fromMs: nowMs, checkedMs: nowMs };
  }

  seal(session: Session): Promise<string> {
    return this.#parts.sealing.seal(use, session);
  }

  /** Seconds that a session has at most. */
  secondsLeft({ fromMs }: Session): number {
    return (fromMs + this.#parts.maxMs - this.#now()) / 1000;
  }

  /** The session of a request, checked where it is time; undefined where there is none. Never rejects. */
  of(request: IncomingMessage): Promise<FoundSession | { readonly fault: string } | undefined> {
    const found = this.#found.get(request) ?? this.#find(request);
    this.#found.set(request, found);
    return found;
  }

  /** The same where it was asked for before; undefined otherwise. Never rejects. */
  async known(request: IncomingMessage): Promise<FoundSession | undefined> {
    const found = await this.#found.get(request);
    return found !== undefined && 'session' in found ? found : undefined;
  }

  /** Who signed in. Never rejects. */
  async signedIn(request: IncomingMessage): Promise<SignedIn | { readonly fault: string } | undefined> {
    const current = await this.of(request);
    if (current === undefined || 'fault' in current) return current;
    return this.#personOf(current.session);
  }

  /**
   * Who has a session that was given away in another form than its cookie, as long as it holds; the provider is not asked for
   * that. Never rejects.
   */
  async holds(session: Session): Promise<SignedIn | { readonly fault: string }> {
    const current = this.#latest(session);
    if (this.#isOver(current)) return { fault: sessionFaults.over };
    // What ended before the start is not known here; the session itself is checked when it is sent.
    const isUnchecked = session.refreshToken !== undefined && current.checkedMs < this.#startedMs;
    return isUnchecked ? { fault: sessionFaults.unchecked } : this.#personOf(current);
  }

  async #personOf(session: Session): Promise<SignedIn | { readonly fault: string }> {
    if (session.kind === 'password') {
      return (await this.#parts.userOf(session).catch(() => undefined)) ?? { fault: sessionFaults.over };
    }
    const { roles, rolesClaim } = this.#parts;
    return { name: nameOf(session), roles: rolesWith(roles, session.claims, rolesClaim), claims: session.claims };
  }

  end({ id }: Session): void {
    this.#endHere(`id ${id}`);
  }

  /** Ends all sessions of somebody that have begun until now. */
  endAllOf({ subject, providerSession }: SignedOut): void {
    if (providerSession === undefined) {
      this.#endHere(`subject ${subject}`);
      return;
    }
    this.#endHere(`provider ${providerSession}`);
    // Sessions of whose session at the provider nothing is known.
    if (subject !== undefined) this.#endHere(`unnamed ${subject}`);
  }

  /** Takes on what another server tells. */
  noteEnded(key: string, atMs: number): void {
    this.#ended.set(key, Math.max(atMs, this.#ended.get(key) ?? 0));
  }

  #endHere(key: string): void {
    const atMs = this.#now();
    this.noteEnded(key, atMs);
    this.#parts.onEnded?.(key, atMs);
  }

  #hasEnded({ id, subject, kind, providerSession, fromMs }: Session): boolean {
    if (this.#ended.has(`id ${id}`)) return true;
    const own = providerSession === undefined ? `unnamed ${subject}` : `provider ${providerSession}`;
    const keys = kind === 'provider' ? [`subject ${subject}`, own] : [];
    return keys.some((key) => fromMs <= (this.#ended.get(key) ?? Number.NEGATIVE_INFINITY));
  }

  async #find(request: IncomingMessage): Promise<FoundSession | { readonly fault: string } | undefined> {
    const own = await this.#findIn(request, sessionCookie);
    if (own !== undefined && 'session' in own) return own;
    return (await this.#findIn(request, embeddedCookie)) ?? own;
  }

  async #findIn(
    request: IncomingMessage,
    cookie: SessionCookie,
  ): Promise<FoundSession | { readonly fault: string } | undefined> {
    const sealed = cookieOf(request, cookie);
    if (sealed === undefined) return undefined;
    try {
      const value = await this.#parts.sealing.open(use, sealed);
      if (!isSession(value)) return { fault: sessionFaults.over };
      const current = await this.#current(value);
      return 'fault' in current ? current : { ...current, cookie };
    } catch (error) {
      this.#parts.onFault('sessions can’t be opened', error);
      return { fault: sessionFaults.unchecked };
    }
  }

  /** What this process knows of a session by now; the viewers are those of the browser that sent it. */
  #latest(sent: Session): Session {
    const known = this.#refreshed.get(sent.id);
    if (known === undefined || known.checkedMs <= sent.checkedMs) return sent;
    const { viewers: _others, ...refreshed } = known;
    return { ...refreshed, ...(sent.viewers && { viewers: sent.viewers }) };
  }

  #isOver(session: Session): boolean {
    const isForeign = session.kind === 'provider' && session.issuer !== this.#parts.issuer;
    return isForeign || this.secondsLeft(session) <= 0 || this.#hasEnded(session);
  }

  async #current(sent: Session): Promise<CurrentSession | { readonly fault: string }> {
    const session = this.#latest(sent);
    if (this.#isOver(session)) return { fault: sessionFaults.over };
    const { checkedMs } = session;
    const isDue = checkedMs < this.#startedMs || this.#now() - checkedMs >= this.#parts.refreshMs;
    if (!isDue || session.refreshToken === undefined || this.#parts.provider === undefined) {
      return session === sent ? { session } : { session, changed: await this.seal(session) };
    }
    try {
      const checked = await this.#refreshOnce(session, session.refreshToken, this.#parts.provider);
      // It may have been ended meanwhile.
      if (this.#hasEnded(checked)) return { fault: sessionFaults.over };
      return { session: checked, changed: await this.seal(checked) };
    } catch (error) {
      return this.#unrefreshed(session, error);
    }
  }

  #unrefreshed(session: Session, error: unknown): CurrentSession | { readonly fault: string } {
    if (error instanceof ProviderRefusal) {
      this.end(session);
      return { fault: sessionFaults.over };
    }
    this.#parts.onFault('the provider of the sign-in does not answer', error);
    const ageMs = this.#now() - session.checkedMs;
    return ageMs < this.#parts.refreshMs * graceFactor ? { session } : { fault: sessionFaults.unchecked };
  }

  /** Many requests of one page come at the same time; a provider may give each refresh token once. */
  #refreshOnce(session: Session, token: string, provider: Pick<Provider, 'refresh'>): Promise<Session> {
    const running = this.#refreshing.get(session.id);
    if (running !== undefined) return running;
    const refreshing = this.#refresh(session, token, provider).finally(() => this.#refreshing.delete(session.id));
    this.#refreshing.set(session.id, refreshing);
    return refreshing;
  }

  async #refresh(session: Session, token: string, provider: Pick<Provider, 'refresh'>): Promise<Session> {
    const { subject, claims, refreshToken, providerSession } = await provider.refresh(token, session.subject);
    if (subject !== undefined && subject !== session.subject) throw new ProviderRefusal('another subject');
    const refreshed: Session = {
      ...session,
      claims: claims ?? session.claims,
      providerSession: providerSession ?? session.providerSession,
      refreshToken: refreshToken ?? token,
      checkedMs: this.#now(),
    };
    this.#refreshed.set(session.id, refreshed);
    return refreshed;
  }
}

function rolesWith(roles: readonly string[], claims: Claims, claim: string | undefined): readonly string[] {
  return claim === undefined ? roles : [...roles, ...wordsOfClaim(claims, claim)];
}
