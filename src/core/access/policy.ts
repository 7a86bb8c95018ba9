/** Decides who may see what: callers have roles, and paths and access types need them (digilib.md, section 7). */
import type { Identifier } from '../image/model/identifier.ts';
import { type AddressRule, createAddressRoles } from './network-addresses.ts';
import { createPathNeeds, createTypeNeeds, isMet, type PathRule, type TypeRule } from './path-rules.ts';
import type { TokenRule } from './tokens.ts';
import { faults, refused, type VerifyToken } from './verdict.ts';

/** What a client sends about itself, before it is verified. */
export interface Client {
  readonly address: string;
  /** An OpenID Connect ID token. An empty one counts as none. */
  readonly token?: string;
  /** From a header of a trusted proxy. */
  readonly roles?: readonly string[];
}

/** A client with its verified roles. */
export interface Caller {
  readonly roles: ReadonlySet<string>;
  /** Whether it sent a valid token, or a trusted proxy named at least one role. */
  readonly authenticated: boolean;
  /** Why its token is not accepted, in one sentence. */
  readonly tokenFault?: string;
}

/** An image or folder, as far as rules apply to it. */
export interface Subject {
  /** Every path under which the library shows it, the canonical one first. */
  readonly paths: readonly Identifier[];
  /** Its access type from metadata, such as `free` or `group:mpiwg`. */
  readonly type?: string;
}

/** All rules, as in the settings. */
export interface AccessRules {
  readonly addresses: readonly AddressRule[];
  readonly tokens: readonly TokenRule[];
  readonly paths: readonly PathRule[];
  readonly types: readonly TypeRule[];
}

export interface Access {
  readonly isOn: boolean;
  /** Verifies a client. Never rejects; waits at most a few seconds for the keys of an issuer. */
  identify(client: Client): Promise<Caller>;
  /** Whether the caller may see every path and the type of a subject. */
  isAllowed(subject: Subject, caller: Caller): boolean;
  /** Whether everyone may see it, even without any role. */
  isOpen(subject: Subject): boolean;
  /** Checks the paths alone, for folders and for names that may not exist. */
  isPathAllowed(paths: readonly Identifier[], caller: Caller): boolean;
}

/** A caller without any role. */
export const anyone: Caller = { roles: new Set(), authenticated: false };

function createIdentify(rules: AccessRules, verify: VerifyToken): Access['identify'] {
  const addressRoles = createAddressRoles(rules.addresses);
  return async ({ address, token, roles: proxyRoles = [] }) => {
    const verdict = token ? await verify(token) : undefined;
    const tokenRoles = verdict?.kind === 'valid' ? verdict.roles : [];
    return {
      roles: new Set([...addressRoles(address), ...tokenRoles, ...proxyRoles]),
      authenticated: verdict?.kind === 'valid' || proxyRoles.length > 0,
      ...(verdict === undefined || verdict.kind === 'valid' ? {} : { tokenFault: verdict.fault }),
    };
  };
}

/** Without rules for tokens, no issuer is trusted. */
const trustNone: VerifyToken = async () => refused(faults.issuer);

/** `verify` verifies tokens by `rules.tokens`. Throws TypeError for a rule with an invalid address or path. */
export function createAccess(rules: AccessRules, verify: VerifyToken = trustNone): Access {
  const needAt = createPathNeeds(rules.paths);
  const needOf = createTypeNeeds(rules.types);
  const hasPaths = rules.paths.length > 0;

  function isPathAllowed(paths: readonly Identifier[], { roles }: Caller): boolean {
    if (!hasPaths) return true;
    for (const path of paths) if (!isMet(needAt(path), roles)) return false;
    // Without a path nothing shows that it is open.
    return paths.length > 0;
  }

  const isAllowed = ({ paths, type }: Subject, caller: Caller): boolean =>
    isMet(needOf(type), caller.roles) && isPathAllowed(paths, caller);

  return {
    isOn: [rules.addresses, rules.tokens, rules.paths, rules.types].some((list) => list.length > 0),
    identify: createIdentify(rules, verify),
    isAllowed,
    isOpen: (subject) => isAllowed(subject, anyone),
    isPathAllowed,
  };
}

/** No rules: everyone sees everything. */
export const openAccess: Access = createAccess({ addresses: [], tokens: [], paths: [], types: [] });
