/** The redactions in `metadata.yaml`. What can't be read of them closes its page, or all pages where it may be any. */
import { type FolderRedactions, unreadableRedactions } from '../../image/folder/folder-metadata.ts';
import { joinRedactions, parseRedaction, type Redactions, redactionMembers } from '../../image/model/redaction.ts';
import { canonicalName, type Faults, itemsOf, kindName, type MapValue, type Value } from './fields.ts';
import type { PageNames } from './page-entries.ts';

const closed = 'Until that is right, the page is closed.';
const allClosed = 'Until that is right, all pages are closed.';

/** The texts of a member; undefined where it is something else. */
function textsIn(value: Value): readonly string[] | undefined {
  const items = itemsOf(value);
  const texts = items.flatMap((item) => (item.kind === 'text' ? [item.text] : []));
  return texts.length === items.length ? texts : undefined;
}

function membersOf(map: MapValue): ReadonlyMap<string, readonly string[]> | string {
  const members = new Map<string, readonly string[]>();
  for (const { key, value } of map.entries) {
    const name = canonicalName(key, redactionMembers);
    if (name === undefined) return `A redaction has no key “${key}”.`;
    const texts = textsIn(value);
    if (texts === undefined || (name !== 'roles' && texts.length !== 1) || members.has(name))
      return `“${name}” must be one text${name === 'roles' ? ' or a list of texts' : ''}, and be there once.`;
    members.set(name, texts);
  }
  return members;
}

/** One redaction: its region alone, or a map. */
function readOne(item: Value, faults: Faults): Redactions {
  const members =
    item.kind === 'text'
      ? new Map([['region', [item.text]]])
      : item.kind === 'map'
        ? membersOf(item)
        : `A redaction is a region, or a map with region, roles and until; this is ${kindName(item)}.`;
  const parsed =
    typeof members === 'string'
      ? { problem: members }
      : parseRedaction({
          region: members.get('region')?.[0],
          roles: members.get('roles') ?? [],
          until: members.get('until')?.[0],
          page: members.get('page')?.[0],
        });
  if ('value' in parsed) return [parsed.value];
  faults.add(item.line, `${parsed.problem} ${closed}`);
  return 'unreadable';
}

/** Those of one page; where there are none, something is missing. */
function readList(value: Value, faults: Faults): Redactions {
  const items = value.kind === 'list' ? value.items : [value];
  if (items.length === 0) faults.add(value.line, `This page has no region. ${closed}`);
  return joinRedactions(items.map((item) => readOne(item, faults))) ?? 'unreadable';
}

/** A map from a page, or several, to a redaction or a list of them. */
export function readRedactions(value: Value, pages: PageNames, faults: Faults): FolderRedactions {
  if (value.kind === 'empty') return { isUnreadable: false, byPage: new Map() };
  if (value.kind !== 'map') {
    faults.add(value.line, `“redactions” holds pages with regions; this is ${kindName(value)}. ${allClosed}`);
    return unreadableRedactions;
  }
  const byPage = new Map<string, Redactions>();
  let isUnreadable = false;
  for (const { key, line, value: list } of value.entries) {
    const found = pages.findAll({ kind: 'text', text: key, line }, faults);
    const isPlain = found.size > 0 && pages.foundAll(key);
    if (!isPlain) faults.add(line, `“${key}” names pages that are not there. ${allClosed}`);
    isUnreadable ||= !isPlain;
    const redactions = readList(list, faults);
    for (const file of found) byPage.set(file, joinRedactions([byPage.get(file), redactions]) ?? []);
  }
  return { isUnreadable, byPage };
}

const isRedactionKey = (key: string): boolean => /^redact/i.test(key.trim());

/** Keys below which a text that begins with “redact” is a name of something else. */
const freeKeys = ['metadata', 'label', 'summary', 'requiredStatement', 'attribution'] as const;

function misplacedIn(value: Value): { readonly key: string; readonly line: number } | undefined {
  if (value.kind === 'list') {
    for (const item of value.items) {
      const found = misplacedIn(item);
      if (found !== undefined) return found;
    }
  }
  for (const entry of value.kind === 'map' ? value.entries : []) {
    const found = isRedactionKey(entry.key) ? entry : misplacedIn(entry.value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a file has keys that may be meant for redactions, and are not where these are read; each a fault. */
export function hasMisplacedRedactions(map: MapValue, faults: Faults): boolean {
  const isRead = (key: string): boolean => canonicalName(key, ['redactions']) !== undefined;
  const named = map.entries.filter(({ key }) => isRead(key));
  const others = map.entries.filter(({ key }) => !isRead(key));
  const misplaced = [
    ...named.slice(1),
    ...others.filter(({ key }) => isRedactionKey(key)),
    ...others.flatMap(({ key, value }) =>
      isRedactionKey(key) || canonicalName(key, freeKeys) !== undefined ? [] : (misplacedIn(value) ?? []),
    ),
  ];
  for (const { key, line } of misplaced)
    faults.add(
      line,
      `“${key}” is not read here; redactions stand under one key “redactions” of the file. ${allClosed}`,
    );
  return misplaced.length > 0;
}
