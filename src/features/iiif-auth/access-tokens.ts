/** Access tokens: what a viewer's page reads with in place of the cookies of its reader, sealed and bound to the session and to the page's origin. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SignedIn, SignInFault } from '../../core/access/policy.ts';
import { bearerOf } from '../../core/http/callers.ts';
import { targetOf } from '../../core/http/target.ts';
import { servletPaths } from '../../core/image/addresses/servlets.ts';
import type { SignInSessions } from '../../core/ports.ts';

interface TokenParts {
  readonly sessions: SignInSessions;
  readonly contextPath: string;
  /** The name after `Scaler` and `Manifester` that leads to IIIF. */
  readonly iiifPrefix: string;
  readonly tokenMinutes: number;
}

const use = 'iiif-auth';

interface Facts {
  readonly origin: string;
  /** In ms since 1970. */
  readonly untilMs: number;
}

const isFacts = (value: object): value is Facts =>
  'origin' in value && typeof value.origin === 'string' && 'untilMs' in value && typeof value.untilMs === 'number';

const faults = {
  over: 'The access token is over.',
  picture: 'An access token opens descriptions alone; pictures and files are opened by the session.',
  address: 'This access token stands for the address of its reader alone.',
} as const;

const escaped = (text: string): string => text.replace(/[^\w-]/g, '\\$&');

/** The paths of descriptions, below the context path: no other address takes a token. */
function descriptionsOf(iiifPrefix: string): RegExp {
  const below = (servlet: string): string =>
    `(?:${servletPaths(servlet).map(escaped).join('|')})/${escaped(iiifPrefix)}`;
  return new RegExp(
    [
      `^(?:/iiif|${below('Scaler')})/.+/info\\.json$`,
      `^(?:/presentation/[23]|${below('Manifester')})/`,
      '^/content-search/',
      '^/iiif-auth/probe/',
    ].join('|'),
  );
}

/** Of the requests by which a probe finds out what its resource answers. */
export const probeHeader = 'lectern-probe';

export class AccessTokens {
  readonly #parts: TokenParts;
  readonly #descriptions: RegExp;
  /** Only this process knows it, so that its own requests are told from all others. */
  readonly probeMark = randomBytes(24).toString('base64url');

  constructor(parts: TokenParts) {
    this.#parts = parts;
    this.#descriptions = descriptionsOf(parts.iiifPrefix);
  }

  /** A token that stands for the session of a request, or where it has none for its address, and the seconds that it lasts. */
  async make(
    request: IncomingMessage,
    origin: string,
    secondsLeft: number,
  ): Promise<{ token: string; seconds: number }> {
    const seconds = Math.max(1, Math.floor(Math.min(this.#parts.tokenMinutes * 60, secondsLeft)));
    const facts: Facts = { origin, untilMs: Date.now() + seconds * 1000 };
    return { token: await this.#parts.sessions.seal(use, request, facts), seconds };
  }

  /** Who sent a request with a token. Never rejects. */
  async senderOf(request: IncomingMessage): Promise<SignedIn | SignInFault | undefined> {
    const bearer = bearerOf(request);
    const opened = bearer?.split('.').length === 5 ? await this.#parts.sessions.open(use, bearer) : undefined;
    if (opened === undefined || !isFacts(opened.facts)) return undefined;
    const { origin: givenTo, untilMs } = opened.facts;
    if (!this.#takes(request)) return { fault: faults.picture, givenTo };
    if (untilMs <= Date.now()) return { fault: faults.over, givenTo };
    return opened.person === undefined ? { fault: faults.address, givenTo } : { ...opened.person, givenTo };
  }

  #takes(request: IncomingMessage): boolean {
    if (this.isOwn(request)) return true;
    const { path } = targetOf(request);
    const { contextPath } = this.#parts;
    return path.startsWith(contextPath) && this.#descriptions.test(path.slice(contextPath.length));
  }

  /** Whether a probe of this process sent a request. */
  isOwn({ headers }: IncomingMessage): boolean {
    const sent = Buffer.from(String(headers[probeHeader] ?? ''));
    const own = Buffer.from(this.probeMark);
    return sent.length === own.length && timingSafeEqual(sent, own);
  }
}
