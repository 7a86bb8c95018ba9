/** Which roles a path asks for: those of the rules for its folders, as a tree of names that is made once. */
import { isImageName } from '../image/model/formats.ts';
import { type Identifier, parseIdentifier, splitPage } from '../image/model/identifier.ts';
import { foldName } from './fold.ts';
import { joinRoles, type Need } from './needs.ts';

/** A folder that, with all below, needs one of the roles; an empty path is the whole library. */
export interface PathRule {
  readonly path: string;
  readonly roles: readonly string[];
}

/** A folder on the way to rules. */
interface Level {
  readonly need: Need;
  readonly below: ReadonlyMap<string, Level>;
}

/** A folder's rules while they are gathered. */
interface Draft {
  own: Need;
  readonly below: Map<string, Draft>;
}

function draftAt(parent: Draft, name: string): Draft {
  const known = parent.below.get(name);
  if (known !== undefined) return known;
  const fresh: Draft = { own: undefined, below: new Map() };
  parent.below.set(name, fresh);
  return fresh;
}

function gather(rules: readonly PathRule[]): Draft {
  const root: Draft = { own: undefined, below: new Map() };
  for (const { path, roles } of rules) {
    const folder = parseIdentifier(path);
    if (folder === undefined) throw new TypeError(`The path “${path}” of a rule can name no folder of the library.`);
    const draft = folder.segments.map(foldName).reduce(draftAt, root);
    draft.own = joinRoles(draft.own, roles);
  }
  return root;
}

/** Nested rules are alternatives (digilib.md, section 7); a rule without roles closes what those around it opened. */
function needInside(around: Need, own: Need): Need {
  if (own === undefined) return around;
  const isReopened = around?.length === 0;
  return joinRoles(isReopened ? undefined : around, own);
}

function settle({ own, below }: Draft, around: Need): Level {
  const need = needInside(around, own);
  return { need, below: new Map([...below].map(([name, draft]) => [name, settle(draft, need)])) };
}

/** The rule of a file holds for the pages inside of it as well, which have names of their own. */
function levelOfPage({ below }: Level, name: string): Level | undefined {
  const { file } = splitPage(name);
  return file !== name && isImageName(file) ? below.get(foldName(file)) : undefined;
}

/**
 * What a place in the library asks for by its path, whether or not there is such a place. Throws TypeError for a rule
 * whose path can name nothing, since it would guard nothing.
 */
export function createPathNeeds(rules: readonly PathRule[]): (place: Identifier) => Need {
  const root = settle(gather(rules), undefined);
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
