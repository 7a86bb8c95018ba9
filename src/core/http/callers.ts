/** Identifies the caller of a request by its address, its token, and the roles that a trusted proxy names. */
import type { IncomingMessage } from 'node:http';
import { parseCookie } from 'cookie';
import type { LinkGrant } from '../access/link-grants.ts';
import type { Access, Caller, Client, SignedIn, SignInFault } from '../access/policy.ts';
import { clientAddressOf, isDirectFromLoopback, isLoopback, type TrustedProxies } from './origin.ts';
import { queryPairs } from './query-pairs.ts';
import { targetOf } from './target.ts';

/**
 * Finds out who signed in, by credentials that a feature knows: undefined where a request has none. Never rejects; what does not
 * count any more has its reason as a sentence.
 */
export type FindSignedIn = (request: IncomingMessage) => Promise<SignedIn | SignInFault | undefined>;

/** Finds what the signed links of a request open, and why one does not count any more. Never rejects. */
export type FindLinks = (
  request: IncomingMessage,
) => Promise<{ readonly links: readonly LinkGrant[]; readonly linkFault?: string | undefined }>;

/** The sources of credentials, beside the parameter `id_token` and the header `Authorization`. */
interface CredentialSources {
  readonly trusted: TrustedProxies;
  readonly tokenCookie: string;
  /** The header, in lower case, in which a trusted proxy names the caller's roles; undefined for none. */
  readonly rolesHeader: string | undefined;
  /** Origins whose pages may read what the client's address alone opens. */
  readonly allowedOrigins: ReadonlySet<string>;
  /** Asked in this order, until one knows the sender; of several faults the last one is told. */
  readonly signedIn: readonly FindSignedIn[];
  /** Undefined where there are no signed links. */
  readonly linksOf?: FindLinks | undefined;
}

export interface Callers {
  readonly tokenCookie: string;
  callerOf(request: IncomingMessage): Promise<Caller>;
  /**
   * Whether a request has nothing by which its sender could be more than `anyone`: no credentials, and an address without roles. False
   * also for cookies of other programs.
   */
  isAnyone(request: IncomingMessage): boolean;
  /** The caller of a request, once it was identified for an answer. */
  known(request: IncomingMessage): Caller | undefined;
  /**
   * The origins whose pages may read what not everyone may see, as in Access-Control-Allow-Origin; undefined for none. A browser
   * sends a token only where its page has one, but its address always: a foreign page could read what the address opens. Known
   * after `callerOf`.
   */
  readersOf(request: IncomingMessage): string | undefined;
  /** Whether the sender may see how the server runs. */
  mayConfigure(request: IncomingMessage): Promise<boolean>;
}

const cookieOf = ({ headers }: IncomingMessage, name: string): string | undefined =>
  parseCookie(headers.cookie ?? '')[name]?.replace(/^"(.*)"$/, '$1');

export const bearerOf = ({ headers }: IncomingMessage): string | undefined =>
  /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];

const mayHaveIdToken = (query: string): boolean => /id_token|%/.test(query);

function parameterOf(request: IncomingMessage): string | undefined {
  const { query } = targetOf(request);
  return mayHaveIdToken(query) ? Object.fromEntries(queryPairs(query, []))['id_token'] : undefined;
}

/** Whether a header or a parameter of a request may be a credential. */
function mayHaveCredentials(request: IncomingMessage, { rolesHeader }: CredentialSources): boolean {
  const { headers } = request;
  if (headers.authorization !== undefined || headers.cookie !== undefined) return true;
  if (rolesHeader !== undefined && headers[rolesHeader] !== undefined) return true;
  return mayHaveIdToken(targetOf(request).query);
}

const rolesOf = (header: string | readonly string[] | undefined): readonly string[] =>
  [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');

async function findSignedIn(request: IncomingMessage, finders: readonly FindSignedIn[]): Promise<Client['signedIn']> {
  let fault: Client['signedIn'];
  for (const find of finders) {
    const found = await find(request);
    if (found !== undefined && !('fault' in found)) return found;
    fault = found ?? fault;
  }
  return fault;
}

async function clientOf(request: IncomingMessage, sources: CredentialSources): Promise<Client> {
  const { trusted, tokenCookie, rolesHeader } = sources;
  const namesRoles = rolesHeader !== undefined && trusted(request.socket.remoteAddress);
  const signedIn = await findSignedIn(request, sources.signedIn);
  const givenTo = signedIn?.givenTo;
  const bearer = givenTo === undefined ? bearerOf(request) : undefined;
  const token = parameterOf(request) || bearer || cookieOf(request, tokenCookie);
  // A page that was given a token reads by it, and nothing that the address of its reader opens.
  const hasAddress = givenTo === undefined || sources.allowedOrigins.has(givenTo);
  return {
    address: hasAddress ? clientAddressOf(request, trusted) : '',
    ...(signedIn !== undefined && { signedIn }),
    ...(token ? { token } : {}),
    ...(namesRoles ? { roles: rolesOf(request.headers[rolesHeader]) } : {}),
    ...(await sources.linksOf?.(request)),
  };
}

/** Identifies callers by the rules of access; without rules, everyone is the same caller. */
export function createCallers(access: Access, sources: CredentialSources): Callers {
  const { tokenCookie } = sources;
  if (!access.isOn) {
    const anyone = access.identify({ address: '' });
    const mayConfigure = async (request: IncomingMessage) =>
      isDirectFromLoopback(request) && !sources.trusted(request.socket.remoteAddress);
    const isAnyone = (): boolean => true;
    return {
      tokenCookie,
      callerOf: () => anyone,
      isAnyone,
      known: () => undefined,
      readersOf: () => '*',
      mayConfigure,
    };
  }
  /** The requests that have roles by their address alone. */
  const knownByAddress = new WeakSet<IncomingMessage>();
  const known = new WeakMap<IncomingMessage, Caller>();
  const callerOf = async (request: IncomingMessage): Promise<Caller> => {
    const caller = await access.identify(await clientOf(request, sources));
    known.set(request, caller);
    if (caller.hasRolesOfAddress) knownByAddress.add(request);
    return caller;
  };
  /**
   * Whether a role by the address counts. Pages of the web reach this machine under the name of another host, and readers by a proxy
   * that is not trusted: both have its address.
   */
  const isAsItSeems = (request: IncomingMessage): boolean =>
    !isLoopback(clientAddressOf(request, sources.trusted)) || isDirectFromLoopback(request);
  return {
    tokenCookie,
    callerOf,
    isAnyone: (request) =>
      !mayHaveCredentials(request, sources) && !access.hasRolesAt(clientAddressOf(request, sources.trusted)),
    known: (request) => known.get(request),
    readersOf(request) {
      if (!knownByAddress.has(request)) return '*';
      const { origin } = request.headers;
      return origin !== undefined && sources.allowedOrigins.has(origin) ? origin : undefined;
    },
    async mayConfigure(request) {
      if (!(await callerOf(request)).roles.has('admin')) return false;
      if (isAsItSeems(request)) return true;
      const { roles } = await access.identify({ ...(await clientOf(request, sources)), address: '' });
      return roles.has('admin');
    },
  };
}
