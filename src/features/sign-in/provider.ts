/** The provider of OpenID Connect at which people sign in: authorization code with PKCE, refresh, logout (OpenID Connect Core 1.0). */
import { readFile } from 'node:fs/promises';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { Configuration, ServerMetadata } from 'openid-client';
import type { Claims } from '../../core/access/claims.ts';
import type { SignIn } from './sign-in-settings.ts';

export type ProviderSettings = NonNullable<SignIn['provider']>;

/** What is kept in the browser between the way to the provider and back. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where the reader goes then, relative to the base. */
  readonly to: string;
}

/** What the provider says of somebody. */
export interface ProviderAnswer {
  readonly subject: string;
  readonly claims: Claims;
  /** The session at the provider, by which it ends it here. */
  readonly providerSession?: string | undefined;
  readonly refreshToken?: string | undefined;
  readonly idToken?: string | undefined;
}

/** The provider refuses: a wrong code, a session that has ended. `message` is for the log. */
export class ProviderRefusal extends Error {}

/** Whom a provider signs out by the back channel: one session of it where that is named, or else all of a subject. */
export interface SignedOut {
  readonly subject?: string | undefined;
  readonly providerSession?: string | undefined;
}

/** The clocks of both may differ by this; the tokens come from the provider itself, by TLS. */
const toleranceSeconds = 180;

/** An answer of the provider is awaited for this time. */
const timeoutSeconds = 5;

/** What the provider says of itself is read again after this time. */
const metadataMs = 10 * 60_000;

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** Claims of the protocol itself, which say nothing of a person. */
const ofProtocol = new Set(
  'iss aud exp iat nbf auth_time nonce at_hash c_hash s_hash azp jti sid typ acr amr session_state'.split(' '),
);

const withoutProtocol = (claims: Claims): Claims =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !ofProtocol.has(name)));

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export class Provider {
  readonly #settings: ProviderSettings;
  #metadata: { readonly read: Promise<ServerMetadata>; readonly sinceMs: number } | undefined;
  #keys: { readonly address: string; readonly of: ReturnType<typeof createRemoteJWKSet> } | undefined;
  /** The ids of logout tokens that were taken, with the time at which they expire, in s since 1970. */
  readonly #taken = new Map<string, number>();

  constructor(settings: ProviderSettings) {
    this.#settings = settings;
  }

  /** The address to which the reader is sent. Rejects where the provider does not answer. */
  async authorizationAddress(redirectUri: string, { state, nonce, verifier }: PendingSignIn): Promise<string> {
    const client = await import('openid-client');
    const address = client.buildAuthorizationUrl(await this.#open(), {
      redirect_uri: redirectUri,
      scope: this.#settings.scopes.join(' '),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return address.href;
  }

  /** Rejects with ProviderRefusal where the answer does not belong to this sign-in or the provider refuses it. */
  async finish(callback: URL, { state, nonce, verifier }: PendingSignIn): Promise<ProviderAnswer> {
    const client = await import('openid-client');
    const configuration = await this.#open();
    const expected = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const tokens = await refusing(client.authorizationCodeGrant(configuration, callback, expected));
    return this.#answerOf(configuration, tokens, tokens.claims());
  }

  /** What the provider says now of a session. Rejects with ProviderRefusal where it has ended. */
  async refresh(refreshToken: string, subject: string): Promise<Partial<ProviderAnswer>> {
    const client = await import('openid-client');
    const configuration = await this.#open();
    const tokens = await refusing(client.refreshTokenGrant(configuration, refreshToken));
    const claims = tokens.claims();
    // Not every provider sends an ID token again.
    if (claims !== undefined) return this.#answerOf(configuration, tokens, claims);
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return { refreshToken: tokens.refresh_token };
    const more = await refusing(client.fetchUserInfo(configuration, tokens.access_token, subject));
    return { subject, claims: withoutProtocol(more), refreshToken: tokens.refresh_token };
  }

  /** Some providers say at another address what a person is called and belongs to. */
  async #answerOf(configuration: Configuration, tokens: Tokens, claims: Claims | undefined): Promise<ProviderAnswer> {
    const answer = answerOf(tokens, claims);
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return answer;
    const client = await import('openid-client');
    const more = await refusing(client.fetchUserInfo(configuration, tokens.access_token, answer.subject));
    return { ...answer, claims: { ...withoutProtocol(more), ...answer.claims } };
  }

  /** Where the reader signs out at the provider; undefined where it has no address for that. */
  async logoutAddress(returnTo: string, idToken: string | undefined): Promise<string | undefined> {
    const client = await import('openid-client');
    const configuration = await this.#open();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
    const parameters = { post_logout_redirect_uri: returnTo, ...(idToken !== undefined && { id_token_hint: idToken }) };
    return client.buildEndSessionUrl(configuration, parameters).href;
  }

  /** Whom a logout token names (OpenID Connect Back-Channel Logout 1.0, section 2.6). Rejects for any that does not count. */
  async signedOutBy(token: string): Promise<SignedOut> {
    const { jwks_uri: address, issuer } = (await this.#open()).serverMetadata();
    if (address === undefined) throw new ProviderRefusal('the provider publishes no keys');
    if (this.#keys?.address !== address) {
      // An unknown key is looked for at once, since keys are rotated.
      this.#keys = { address, of: createRemoteJWKSet(new URL(address), { cooldownDuration: 5000 }) };
    }
    const { payload } = await jwtVerify(token, this.#keys.of, {
      issuer,
      audience: this.#settings.clientId,
      clockTolerance: toleranceSeconds,
      maxTokenAge: toleranceSeconds,
      requiredClaims: ['iat', 'jti', 'events'],
    });
    const { sub, sid, jti = '', nonce, events, iat = 0 } = payload;
    if (typeof events !== 'object' || events === null || !Object.hasOwn(events, logoutEvent) || nonce !== undefined)
      throw new ProviderRefusal('it is no logout token');
    if (!isText(sub) && !isText(sid)) throw new ProviderRefusal('the logout token names nobody');
    this.#takeOnce(jti, iat + 2 * toleranceSeconds);
    return { ...(isText(sid) && { providerSession: sid }), ...(isText(sub) && { subject: sub }) };
  }

  #takeOnce(id: string, untilSeconds: number): void {
    const now = Date.now() / 1000;
    for (const [old, until] of this.#taken) if (until < now) this.#taken.delete(old);
    if (this.#taken.has(id)) throw new ProviderRefusal('the logout token was sent before');
    this.#taken.set(id, untilSeconds);
  }

  /** A configuration of its own for each use: its keys are then those that the provider has now. */
  async #open(): Promise<Configuration> {
    const client = await import('openid-client');
    const { clientId, clientSecretFile, issuer } = this.#settings;
    const secret = clientSecretFile === undefined ? undefined : (await readFile(clientSecretFile, 'utf8')).trim();
    const metadata = { [client.clockTolerance]: toleranceSeconds, ...(secret && { client_secret: secret }) };
    const authentication = secret === undefined ? client.None() : client.ClientSecretBasic(secret);
    const configuration = new client.Configuration(await this.#readMetadata(), clientId, metadata, authentication);
    configuration.timeout = timeoutSeconds;
    client.enableNonRepudiationChecks(configuration);
    if (issuer.startsWith('http:')) client.allowInsecureRequests(configuration);
    return configuration;
  }

  #readMetadata(): Promise<ServerMetadata> {
    const known = this.#metadata;
    if (known !== undefined && Date.now() - known.sinceMs < metadataMs) return known.read;
    const read = this.#discover();
    this.#metadata = { read, sinceMs: Date.now() };
    read.catch(() => {
      if (this.#metadata?.read === read) this.#metadata = undefined;
    });
    return read;
  }

  async #discover(): Promise<ServerMetadata> {
    const client = await import('openid-client');
    const { issuer, clientId } = this.#settings;
    const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
    const options = { execute, timeout: timeoutSeconds };
    const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), options);
    return found.serverMetadata();
  }
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
  readonly id_token?: string | undefined;
}

function answerOf({ refresh_token, id_token }: Tokens, claims: Claims | undefined): ProviderAnswer {
  const { sub, sid } = claims ?? {};
  if (claims === undefined || !isText(sub)) throw new ProviderRefusal('the provider sent no ID token');
  return {
    subject: sub,
    claims: withoutProtocol(claims),
    ...(isText(sid) && { providerSession: sid }),
    refreshToken: refresh_token,
    idToken: id_token,
  };
}

/** Errors of the transport pass: they say nothing of the session. */
async function refusing<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (isTransport(error)) throw error;
    throw new ProviderRefusal(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** A provider that does not answer, or fails by itself. */
function isTransport(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, code, cause, ...more } = error as Error & { readonly code?: unknown; readonly status?: unknown };
  const status = cause instanceof Response ? cause.status : more.status;
  if (typeof status === 'number') return status >= 500 || status === 429;
  return name === 'TypeError' || name === 'TimeoutError' || name === 'AbortError' || code === 'OAUTH_TIMEOUT';
}
