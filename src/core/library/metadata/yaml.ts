/** Parses `metadata.yaml` into a tree for the vocabulary; aliases are followed within bounds. */
import { isAlias, isMap, isNode, isScalar, isSeq, type Pair } from 'yaml';
import type { FolderMetadata } from '../../image/folder/folder-metadata.ts';
import { quote } from '../../text/quote.ts';
import type { Faults } from './faults.ts';
import type { PageNames } from './pages.ts';
import { type Entry, kindName, type MapValue, textValue, type Value } from './value.ts';
import { readVocabulary } from './vocabulary.ts';
import { readYamlSyntax, type YamlSyntax } from './yaml-syntax.ts';

/** The largest number of nodes that aliases may expand to: enough for repeated texts, but not for an entity bomb. */
const maxAliased = 10_000;

class Tree {
  readonly #form: YamlSyntax;
  readonly #faults: Faults;
  /** The last node with each anchor, as far as the document has been read. */
  readonly #anchors = new Map<string, unknown>();
  #aliased = 0;
  #aliasDepth = 0;

  constructor(form: YamlSyntax, faults: Faults) {
    this.#form = form;
    this.#faults = faults;
  }

  valueOf(node: unknown, fallbackLine: number): Value {
    const line = this.#lineOf(node, fallbackLine);
    if (this.#aliasDepth > 0 && ++this.#aliased > maxAliased) {
      this.#faults.add(line, 'Aliases stand for too much here; the rest is left out.');
      return { kind: 'empty', line };
    }
    if (isAlias(node)) return this.#follow(node.source, line);
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor) this.#anchors.set(node.anchor, node);
    if (isMap(node)) return { kind: 'map', entries: node.items.flatMap((pair) => this.#entryOf(pair, line)), line };
    if (isSeq(node)) return { kind: 'list', items: node.items.map((item) => this.valueOf(item, line)), line };
    return isScalar(node) && !isNull(node) ? textValue(String(node.value), line) : { kind: 'empty', line };
  }

  #lineOf(node: unknown, fallback: number): number {
    const offset = isNode(node) ? node.range?.[0] : undefined;
    return offset === undefined ? fallback : this.#form.lineOf(offset);
  }

  #follow(name: string, line: number): Value {
    if (!this.#anchors.has(name)) {
      this.#faults.add(line, `There is no anchor ${quote(`&${name}`)} above; a text that begins with * needs quotes.`);
      return { kind: 'empty', line };
    }
    if (this.#aliased > maxAliased) return { kind: 'empty', line };
    if (this.#aliasDepth >= 5) {
      this.#faults.add(line, `The alias ${quote(`*${name}`)} leads to itself, or through too many others.`);
      return { kind: 'empty', line };
    }
    this.#aliasDepth++;
    const value = this.valueOf(this.#anchors.get(name), line);
    this.#aliasDepth--;
    return { ...value, line };
  }

  #entryOf(pair: Pair<unknown, unknown>, mapLine: number): readonly Entry[] {
    const key = this.valueOf(pair.key, mapLine);
    const value = this.valueOf(pair.value, key.line);
    if (key.kind === 'text') return [{ key: key.text, line: key.line, value }];
    this.#faults.add(key.line, `A key must be a text, not ${kindName(key)}.`);
    return [];
  }
}

/** `key:` and `key: ~` have no value; a quoted `~` is a text. */
const isNull = (scalar: { readonly value: unknown; readonly type?: unknown }): boolean =>
  scalar.type === 'PLAIN' && scalar.value === '~';

/** The keys of a YAML file; undefined where it has none. */
function keysOf(text: string, faults: Faults): MapValue | undefined {
  const form = readYamlSyntax(text, faults);
  if (form === undefined) return undefined;
  const root = new Tree(form, faults).valueOf(form.document.contents, 1);
  if (root.kind === 'map') return root;
  if (root.kind === 'empty') return undefined;
  const what = root.kind === 'text' ? `the text ${quote(root.text)}` : kindName(root);
  faults.add(root.line, `The file must consist of keys with values, such as label: Herbal; this is ${what}.`);
  return undefined;
}

/** The metadata in a YAML file. */
export function readYaml(
  text: string,
  pages: PageNames,
  jsonFiles: ReadonlySet<string>,
  faults: Faults,
): FolderMetadata {
  const map = keysOf(text, faults);
  return map === undefined ? {} : readVocabulary(map, pages, jsonFiles, faults);
}
