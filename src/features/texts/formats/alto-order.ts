/** The order in which the blocks of an ALTO page are read: by its reading order, else by IDNEXT, else as they come. */
import type { MutableBlock } from './page-builder.ts';

type Block = MutableBlock & { readonly part?: string };

/** The parts of a page from top to bottom; in the file, all margins precede the print space. */
const parts = ['TopMargin', 'LeftMargin', '', 'PrintSpace', 'RightMargin', 'BottomMargin'];

const byKey = (blocks: readonly Block[], keyOf: (block: Block) => number): readonly Block[] =>
  [...blocks].sort((a, b) => keyOf(a) - keyOf(b));

/** Each block is followed by the one that it names as its next, and then by that one's next. */
function alongNext(blocks: readonly Block[], next: ReadonlyMap<string, string>): readonly Block[] {
  const byId = new Map(blocks.map((block) => [block.id, block]));
  const named = new Set(next.values());
  const ordered = new Set<Block>();
  const follow = (start: Block): void => {
    let block: Block | undefined = start;
    while (block !== undefined && !ordered.has(block)) {
      ordered.add(block);
      block = byId.get(next.get(block.id ?? '') ?? '');
    }
  };
  for (const block of blocks) if (block.id === undefined || !named.has(block.id)) follow(block);
  // Blocks that name each other in a circle have no first one.
  for (const block of blocks) follow(block);
  return [...ordered];
}

/** `order` has the identifiers of the file's reading order, `next` that of the next block by a block's own. */
export function inReadingOrder(
  blocks: readonly Block[],
  order: readonly string[],
  next: ReadonlyMap<string, string>,
): readonly Block[] {
  const fromTop = byKey(blocks, ({ part }) => parts.indexOf(part ?? ''));
  if (order.length > 0) {
    const positions = new Map(order.map((id, index) => [id, index]));
    return byKey(fromTop, ({ id }) => positions.get(id ?? '') ?? order.length);
  }
  return next.size > 0 ? alongNext(fromTop, next) : fromTop;
}
