/** An image that was found just now is known to be as it was by looks alone; whatever could make it another one is noticed. */
import { appendFileSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ImageSet } from '../../../../src/image/model/image-set.ts';
import type { Library } from '../../../../src/library/library.ts';
import { identifierOf, makeTemporaryLibrary, onePixel } from '../../temporary-library.ts';

const temporary = makeTemporaryLibrary();
const { around, write, open } = temporary;
afterAll(() => temporary.remove());

const localTypes = [0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630];
const isLocal = process.platform === 'linux' && localTypes.includes(statfsSync(around).type);

async function find(library: Library, name: string): Promise<ImageSet> {
  const located = await library.locate(identifierOf(name), 1);
  const image = located && (await library.describe(located));
  if (image === undefined) throw new Error(`${name} was not found`);
  return image;
}

/** Twice: a quick look is taken at what was looked at before. */
async function findAgain(library: Library, name: string): Promise<ImageSet> {
  await find(library, name);
  return find(library, name);
}

const changes: readonly (readonly [string, string, () => void])[] = [
  ['its file is written to', 'a/one.gif', () => appendFileSync(path.join(around, 'scans/a/one.gif'), ' ')],
  ['its folder gets another file', 'b/one.gif', () => writeFileSync(path.join(around, 'scans/b/two.gif'), onePixel)],
  [
    'a folder above gets metadata',
    'c/d/one.gif',
    () => writeFileSync(path.join(around, 'scans/c/index.meta'), '<meta/>'),
  ],
];

describe.skipIf(!isLocal)('an image that was found', () => {
  beforeAll(async () => {
    for (const [, name] of changes) write(`scans/${name}`, onePixel);
    write('scans/still/one.gif', onePixel);
    symlinkSync(path.join(around, 'scans/still/one.gif'), path.join(around, 'scans/still/link.gif'));
    // A change of the last two seconds may leave no trace.
    await setTimeout(2100);
  });
  afterEach(() => void vi.useRealTimers());

  it('holds as long as nothing changes', async () => {
    const library = open();
    const image = await findAgain(library, 'still/one.gif');
    expect([library.isFresh(image), library.isFresh(image)]).toEqual([true, true]);
  });

  it.each(changes)('does not hold when %s', async (_what, name, change) => {
    const library = open();
    const image = await findAgain(library, name);
    expect(library.isFresh(image)).toBe(true);
    change();
    // All who ask in one turn of the event loop have asked before it was found.
    await setTimeout(0);
    expect(library.isFresh(image)).toBe(false);
    // What has just changed may change again without a trace.
    expect(library.isFresh(await findAgain(library, name))).toBe(false);
  });

  it('does not hold when other derived pyramids are there', async () => {
    let state = 0;
    const library = open({ derived: { find: () => undefined, state: () => state } });
    const image = await findAgain(library, 'still/one.gif');
    expect(library.isFresh(image)).toBe(true);
    state++;
    expect(library.isFresh(image)).toBe(false);
  });

  it('is asked for anew after a second', async () => {
    const library = open();
    const image = await findAgain(library, 'still/one.gif');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1100 });
    expect(library.isFresh(image)).toBe(false);
  });

  it('is asked for anew each time where a link leads to it', async () => {
    const library = open();
    expect(library.isFresh(await findAgain(library, 'still/link.gif'))).toBe(false);
  });

  it('is asked for anew by a library that did not find it', async () => {
    expect(open().isFresh(await findAgain(open(), 'still/one.gif'))).toBe(false);
  });
});
