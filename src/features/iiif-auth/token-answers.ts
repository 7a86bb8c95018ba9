/** What the token services answer: a token, or why there is none, in the words of either version. */
import type { FastifyRequest } from 'fastify';
import type { Callers } from '../../core/http/callers.ts';
import type { SignInSessions } from '../../core/ports.ts';
import type { AccessTokens } from './access-tokens.ts';
import { type NamedLibrary, wordIn, wordMap } from './auth-words.ts';
import { context2 } from './services.ts';

/** The errors of Authorization Flow 2.0 (section 4.5). */
export type TokenFault = 'invalidRequest' | 'invalidOrigin' | 'missingAspect' | 'expiredAspect' | 'unavailable';

export type TokenResult = { readonly token: string; readonly seconds: number } | { readonly fault: TokenFault };

export interface TokenRules {
  readonly sessions: SignInSessions;
  readonly tokens: AccessTokens;
  readonly callers: Pick<Callers, 'callerOf'>;
  /** Origins whose pages get tokens unasked. */
  readonly allowedOrigins: ReadonlySet<string>;
  /** Whether pages of other origins get them where the reader agrees. */
  readonly asks: boolean;
}

/** The origin that a client names, which may end with a slash (Authentication 1.0, section 2.1.2); undefined for none of the web. */
export function originIn(text: string | null): string | undefined {
  if (text === null || text.length > 300 || !URL.canParse(text)) return undefined;
  const { origin, protocol } = new URL(text);
  const isOrigin = text === origin || text === `${origin}/`;
  return isOrigin && (protocol === 'https:' || protocol === 'http:') ? origin : undefined;
}

/** Whether pages of an origin get a token at all. */
export const isPossible = (origin: string, own: string, { allowedOrigins, asks }: TokenRules): boolean =>
  asks || allowedOrigins.has(origin) || origin === own;

/** A token for the pages of an origin, or for whoever sends the request itself where that is undefined. */
export async function tokenFor(
  request: FastifyRequest,
  origin: string | undefined,
  rules: TokenRules,
): Promise<TokenResult> {
  const { sessions, tokens, callers, allowedOrigins } = rules;
  const own = new URL(request.origin).origin;
  const asking = origin ?? own;
  if (!isPossible(asking, own, rules)) return { fault: 'invalidOrigin' };
  const isTrusted = asking === own || allowedOrigins.has(asking);
  const session = await sessions.of(request.raw);
  if (session !== undefined && 'name' in session) {
    if (!isTrusted && !session.viewers.includes(asking)) return { fault: 'invalidOrigin' };
    return tokens.make(request.raw, asking, session.secondsLeft);
  }
  if (isTrusted && (await callers.callerOf(request.raw)).hasRolesOfAddress)
    return tokens.make(request.raw, asking, Number.POSITIVE_INFINITY);
  if (session === undefined) return { fault: 'missingAspect' };
  return { fault: session.isOver ? 'expiredAspect' : 'unavailable' };
}

/** The message of Authorization Flow 2.0 (sections 4.4 and 4.5). */
export function message2(result: TokenResult, messageId: string, library: NamedLibrary, site: string): object {
  const common = { '@context': context2, messageId };
  if ('token' in result)
    return { ...common, type: 'AuthAccessToken2', accessToken: result.token, expiresIn: result.seconds };
  const { fault } = result;
  const [heading, note] =
    fault === 'unavailable' ? (['not-now', 'later'] as const) : ([fault, `${fault}-note`] as const);
  return {
    ...common,
    type: 'AuthAccessTokenError2',
    profile: fault,
    heading: wordMap(heading, library, { site }),
    note: wordMap(note, library, { site }),
  };
}

/** The errors of Authentication 1.0 (section 2.2.6), with the statuses of answers that are no pages. */
const faults1: Readonly<Record<TokenFault, readonly [error: string, status: number]>> = {
  invalidRequest: ['invalidRequest', 400],
  invalidOrigin: ['invalidOrigin', 403],
  missingAspect: ['missingCredentials', 401],
  expiredAspect: ['invalidCredentials', 401],
  unavailable: ['unavailable', 503],
};

export const status1 = (result: TokenResult): number => ('fault' in result ? faults1[result.fault][1] : 200);

/** The answer of Authentication 1.0 (sections 2.2.2 and 2.2.6). */
export function message1(
  result: TokenResult,
  messageId: string | undefined,
  library: NamedLibrary,
  site: string,
): object {
  const common = messageId === undefined ? {} : { messageId };
  if ('token' in result) return { accessToken: result.token, expiresIn: result.seconds, ...common };
  const { fault } = result;
  const note = fault === 'unavailable' ? 'later' : (`${fault}-note` as const);
  return { error: faults1[fault][0], description: wordIn('en', note, library, { site }), ...common };
}
