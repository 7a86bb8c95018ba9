/** Works on many things, a bounded number at a time. */

/** How many are worked on at a time: the disk is shared with those who want tiles. */
const concurrency = 32;

/** The results in the order of the items; the first failure ends the work. */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  const waiting = items.entries();
  const run = async (): Promise<void> => {
    for (const [index, item] of waiting) results.set(index, await work(item));
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, run));
  return items.map((_, index) => results.get(index) as Result);
}
