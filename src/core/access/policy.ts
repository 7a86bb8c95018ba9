/** Decides who may see what: callers have roles, and paths and access types need them (digilib.md, section 7). */

import { BlockList, isIP, SocketAddress } from 'node:net';
import { isImageName } from '../image/model/formats.ts';
import { childOf, type Identifier } from '../image/model/identifier.ts';
import type { Tier } from '../image/model/tier.ts';
import { type ClaimRule, type Claims, rolesOfClaims } from './claims.ts';
import { isLinkFor, type LinkGrant, rankWithLinks } from './link-grants.ts';
import {
  createNeedsInside,
  createPathNeeds,
  createTypeNeeds,
  endOfRule,
  type Grants,
  type Need,
  nothingRank,
  type PathRule,
  type Rank,
  type RankOfTier,
  rankBy,
  type TypeRule,
  wholeRank,
} from './path-rules.ts';
import type { TokenRule } from './tokens.ts';
import { faults, refused, type VerifyToken } from './verdict.ts';

/** An address, a CIDR range, or the first complete parts of an address such as `130.92`, and the roles that it gives. */
export interface AddressRule {
  readonly address: string;
  readonly roles: readonly string[];
}

interface Address {
  readonly family: 'ipv4' | 'ipv6';
  readonly text: string;
}

interface Range extends Address {
  readonly bits: number;
}

/** Parses an address. Zone ids are dropped, and IPv4-mapped IPv6 addresses (RFC 4291, section 2.5.5.2) become IPv4. */
function parseAddress(text: string): Address | undefined {
  const plain = text.replace(/%.*$/s, '');
  const family = isIP(plain);
  if (family === 0) return undefined;
  if (family === 4) return { family: 'ipv4', text: plain };
  const short = new SocketAddress({ address: plain, family: 'ipv6' }).address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(short)?.[1];
  return mapped === undefined ? { family: 'ipv6', text: short } : { family: 'ipv4', text: mapped };
}

/** The bits of an IPv4-mapped IPv6 address before the IPv4 address. */
const mappedBits = 96;

function rangeOf(start: string, length: string | undefined): Range | undefined {
  const address = parseAddress(start);
  if (address === undefined) return undefined;
  const isWrittenAsIpv6 = start.includes(':');
  const maxBits = isWrittenAsIpv6 ? 128 : 32;
  const bits = Number(length ?? maxBits);
  if (bits > maxBits) return undefined;
  if (address.family === 'ipv6' || !isWrittenAsIpv6) return { ...address, bits };
  return bits < mappedBits
    ? { family: 'ipv6', text: `::ffff:${address.text}`, bits }
    : { ...address, bits: bits - mappedBits };
}

/** The range of a prefix: the first complete parts of an address. */
function rangeOfPrefix(prefix: string): Range | undefined {
  if (/^\d{1,3}(?:\.\d{1,3}){0,2}\.?$/.test(prefix)) {
    const parts = prefix.split('.').filter((part) => part !== '');
    return rangeOf([...parts, '0', '0', '0'].slice(0, 4).join('.'), String(parts.length * 8));
  }
  if (!/^[0-9a-f]{1,4}:(?:[0-9a-f]{1,4}:){0,5}(?:[0-9a-f]{1,4})?:?$/i.test(prefix)) return undefined;
  const groups = prefix.split(':').filter((group) => group !== '');
  return rangeOf(`${groups.join(':')}::`, String(groups.length * 16));
}

function requireRange(text: string): Range {
  const [, start = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const range = rangeOf(start, length) ?? rangeOfPrefix(text);
  if (range === undefined) throw new TypeError(`“${text}” is no address, range or prefix of addresses.`);
  return range;
}

/** The ranges of one address family that give the same roles. */
interface Group {
  readonly family: Address['family'];
  readonly roles: readonly string[];
  readonly list: BlockList;
}

/** The families have separate lists, since a BlockList finds IPv4 addresses in `::/0`. */
function groupsOf(rules: readonly AddressRule[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { address, roles } of rules) {
    const { family, text, bits } = requireRange(address);
    const key = JSON.stringify([family, roles]);
    const group = groups.get(key) ?? { family, roles, list: new BlockList() };
    group.list.addSubnet(text, bits, family);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Returns the roles of all rules that match an address; none for invalid ones. Throws TypeError for an invalid rule. */
export function createAddressRoles(rules: readonly AddressRule[]): (address: string) => readonly string[] {
  const groups = groupsOf(rules);
  return (address) => {
    const client = groups.length === 0 ? undefined : parseAddress(address);
    if (client === undefined) return [];
    // Constructing it takes longer than the lookups, so it is shared by all of them.
    const socketAddress = new SocketAddress({ address: client.text, family: client.family });
    const matching = groups.filter(({ family, list }) => family === client.family && list.check(socketAddress));
    return matching.flatMap(({ roles }) => roles);
  };
}

/** What a client sends about itself, before it is verified. */
export interface Client {
  readonly address: string;
  /** An OpenID Connect ID token. An empty one counts as none. */
  readonly token?: string;
  /** From a header of a trusted proxy. */
  readonly roles?: readonly string[];
  /** A person who signed in, as far as that was verified; or why that does not count any more, in one sentence. */
  readonly signedIn?: SignedIn | SignInFault | undefined;
  /** Of signed links, as far as they count; and why one does not, in one sentence. */
  readonly links?: readonly LinkGrant[];
  readonly linkFault?: string | undefined;
}

/** A person who signed in, or a machine that sent its password. */
export interface SignedIn {
  /** As people read it. */
  readonly name: string;
  readonly roles: readonly string[];
  /** What its issuer says of it, by which rules give more roles. */
  readonly claims?: Claims;
  /** Present for a token that was given to the pages of this origin. */
  readonly givenTo?: string;
}

/** Why credentials do not count any more, in one sentence. */
export interface SignInFault {
  readonly fault: string;
  /** As of `SignedIn`. */
  readonly givenTo?: string;
}

/** A client with its verified roles. */
export interface Caller {
  readonly roles: ReadonlySet<string>;
  /** Whether it signed in or sent a valid token, or a trusted proxy named at least one role. */
  readonly authenticated: boolean;
  /** Present where its address alone gives it roles, which a browser sends with the pages of any site. */
  readonly hasRolesOfAddress?: true;
  /** Why its token, its session or its link is not accepted, in one sentence. */
  readonly tokenFault?: string;
  /** Of a person who signed in. */
  readonly name?: string;
  /** What signed links open, whatever the roles. */
  readonly links?: readonly LinkGrant[];
}

/** An image or folder, as far as rules by path and type apply to it. */
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
  readonly claims?: readonly ClaimRule[];
  readonly paths: readonly PathRule[];
  readonly types: readonly TypeRule[];
  /** The best first. */
  readonly tiers?: readonly Tier[];
  /** Whether callers get roles in other ways, such as by signing in: metadata may speak of them without any rule here. */
  readonly givesRoles?: boolean;
}

/** How a caller may see something: whole or in a tier. */
export type Grant = 'all' | Tier;

export interface Access {
  readonly isOn: boolean;
  /** The best first. */
  readonly tiers: readonly Tier[];
  /** Verifies a client. Never rejects; waits at most a few seconds for the keys of an issuer. */
  identify(client: Client): Promise<Caller>;
  /** Whether a client has roles by its address alone. */
  hasRolesAt(address: string): boolean;
  /** How the caller may see a subject: the worst of what its paths and its type give; undefined for not at all. */
  grantFor(subject: Subject, caller: Caller): Grant | undefined;
  /** The same of the paths alone, for folders and for names that may not exist. */
  grantAt(paths: readonly Identifier[], caller: Caller): Grant | undefined;
  /** Whether everyone, even without any role, may see a subject so, or better. */
  isOpen(subject: Subject, grant?: Grant): boolean;
  /** Whether somebody with this grant may see what another one gives. */
  includes(grant: Grant, other: Grant): boolean;
  /**
   * Whether rules may close some of the images or folders right in a folder, by all paths of it, to a caller who may see the
   * folder; false only where everything in it can be seen, whole or in a tier.
   */
  mayHide(kind: 'images' | 'folders', paths: readonly Identifier[], caller: Caller): boolean;
}

/** A caller without any role. */
export const anyone: Caller = { roles: new Set(), authenticated: false };

type AddressRoles = ReturnType<typeof createAddressRoles>;

function createIdentify(rules: AccessRules, verify: VerifyToken, addressRoles: AddressRoles): Access['identify'] {
  const claimRules = rules.claims ?? [];
  return async ({ address, token, signedIn, roles: proxyRoles = [], links = [], linkFault }) => {
    const verdict = token ? await verify(token) : undefined;
    const tokenRoles = verdict?.kind === 'valid' ? verdict.roles : [];
    const isSignedIn = signedIn !== undefined && !('fault' in signedIn);
    const ownRoles = isSignedIn ? [...signedIn.roles, ...rolesOfClaims(claimRules, signedIn.claims ?? {})] : [];
    const tokenFault = verdict === undefined || verdict.kind === 'valid' ? undefined : verdict.fault;
    const fault = tokenFault ?? (isSignedIn ? undefined : signedIn?.fault) ?? linkFault;
    const shown = new Set([...tokenRoles, ...ownRoles, ...proxyRoles]);
    const byAddress = addressRoles(address);
    return {
      roles: new Set([...byAddress, ...shown]),
      ...(byAddress.some((role) => !shown.has(role)) && { hasRolesOfAddress: true as const }),
      authenticated: verdict?.kind === 'valid' || isSignedIn || proxyRoles.length > 0,
      ...(fault !== undefined && { tokenFault: fault }),
      ...(isSignedIn && { name: signedIn.name }),
      ...(links.length > 0 && { links }),
    };
  };
}

/** Without rules for tokens, no issuer is trusted. */
const trustNone: VerifyToken = async () => refused(faults.issuer);

function ranksOf(tiers: readonly Tier[]): RankOfTier {
  const ranks = new Map(tiers.map(({ name }, index) => [name, index + 1]));
  return (name) => {
    const rank = ranks.get(name);
    if (rank === undefined) throw new TypeError(`A rule names the tier “${name}”, which tiers does not have.`);
    return rank;
  };
}

/** The rules by path and by type that hold at one moment, ready to be asked. */
interface Needs {
  readonly hasPaths: boolean;
  readonly at: ReturnType<typeof createPathNeeds>;
  readonly inside: ReturnType<typeof createNeedsInside>;
  readonly ofType: ReturnType<typeof createTypeNeeds>;
}

function needsAt(nowMs: number, { paths, types }: AccessRules, rankOf: RankOfTier): Needs {
  const isOver = (rule: Grants): boolean => endOfRule(rule) <= nowMs;
  const holding = paths.filter((rule) => !isOver(rule));
  return {
    hasPaths: holding.length > 0,
    at: createPathNeeds(holding, rankOf),
    inside: createNeedsInside(holding, rankOf),
    ofType: createTypeNeeds(types, rankOf, isOver),
  };
}

/** Returns the rules that hold now; they are made again after the end of one. */
function createNeeds(rules: AccessRules, rankOf: RankOfTier, now: () => number): () => Needs {
  const ends = [...rules.paths, ...rules.types].map(endOfRule);
  const make = (nowMs: number) => ({
    needs: needsAt(nowMs, rules, rankOf),
    fromMs: nowMs,
    untilMs: Math.min(...ends.filter((endMs) => endMs > nowMs)),
  });
  let made = make(now());
  if (ends.every((endMs) => endMs === Number.POSITIVE_INFINITY)) return () => made.needs;
  return () => {
    const nowMs = now();
    // A clock that was wrong can be set back.
    if (nowMs < made.fromMs || nowMs >= made.untilMs) made = make(nowMs);
    return made.needs;
  };
}

/**
 * `verify` verifies tokens by `rules.tokens`. Throws TypeError for a rule with an invalid address, path or date, or one that
 * names no tier.
 */
export function createAccess(
  rules: AccessRules,
  verify: VerifyToken = trustNone,
  now: () => number = () => Date.now(),
): Access {
  const { tiers = [] } = rules;
  const rankOf = ranksOf(tiers);
  const needs = createNeeds(rules, rankOf, now);
  const addressRoles = createAddressRoles(rules.addresses);

  const rankOfTier = (name: string): Rank | undefined => {
    const index = tiers.findIndex((tier) => tier.name === name);
    return index < 0 ? undefined : index + 1;
  };

  /** The best that the roles of a caller and its links for these paths give. */
  function rankOfCaller(need: Need, { roles, links }: Caller, paths: readonly Identifier[]): Rank {
    if (links === undefined) return rankBy(need, roles);
    const own = paths.length === 0 ? [] : links.filter((link) => paths.every((path) => isLinkFor(link, path)));
    return rankWithLinks(need, roles, own, rankOfTier);
  }

  function rankAt(paths: readonly Identifier[], caller: Caller): Rank {
    const { hasPaths, at } = needs();
    if (!hasPaths) return wholeRank;
    // Without a path nothing shows that it is open.
    let worst = paths.length > 0 ? wholeRank : nothingRank;
    for (const path of paths) {
      worst = Math.max(worst, rankOfCaller(at(path), caller, [path]));
      if (worst === nothingRank) break;
    }
    return worst;
  }

  const rankFor = ({ paths, type }: Subject, caller: Caller): Rank =>
    Math.max(rankOfCaller(needs().ofType(type), caller, paths), rankAt(paths, caller));

  const mayHide: Access['mayHide'] = (kind, paths, caller) =>
    (kind === 'images' && rules.types.length > 0) ||
    paths.some((path) =>
      needs()
        .inside(path)
        .filter(({ name }) => kind === 'folders' || isImageName(name))
        .some(({ name, need }) => rankOfCaller(need, caller, [childOf(path, name)]) === nothingRank),
    );

  const grantOf = (rank: Rank): Grant | undefined => (rank === wholeRank ? 'all' : tiers[rank - 1]);
  const rankOfGrant = (grant: Grant): Rank => (grant === 'all' ? wholeRank : rankOf(grant.name));

  return {
    isOn:
      rules.givesRoles === true ||
      [rules.addresses, rules.tokens, rules.paths, rules.types].some((list) => list.length > 0),
    tiers,
    identify: createIdentify(rules, verify, addressRoles),
    hasRolesAt: (address) => addressRoles(address).length > 0,
    grantFor: (subject, caller) => grantOf(rankFor(subject, caller)),
    grantAt: (paths, caller) => grantOf(rankAt(paths, caller)),
    isOpen: (subject, grant = 'all') => rankFor(subject, anyone) <= rankOfGrant(grant),
    includes: (grant, other) => rankOfGrant(grant) <= rankOfGrant(other),
    mayHide,
  };
}

/** No rules: everyone sees everything. */
export const openAccess: Access = createAccess({ addresses: [], tokens: [], paths: [], types: [] });
