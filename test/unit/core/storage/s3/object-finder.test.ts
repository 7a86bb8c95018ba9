/** What is known of single objects: how often the store is asked for them, and what counts while it fails. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FirstBytes, ListedPage, StoredObject } from '../../../../../src/core/storage/s3/bucket-requests.ts';
import { NamedEntries } from '../../../../../src/core/storage/s3/named-entries.ts';
import { ObjectFinder, type Sighting } from '../../../../../src/core/storage/s3/object-finder.ts';

const object = (version: number): StoredObject => ({ size: 3, etag: `"${version}"`, modifiedMs: 0 });
const notFound = (): Error => Object.assign(new Error('none'), { code: 'ENOENT' });

/** A store with the object `there`, whose version can be changed. */
function store(refreshMs: number, listed: Sighting | undefined = undefined) {
  const state = { version: 1, fails: false, asked: [] as string[], kept: [] as string[] };
  const requests = {
    isFailing: false,
    async readFirst(key: string, _length: number, known?: StoredObject): Promise<FirstBytes | 'unchanged'> {
      state.asked.push(`${key} ${known?.etag ?? 'new'}`);
      await pause(1);
      if (state.fails) throw new Error('the store fails');
      if (key !== 'there') throw notFound();
      const now = object(state.version);
      return known?.etag === now.etag ? 'unchanged' : { object: now, bytes: Buffer.from('abc') };
    },
  };
  const onFirstBytes = (key: string): void => void state.kept.push(key);
  return { state, finder: new ObjectFinder({ requests, refreshMs, listed: () => listed, onFirstBytes }) };
}

describe('an object', () => {
  it('is asked for once by all who need it at the same time, and not again while that is fresh', async () => {
    const { state, finder } = store(60_000);
    const found = await Promise.all([finder.find('there'), finder.find('there'), finder.find('none')]);
    expect(found).toEqual([object(1), object(1), undefined]);
    expect(await finder.find('there')).toEqual(object(1));
    expect(await finder.find('none', 'image')).toBeUndefined();
    expect([state.asked, state.kept]).toEqual([['there new', 'none new'], ['there']]);
  });

  it('is used once more when it is old, while the store is asked whether it is the same', async () => {
    const { state, finder } = store(200);
    const first = await finder.find('there');
    await pause(250);
    expect(await finder.find('there')).toBe(first);
    await expect.poll(() => state.asked).toEqual(['there new', 'there "1"']);
    await pause(50);
    state.version = 2;
    await pause(250);
    expect(await finder.find('there')).toBe(first);
    await expect.poll(() => finder.find('there')).toEqual(object(2));
    expect(state.kept).toEqual(['there', 'there']);
  });

  it('is awaited when it is very old, and stays as it was while the store fails', async () => {
    const { state, finder } = store(5);
    await finder.find('there');
    state.version = 2;
    await pause(60);
    expect(await finder.find('there')).toEqual(object(2));
    state.fails = true;
    await pause(60);
    expect(await finder.find('there')).toEqual(object(2));
    await expect(finder.find('other')).rejects.toThrow('the store fails');
  });

  it('that a list names is known from it, and compared with it when that is old', async () => {
    const fresh = store(60_000, { object: object(1), seenMs: Date.now() });
    expect(await fresh.finder.find('there')).toEqual(object(1));
    expect(fresh.state.asked).toEqual([]);
    const old = store(1000, { object: object(1), seenMs: Date.now() - 60_000 });
    expect(await old.finder.find('there')).toEqual(object(1));
    expect(old.state.asked).toEqual(['there "1"']);
  });

  it('that is missing is asked for again after ten seconds as an image, and later as what is beside one', async () => {
    const { state, finder } = store(60_000, { object: undefined, seenMs: Date.now() - 11_000 });
    expect(await finder.find('there')).toBeUndefined();
    expect(state.asked).toEqual([]);
    expect(await finder.find('there', 'image')).toEqual(object(1));
  });

  it('that a former process knew counts where the store fails, and not where it is slow', async () => {
    const state = { isFailing: false, answerMs: 1500 };
    const requests = {
      get isFailing() {
        return state.isFailing;
      },
      async readFirst(): Promise<FirstBytes> {
        await pause(state.answerMs);
        return { object: object(2), bytes: Buffer.from('abc') };
      },
    };
    const written: unknown[] = [];
    const kept = {
      read: async () => ({ object: object(1), seenMs: 1 }),
      write: (key: string, { object: { etag } = object(0) }: Sighting) => void written.push([key, etag]),
      forget: (key: string) => void written.push([key, 'forgotten']),
      clear: () => undefined,
    };
    const finder = () =>
      new ObjectFinder({ requests, refreshMs: 1000, listed: () => undefined, onFirstBytes: () => undefined, kept });
    const slow = finder();
    expect(await slow.find('there')).toEqual(object(2));
    slow.forget('there');
    expect(written).toEqual([
      ['there', '"2"'],
      ['there', 'forgotten'],
    ]);
    Object.assign(state, { isFailing: true, answerMs: 60_000 });
    expect(await finder().find('there')).toEqual(object(1));
  });
});

describe('the entries of a name', () => {
  it('are the last ones where the store takes longer than a second, and at once when it is awaited for that long', async () => {
    const state = { answerMs: 1 };
    const requests = {
      isFailing: false,
      async list(): Promise<ListedPage> {
        await pause(state.answerMs, undefined, { ref: false });
        return { objects: [['.tif', object(1)]], folders: [], next: undefined };
      },
    };
    const names = new NamedEntries({ requests, refreshMs: 5, note: () => undefined });
    const expected = [{ name: 'page.tif', kind: 'file' }];
    expect(await names.entries('book/', 'page')).toEqual(expected);
    state.answerMs = 60_000;
    await pause(10);
    const startMs = performance.now();
    expect(await names.entries('book/', 'page')).toEqual(expected);
    expect(await names.entries('book/', 'page')).toEqual(expected);
    expect(performance.now() - startMs).toBeLessThan(1900);
  });
});
