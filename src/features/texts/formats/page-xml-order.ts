/** The reading order of a PAGE file: groups of references to regions, ordered by their indexes or as they come. */

import type { XmlAttributes as Attributes } from '../../../core/text/xml.ts';
import type { MutableBlock } from './page-builder.ts';
import { numberOf } from './page-builder.ts';

interface Group {
  readonly index: number | undefined;
  readonly region: string | undefined;
  readonly members: Group[];
}

const isGroup = (name: string): boolean => /^(?:Ordered|Unordered)Group(?:Indexed)?$/.test(name);

const isReference = (name: string): boolean => name === 'RegionRefIndexed' || name === 'RegionRef';

const newGroup = ({ index, regionRef }: Attributes): Group => ({
  index: numberOf(index),
  region: regionRef,
  members: [],
});

/** The regions of a group in order: its own first, which is that of its heading or of the whole. */
function regionsOf({ region, members }: Group): readonly string[] {
  const sorted = members.every(({ index }) => index !== undefined)
    ? [...members].sort((a, b) => (a.index ?? 0) - (b.index ?? 0))
    : members;
  return [...(region === undefined ? [] : [region]), ...sorted.flatMap(regionsOf)];
}

export class PageOrder {
  readonly #root = newGroup({});
  readonly #groups: Group[] = [this.#root];

  open(name: string, attributes: Attributes): void {
    if (!isGroup(name) && !isReference(name)) return;
    const group = newGroup(attributes);
    this.#groups.at(-1)?.members.push(group);
    if (isGroup(name)) this.#groups.push(group);
  }

  close(name: string): void {
    if (isGroup(name)) this.#groups.pop();
  }

  /** The blocks in this order; those without a place in it follow. */
  sort(blocks: readonly MutableBlock[]): readonly MutableBlock[] {
    const regions = regionsOf(this.#root);
    const positions = new Map(regions.map((region, index) => [region, index]));
    const positionOf = ({ id }: MutableBlock): number => positions.get(id ?? '') ?? regions.length;
    return [...blocks].sort((a, b) => positionOf(a) - positionOf(b));
  }
}
