/** The roles that paths and access types need (digilib.md, section 7): those of the rules, in a tree of names, and of the metadata. */
import { isImageName } from '../image/model/formats.ts';
import { type Identifier, parseIdentifier, splitPage } from '../image/model/identifier.ts';
import { unreadableAccess } from '../image/model/image-set.ts';

/** A caller needs one of these roles; undefined where everyone may see it, empty where nobody may. */
export type Need = readonly string[] | undefined;

/** Whether a caller with these roles meets the need. */
export function isMet(need: Need, roles: ReadonlySet<string>): boolean {
  if (need === undefined) return true;
  for (const role of need) if (roles.has(role)) return true;
  return false;
}

/** The need of two rules for the same path or type: any role of either meets it, but “nobody” remains nobody. */
export function joinRoles(own: Need, more: readonly string[]): readonly string[] {
  if (own === undefined) return more;
  return own.length === 0 || more.length === 0 ? [] : [...new Set([...own, ...more])];
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
export interface PathRule {
  readonly path: string;
  readonly roles: readonly string[];
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

function draftTree(rules: readonly PathRule[]): Draft {
  const root = emptyDraft();
  for (const { path, roles } of rules) {
    const folder = parseIdentifier(path);
    if (folder === undefined) throw new TypeError(`The path “${path}” of a rule can name no folder of the library.`);
    const draft = folder.segments.map(foldName).reduce(draftAt, root);
    draft.own = joinRoles(draft.own, roles);
  }
  return root;
}

/** Nested rules are alternatives (digilib.md, section 7). A rule without roles closes a folder, and one inside opens it again. */
function needInside(around: Need, own: Need): Need {
  if (own === undefined) return around;
  const isReopened = around?.length === 0;
  return joinRoles(isReopened ? undefined : around, own);
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
export function createNeedsInside(rules: readonly PathRule[]): (folder: Identifier) => readonly NeedInside[] {
  const root = buildLevel(draftTree(rules), undefined);
  return ({ segments }) => {
    let level: Level | undefined = root;
    for (const name of segments) level = level?.below.get(foldName(name));
    return [...(level?.below ?? [])].map(([name, { need }]) => ({ name, need }));
  };
}

/** Returns the need of a path, whether it exists or not. Throws TypeError for a rule whose path is invalid. */
export function createPathNeeds(rules: readonly PathRule[]): (path: Identifier) => Need {
  const root = buildLevel(draftTree(rules), undefined);
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
export interface TypeRule {
  readonly type: string;
  readonly roles: readonly string[];
}

const nobody: Need = [];

/**
 * Returns the need of an access type. Without any rules, types have no effect. Without a `default`, a type that no rule names
 * is closed: the metadata restricts the image, and no rule says who may see it. Unreadable metadata is always closed.
 */
export function createTypeNeeds(rules: readonly TypeRule[]): (type: string | undefined) => Need {
  if (rules.length === 0) return () => undefined;
  const needs = new Map<string, readonly string[]>();
  for (const { type, roles } of rules) needs.set(type, joinRoles(needs.get(type), roles));
  const byDefault = needs.get('default');
  return (type) => {
    if (type === 'free') return undefined;
    if (type === unreadableAccess) return nobody;
    return type === undefined ? byDefault : (needs.get(type) ?? byDefault ?? nobody);
  };
}
