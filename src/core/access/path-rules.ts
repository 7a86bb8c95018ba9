/** What paths and access types need (digilib.md, section 7): the roles and tiers of the rules, in a tree of names, and by metadata. */
import { isImageName } from '../image/model/formats.ts';
import { type Identifier, parseIdentifier, splitPage } from '../image/model/identifier.ts';
import { unreadableAccess } from '../image/model/image-set.ts';
import { endOfUntil } from '../image/model/until.ts';

/** A tier, and the roles that give it. */
export interface TierGrant {
  readonly tier: string;
  readonly roles: readonly string[];
}

/** What a rule says of all that it is for. */
export interface Grants {
  /** Each of them is enough to see it whole; nobody does without any. */
  readonly roles: readonly string[];
  /** Less than the whole, for further roles. */
  readonly tiers?: readonly TierGrant[] | undefined;
  /** The tier that everyone has, even without any role. */
  readonly everyone?: string | undefined;
  /** The year, month or day (`2061-07-31`) through which the rule holds, by UTC; always by default. */
  readonly until?: string | undefined;
}

/** The end of a rule in ms since 1970; infinity where it always holds. Throws TypeError where its date is none. */
export function endOfRule({ until }: Grants): number {
  if (until === undefined) return Number.POSITIVE_INFINITY;
  const end = endOfUntil(until);
  if (end === undefined) throw new TypeError(`“${until}” is no date until which a rule can hold, such as 2061-07-31.`);
  return end;
}

/** How much a caller may see: 0 for the whole, 1 for the best tier, 2 for the next; infinity for nothing. */
export type Rank = number;

export const wholeRank: Rank = 0;
export const nothingRank: Rank = Number.POSITIVE_INFINITY;

/** The rank of a tier by its name. Throws TypeError where there is no such tier. */
export type RankOfTier = (name: string) => Rank;

/** What callers need; undefined where everyone may see the whole. */
export type Need =
  | {
      /** One of these roles for the whole; empty where nobody may see it. */
      readonly roles: readonly string[];
      readonly tiers: readonly { readonly rank: Rank; readonly roles: readonly string[] }[];
      /** What everyone has. */
      readonly everyone: Rank;
    }
  | undefined;

type Demand = NonNullable<Need>;

function hasAny(roles: ReadonlySet<string>, wanted: readonly string[]): boolean {
  for (const role of wanted) if (roles.has(role)) return true;
  return false;
}

/** The best that any role of a caller gives. */
export function rankBy(need: Need, roles: ReadonlySet<string>): Rank {
  if (need === undefined || hasAny(roles, need.roles)) return wholeRank;
  let rank = need.everyone;
  for (const tier of need.tiers) if (tier.rank < rank && hasAny(roles, tier.roles)) rank = tier.rank;
  return rank;
}

const demandOf = ({ roles, tiers = [], everyone }: Grants, rankOf: RankOfTier): Demand => ({
  roles,
  tiers: tiers.map((grant) => ({ rank: rankOf(grant.tier), roles: grant.roles })),
  everyone: everyone === undefined ? nothingRank : rankOf(everyone),
});

const joined = (one: Demand, other: Demand): Demand => ({
  roles: [...new Set([...one.roles, ...other.roles])],
  tiers: [...one.tiers, ...other.tiers],
  everyone: Math.min(one.everyone, other.everyone),
});

/** Whether nobody may see the whole, whatever the roles. */
export const isForNobody = ({ roles }: Demand): boolean => roles.length === 0;

/** The need of two rules for the same path or type: what either gives, but “nobody” remains nobody, with its own tiers alone. */
function joinDemands(own: Need, more: Demand): Demand {
  if (own === undefined) return more;
  if (isForNobody(own) === isForNobody(more)) return joined(own, more);
  return isForNobody(own) ? own : more;
}

const isPlain = (name: string): boolean => /^[\x20-\x7e]*$/.test(name);

/** Invisible characters, such as the zero-width joiner: HFS+ ignores them in names. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The same text for all spellings of a name that differ in case, Unicode normalization form or invisible characters. Lower
 * case comes first because of ẞ: its upper case is itself, but that of its lower case ß is SS.
 */
export function foldName(name: string): string {
  if (isPlain(name)) return name.toLowerCase();
  const composed = name.replace(ignorable, '').normalize('NFC');
  return composed.toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

/** The folder at a path, with everything below it, needs one of the roles; an empty path is the whole library. */
export interface PathRule extends Grants {
  readonly path: string;
}

/** A folder that has a rule, or contains one that has. */
interface Level {
  readonly need: Need;
  readonly below: ReadonlyMap<string, Level>;
}

interface Draft {
  own: Need;
  readonly below: Map<string, Draft>;
}

const emptyDraft = (): Draft => ({ own: undefined, below: new Map() });

function draftAt({ below }: Draft, name: string): Draft {
  const draft = below.get(name) ?? emptyDraft();
  below.set(name, draft);
  return draft;
}

function draftTree(rules: readonly PathRule[], rankOf: RankOfTier): Draft {
  const root = emptyDraft();
  for (const { path, ...grants } of rules) {
    const folder = parseIdentifier(path);
    if (folder === undefined) throw new TypeError(`The path “${path}” of a rule can name no folder of the library.`);
    const draft = folder.segments.map(foldName).reduce(draftAt, root);
    draft.own = joinDemands(draft.own, demandOf(grants, rankOf));
  }
  return root;
}

/** Nested rules are alternatives (digilib.md, section 7). A rule without roles closes a folder, and one inside opens it again. */
function needInside(around: Need, own: Need): Need {
  if (own === undefined || around === undefined) return own ?? around;
  return isForNobody(own) ? own : joined(around, own);
}

function buildLevel({ own, below }: Draft, around: Need): Level {
  const need = needInside(around, own);
  return { need, below: new Map([...below].map(([name, draft]) => [name, buildLevel(draft, need)])) };
}

/** The rule of a file also applies to the pages in it, which have names of their own. */
function levelOfPage({ below }: Level, name: string): Level | undefined {
  const { file } = splitPage(name);
  return file !== name && isImageName(file) ? below.get(foldName(file)) : undefined;
}

/** A name in a folder that has a rule, or contains one that has. */
export interface NeedInside {
  /** As `foldName` gives it. */
  readonly name: string;
  readonly need: Need;
}

/** Returns the names in a folder that rules know. Throws as `createPathNeeds` does. */
export function createNeedsInside(
  rules: readonly PathRule[],
  rankOf: RankOfTier,
): (folder: Identifier) => readonly NeedInside[] {
  const root = buildLevel(draftTree(rules, rankOf), undefined);
  return ({ segments }) => {
    let level: Level | undefined = root;
    for (const name of segments) level = level?.below.get(foldName(name));
    return [...(level?.below ?? [])].map(([name, { need }]) => ({ name, need }));
  };
}

/** Returns the need of a path, whether it exists or not. Throws TypeError for a rule whose path is invalid, or that names no tier. */
export function createPathNeeds(rules: readonly PathRule[], rankOf: RankOfTier): (path: Identifier) => Need {
  const root = buildLevel(draftTree(rules, rankOf), undefined);
  return ({ segments }) => {
    let level = root;
    for (let depth = 0; depth < segments.length && level.below.size > 0; depth++) {
      const name = segments[depth] ?? '';
      const next = level.below.get(foldName(name)) ?? levelOfPage(level, name);
      if (next === undefined) break;
      level = next;
    }
    return level.need;
  };
}

/** An access type such as `group:mpiwg` needs one of the roles; `default` is for every type without a rule, and for none. */
export interface TypeRule extends Grants {
  readonly type: string;
}

const nobody: Need = { roles: [], tiers: [], everyone: nothingRank };

/**
 * Returns the need of an access type. Without any rules, types have no effect. Without a `default`, a type that no rule names
 * is closed: the metadata restricts the image, and no rule says who may see it. Unreadable metadata is always closed. A type
 * whose rules are over, by `isOver`, is free.
 */
export function createTypeNeeds(
  rules: readonly TypeRule[],
  rankOf: RankOfTier,
  isOver: (rule: Grants) => boolean = () => false,
): (type: string | undefined) => Need {
  if (rules.length === 0) return () => undefined;
  const needs = new Map<string, Need>(rules.map(({ type }) => [type, undefined]));
  for (const rule of rules) {
    if (!isOver(rule)) needs.set(rule.type, joinDemands(needs.get(rule.type), demandOf(rule, rankOf)));
  }
  const unlisted = needs.has('default') ? needs.get('default') : nobody;
  return (type) => {
    if (type === 'free') return undefined;
    if (type === unreadableAccess) return nobody;
    if (type === undefined) return needs.get('default');
    return needs.has(type) ? needs.get(type) : unlisted;
  };
}
