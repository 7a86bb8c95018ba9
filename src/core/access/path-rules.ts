/** The roles that a path needs: those of the rules for its folders, in a tree of names. */
import { isImageName } from '../image/model/formats.ts';
import { type Identifier, parseIdentifier, splitPage } from '../image/model/identifier.ts';
import { foldName } from './fold.ts';
import { joinRoles, type Need } from './needs.ts';

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
