/** Who may see what: callers come by roles, and places and access types ask for them (digilib.md, section 7). */
import type { Identifier } from '../image/model/identifier.ts';
import { type AddressRule, createAddressRoles } from './addresses.ts';
import { isMet } from './needs.ts';
import { createPathNeeds, type PathRule } from './paths.ts';
import { rememberVerdicts } from './token-memory.ts';
import { createTokenCheck, type TokenRule } from './tokens.ts';
import { createTypeNeeds, type TypeRule } from './types.ts';

/** What is known of who asks, before it is believed. */
export interface Client {
  readonly address: string;
  /** An OpenID Connect ID token. Empty is as good as none. */
  readonly token?: string;
  /** Named by a trusted proxy’s header. */
  readonly roles?: readonly string[];
}

/** Who asks: the roles that count. */
export interface Caller {
  readonly roles: ReadonlySet<string>;
  /** Whether a valid token was sent or a proxy vouched, which names one role at least. */
  readonly authenticated: boolean;
  /** Why a token that was sent does not count, one sentence. */
  readonly tokenFault?: string;
}

/** What a rule is asked about. */
export interface Subject {
  /** Every path by which the thing can be reached, the canonical one first. */
  readonly paths: readonly Identifier[];
  /** Its access type from metadata, such as `free` or `group:mpiwg`. */
  readonly type?: string;
}

/** All rules; the settings of access satisfy it. */
export interface AccessRules {
  readonly addresses: readonly AddressRule[];
  readonly tokens: readonly TokenRule[];
  readonly paths: readonly PathRule[];
  readonly types: readonly TypeRule[];
}

export interface Access {
  /** Whether any rule exists. */
  readonly isOn: boolean;
  /** The roles of who asks. Never rejects; it waits for an issuer’s keys for a few seconds at most. */
  identify(client: Client): Promise<Caller>;
  /** Whether every place and the type of a thing are open to the caller. */
  isAllowed(subject: Subject, caller: Caller): boolean;
  /** Whether everyone may see it, also without any role. */
  isOpen(subject: Subject): boolean;
  /** The check by path alone, for folders and for names that may not exist. */
  isPathAllowed(paths: readonly Identifier[], caller: Caller): boolean;
}

export interface AccessOptions {
  /** Told in one sentence, without anything of a token, of what a person should mend. */
  readonly onFault: (message: string) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** How keys are fetched. */
  readonly fetch?: typeof fetch;
}

/** Somebody of whom nothing is known. */
export const anyone: Caller = { roles: new Set(), authenticated: false };

function createIdentify(rules: AccessRules, options: AccessOptions): Access['identify'] {
  const { onFault, now = () => Date.now(), fetch = globalThis.fetch } = options;
  const addressRoles = createAddressRoles(rules.addresses);
  const verify = rememberVerdicts(createTokenCheck(rules.tokens, { onFault, now, fetch }), now);
  return async ({ address, token, roles: vouched = [] }) => {
    const verdict = token ? await verify(token) : undefined;
    const byToken = verdict?.kind === 'valid' ? verdict.roles : [];
    return {
      roles: new Set([...addressRoles(address), ...byToken, ...vouched]),
      authenticated: verdict?.kind === 'valid' || vouched.length > 0,
      ...(verdict === undefined || verdict.kind === 'valid' ? {} : { tokenFault: verdict.fault }),
    };
  };
}

/** Decides by these rules. Throws TypeError for a rule that could never be right: a bad address, path, or no keys. */
export function createAccess(rules: AccessRules, options: AccessOptions): Access {
  const needAt = createPathNeeds(rules.paths);
  const needOf = createTypeNeeds(rules.types);
  const hasPaths = rules.paths.length > 0;

  function isPathAllowed(places: readonly Identifier[], { roles }: Caller): boolean {
    if (!hasPaths) return true;
    for (const place of places) if (!isMet(needAt(place), roles)) return false;
    // What is nowhere can’t be told to be open.
    return places.length > 0;
  }

  const isAllowed = ({ paths: places, type }: Subject, caller: Caller): boolean =>
    isMet(needOf(type), caller.roles) && isPathAllowed(places, caller);

  return {
    isOn: [rules.addresses, rules.tokens, rules.paths, rules.types].some((list) => list.length > 0),
    identify: createIdentify(rules, options),
    isAllowed,
    isOpen: (subject) => isAllowed(subject, anyone),
    isPathAllowed,
  };
}

/** No rules: everyone sees everything. */
export const openAccess: Access = createAccess(
  { addresses: [], tokens: [], paths: [], types: [] },
  { onFault: () => undefined },
);
