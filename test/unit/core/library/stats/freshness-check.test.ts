/** An image that was found just now is recognized as fresh by synchronous stats; every change of it is detected. */
import { appendFileSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ImageSet } from '../../../../../src/core/image/model/image-set.ts';
import type { Library } from '../../../../../src/core/library/library.ts';
import { identifierOf, makeTemporaryLibrary, onePixel } from '../../../temporary-library.ts';

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

/** Twice: synchronous stats are made only of paths that were read before. */
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
    // A change within the last two seconds may leave the same fingerprint.
    await setTimeout(2100);
  });
  afterEach(() => void vi.useRealTimers());

  it('is fresh as long as nothing changes', async () => {
    const library = open();
    const image = await findAgain(library, 'still/one.gif');
    expect([library.isFresh(image), library.isFresh(image)]).toEqual([true, true]);
  });

  it.each(changes)('is not fresh when %s', async (_what, name, change) => {
    const library = open();
    const image = await findAgain(library, name);
    expect(library.isFresh(image)).toBe(true);
    change();
    // Stats are cached within one turn of the event loop.
    await setTimeout(0);
    expect(library.isFresh(image)).toBe(false);
    // A file that has just changed may change again with the same fingerprint.
    expect(library.isFresh(await findAgain(library, name))).toBe(false);
  });

  it('is not fresh when the set of derived pyramids changes', async () => {
    let state = 0;
    const library = open({ derived: { find: () => undefined, state: () => state } });
    const image = await findAgain(library, 'still/one.gif');
    expect(library.isFresh(image)).toBe(true);
    state++;
    expect(library.isFresh(image)).toBe(false);
  });

  it('is not fresh after a second', async () => {
    const library = open();
    const image = await findAgain(library, 'still/one.gif');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1100 });
    expect(library.isFresh(image)).toBe(false);
  });

  it('is never fresh where a link leads to it', async () => {
    const library = open();
    expect(library.isFresh(await findAgain(library, 'still/link.gif'))).toBe(false);
  });

  it('is not fresh for a library that did not find it', async () => {
    expect(open().isFresh(await findAgain(open(), 'still/one.gif'))).toBe(false);
  });
});
