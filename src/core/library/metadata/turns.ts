/** Lets other requests have their turn while a long list is read. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How many rows or names are read in a turn of the event loop: a few milliseconds. */
export const itemsPerTurn = 500;

/** A list in parts, with a turn of the event loop between two of them. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<readonly Item[]> {
  let part: Item[] = [];
  for (const item of items) {
    if (part.push(item) < itemsPerTurn) continue;
    yield part;
    part = [];
    await nextTurn();
  }
  yield part;
}
