/** The keys of a metadata file, each with its reader (Presentation API 3.0, section 3). */
import {
  type FileLayer,
  type FolderMetadata,
  type Homepage,
  type LabeledText,
  type Structure,
  unreadableRedactions,
  type ViewingDirection,
} from '../../image/folder/folder-metadata.ts';
import { enumerate, quote } from '../../parsing/nearest.ts';
import {
  canonicalName,
  type Entry,
  type Faults,
  itemsOf,
  kindName,
  type MapValue,
  maxChapters,
  maxPairs,
  readAddress,
  readFields,
  readLanguages,
  readOneText,
  readTexts,
  readWord,
  uniqueEntries,
  type Value,
} from './fields.ts';
import { type PageNames, readPages, readStructures } from './page-entries.ts';
import { hasMisplacedRedactions, readRedactions } from './page-redactions.ts';

const viewingDirections: readonly ViewingDirection[] = [
  'left-to-right',
  'right-to-left',
  'top-to-bottom',
  'bottom-to-top',
];

/** Behaviors of a folder, in groups that exclude each other (Presentation API 3.0, section 3.4). */
const behaviorGroups: readonly (readonly string[])[] = [
  ['auto-advance', 'no-auto-advance'],
  ['repeat', 'no-repeat'],
  ['unordered', 'individuals', 'continuous', 'paged'],
  ['multi-part', 'together'],
  ['sequence', 'thumbnail-nav', 'no-nav'],
  ['hidden'],
];

const nothing = (line: number): Value => ({ kind: 'empty', line });

function readLabeled(map: MapValue, name: string, faults: Faults): LabeledText | undefined {
  const fields = readFields(map, ['label', 'value'], faults);
  const label = readLanguages(fields.get('label') ?? nothing(map.line), 'label', faults);
  const value = readLanguages(fields.get('value') ?? nothing(map.line), 'value', faults);
  if (label !== undefined && value !== undefined) return { label, value };
  const missing = [...(label ? [] : ['label']), ...(value ? [] : ['value'])];
  faults.add(map.line, `${name} has no ${enumerate(missing)}, and is left out.`);
  return undefined;
}

/** Pairs of label and value that have one, each label once. */
export function* namedPairs(entries: readonly Entry[], faults: Faults): Generator<LabeledText> {
  for (const { key, value } of uniqueEntries(entries, faults)) {
    const texts = readLanguages(value, key, faults);
    if (texts !== undefined) yield { label: { none: [key] }, value: texts };
  }
}

/** Pairs as a map from label to value, or as a list of these or of maps with label and value. */
function readPairs(value: Value, faults: Faults): readonly LabeledText[] {
  if (value.kind === 'map') return [...namedPairs(value.entries, faults)];
  return itemsOf(value).flatMap((item) => {
    if (item.kind !== 'map') {
      faults.add(item.line, `“metadata” holds pairs such as Author: Goethe; this is ${kindName(item)}.`);
      return [];
    }
    const [only, ...more] = item.entries;
    const isNamed =
      only !== undefined && more.length === 0 && canonicalName(only.key, ['label', 'value']) === undefined;
    if (isNamed) return [...namedPairs(item.entries, faults)];
    return readLabeled(item, 'This pair', faults) ?? [];
  });
}

function readRequiredStatement(value: Value, faults: Faults): LabeledText | undefined {
  if (value.kind === 'map') return readLabeled(value, '“requiredStatement”', faults);
  if (value.kind !== 'empty')
    faults.add(value.line, `“requiredStatement” must have a label and a value; this is ${kindName(value)}.`);
  return undefined;
}

function readFormat(value: Value, faults: Faults): string | undefined {
  const format = readOneText(value, 'format', faults);
  if (format === undefined || /^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/i.test(format.text)) return format?.text.toLowerCase();
  faults.add(format.line, `“format” must be a media type such as text/html, not ${quote(format.text)}.`);
  return undefined;
}

const exampleHomepage = 'https://example.org/herbal';

function readHomepage(value: Value, faults: Faults): Homepage | undefined {
  const fields =
    value.kind === 'map'
      ? readFields(value, ['id', 'url', 'label', 'format'], faults)
      : new Map([['id' as const, value]]);
  const address = fields.get('id') ?? fields.get('url');
  if (address === undefined) faults.add(value.line, 'This homepage has no url, and is left out.');
  const id = address && readAddress(address, 'homepage', exampleHomepage, faults);
  if (id === undefined) return undefined;
  const label = readLanguages(fields.get('label') ?? nothing(value.line), 'label', faults) ?? { none: [id] };
  return { id, label, format: readFormat(fields.get('format') ?? nothing(value.line), faults) ?? 'text/html' };
}

/** Behaviors that only canvases have (Presentation API 3.0, section 3.4): each is a key with a list of pages. */
const pageBehaviors: ReadonlySet<string> = new Set(['non-paged', 'facing-pages']);

function readBehavior(value: Value, faults: Faults): readonly string[] {
  const chosen: string[] = [];
  for (const text of readTexts(value, 'behavior', faults)) {
    if (pageBehaviors.has(text.text)) {
      faults.add(
        text.line,
        `${quote(text.text)} is no behavior of a folder; name the pages that it applies to, such as ${text.text}: 3-7.`,
      );
      continue;
    }
    const word = readWord(text, 'behavior', behaviorGroups.flat(), faults);
    const conflicting = chosen.find((other) =>
      behaviorGroups.some((group) => group.includes(other) && group.includes(word ?? '')),
    );
    if (word === undefined) continue;
    if (conflicting === undefined) chosen.push(word);
    else if (word === conflicting) faults.add(text.line, `The behavior ${quote(word)} is given twice.`);
    else faults.add(text.line, `The behavior ${quote(word)} can’t go with ${quote(conflicting)}, which counts.`);
  }
  return chosen;
}

/** The files of annotations of each page: a map from a page to a file's name, or to a list of names. */
function readAnnotations(value: Value, pages: PageNames, files: ReadonlySet<string>, faults: Faults): FolderMetadata {
  if (value.kind !== 'map') {
    if (value.kind !== 'empty')
      faults.add(value.line, `“annotations” holds pairs such as page-003: notes.json; this is ${kindName(value)}.`);
    return {};
  }
  const named = new Map<string, readonly string[]>();
  for (const { key, line, value: list } of uniqueEntries(value.entries, faults)) {
    const names = readTexts(list, key, faults).flatMap((text) => {
      if (files.has(text.text)) return [text.text];
      faults.add(text.line, `There is no file ${quote(text.text)} in this folder whose name ends with .json.`);
      return [];
    });
    for (const file of pages.find({ kind: 'text', text: key, line }, faults)) {
      named.set(file, [...new Set([...(named.get(file) ?? []), ...names])]);
    }
  }
  return named.size > 0 ? { annotations: named } : {};
}

/** The layers of a page that are not those of another one, itself among them. */
function readLayersOf(
  page: string,
  value: Value,
  pages: PageNames,
  faults: Faults,
  used: Set<string>,
): readonly FileLayer[] {
  const { pageOrder = [], pageLabels } = readPages(
    { kind: 'list', items: itemsOf(value), line: value.line },
    pages,
    faults,
  );
  const files = pageOrder.includes(page) ? pageOrder : [page, ...pageOrder];
  const free = files.filter((file) => {
    if (used.has(file)) faults.add(value.line, `${quote(file)} is a layer of another page already.`);
    return !used.has(file);
  });
  for (const file of free) used.add(file);
  return free.map((file) => {
    const label = pageLabels?.get(file);
    return label === undefined ? { file } : { file, label };
  });
}

/** The layers of each page: a map from a page to a list of pages, with labels or without. */
function readLayers(value: Value, pages: PageNames, faults: Faults): FolderMetadata {
  if (value.kind !== 'map') {
    if (value.kind !== 'empty')
      faults.add(value.line, `“layers” holds pairs such as page-003: [page-003-uv]; this is ${kindName(value)}.`);
    return {};
  }
  const [layers, used] = [new Map<string, readonly FileLayer[]>(), new Set<string>()];
  for (const { key, line, value: list } of uniqueEntries(value.entries, faults)) {
    const [page, ...more] = pages.find({ kind: 'text', text: key, line }, faults);
    if (more.length > 0) faults.add(line, `Layers belong to one page; ${quote(key)} names several.`);
    if (page === undefined || more.length > 0) continue;
    if (used.has(page)) faults.add(line, `${quote(page)} is a layer of another page already.`);
    else layers.set(page, readLayersOf(page, list, pages, faults, used));
  }
  return layers.size > 0 ? { layers } : {};
}

type Reader = (value: Value, faults: Faults, pages: PageNames, files: ReadonlySet<string>) => FolderMetadata;

/** `{ [name]: value }`, or nothing where there is no value or an empty list. */
function member<Name extends keyof FolderMetadata>(name: Name, value: FolderMetadata[Name]): FolderMetadata {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? {} : { [name]: value };
}

/** The file names of all pages that a text or a list names. */
const readPageNames = (value: Value, name: string, pages: PageNames, faults: Faults): readonly string[] => [
  ...new Set(readTexts(value, name, faults).flatMap((text) => pages.find(text, faults))),
];

/** The first chapters in the order of the file, with those inside; `left` counts down how many more there may be. */
const firstOf = (structures: readonly Structure[], rest: { left: number }): readonly Structure[] =>
  structures.flatMap((one) => (--rest.left < 0 ? [] : [{ ...one, structures: firstOf(one.structures, rest) }]));

const readContents: Reader = (value, faults, pages) => {
  const rest = { left: maxChapters };
  const structures = firstOf(readStructures(value, pages, faults), rest);
  if (rest.left < 0) faults.add(value.line, `There are more than ${maxChapters} chapters; the others are left out.`);
  return member('structures', structures);
};

/** The first pairs. */
function readFirstPairs(value: Value, faults: Faults): readonly LabeledText[] {
  const pairs = readPairs(value, faults);
  if (pairs.length > maxPairs)
    faults.add(value.line, `There are more than ${maxPairs} pairs; the others are left out.`);
  return pairs.slice(0, maxPairs);
}

const readers = {
  label: (value, faults) => member('label', readLanguages(value, 'label', faults)),
  summary: (value, faults) => member('summary', readLanguages(value, 'summary', faults)),
  metadata: (value, faults) => member('metadata', readFirstPairs(value, faults)),
  rights: (value, faults) =>
    member('rights', readAddress(value, 'rights', 'https://creativecommons.org/licenses/by/4.0/', faults)),
  requiredStatement: (value, faults) => member('requiredStatement', readRequiredStatement(value, faults)),
  attribution: (value, faults) => {
    const text = readLanguages(value, 'attribution', faults);
    return text === undefined ? {} : { requiredStatement: { label: { en: ['Attribution'] }, value: text } };
  },
  homepage: (value, faults) =>
    member(
      'homepage',
      itemsOf(value).flatMap((item) => readHomepage(item, faults) ?? []),
    ),
  viewingDirection: (value, faults) => {
    const text = readOneText(value, 'viewingDirection', faults);
    return member('viewingDirection', text && readWord(text, 'viewing direction', viewingDirections, faults));
  },
  behavior: (value, faults) => member('behavior', readBehavior(value, faults)),
  'non-paged': (value, faults, pages) => member('nonPaged', readPageNames(value, 'non-paged', pages, faults)),
  'facing-pages': (value, faults, pages) => member('facingPages', readPageNames(value, 'facing-pages', pages, faults)),
  pages: (value, faults, pages) => readPages(value, pages, faults),
  structures: readContents,
  layers: (value, faults, pages) => readLayers(value, pages, faults),
  annotations: (value, faults, pages, files) => readAnnotations(value, pages, files, faults),
  contents: readContents,
  redactions: (value, faults, pages) => ({ redactions: readRedactions(value, pages, faults) }),
} satisfies Readonly<Record<string, Reader>>;

const keys = Object.keys(readers) as readonly (keyof typeof readers)[];

/** The metadata of a folder from the tree of its file. `files` are the names of its files that end with `.json`. */
export function readVocabulary(
  map: MapValue,
  pages: PageNames,
  files: ReadonlySet<string>,
  faults: Faults,
): FolderMetadata {
  let metadata: FolderMetadata = {};
  for (const [name, value] of readFields(map, keys, faults)) {
    const reader: Reader = readers[name];
    const read = reader(value, faults, pages, files);
    const twice = Object.keys(read).some((key) => key in metadata);
    if (twice) faults.add(value.line, `What ${quote(name)} says is said above by another key, which counts.`);
    else metadata = { ...metadata, ...read };
  }
  return hasMisplacedRedactions(map, faults) ? { ...metadata, redactions: unreadableRedactions } : metadata;
}
