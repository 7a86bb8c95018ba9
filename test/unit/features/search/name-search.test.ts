import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Admission } from '../../../../src/core/access/admit.ts';
import { anyone } from '../../../../src/core/access/policy.ts';
import { parseIdentifier } from '../../../../src/core/image/model/identifier.ts';
import type { Admitted } from '../../../../src/core/image/model/image-set.ts';
import type { Folder } from '../../../../src/core/library/library.ts';
import { NameSearch } from '../../../../src/features/search/name-search.ts';

/** A library in which every folder contains another one and a file. */
const endless = (open: (path: string) => Promise<void>): Admission => {
  const folderAt = async (path: string) => {
    await open(path);
    const identifier = parseIdentifier(path);
    return { identifier, paths: [identifier], images: ['leaf.jpg'], folders: ['in'], isOpen: true };
  };
  const partial: Partial<Admission> = {
    admitFolderOrImage: async (path) => ({ folder: (await folderAt(path)) as unknown as Admitted<Folder> }),
    admitLongFolderOrImage: async () => undefined,
    findNames: async () => undefined,
    admitFolder: async (path) => (await folderAt(path)) as unknown as Admitted<Folder>,
    isFolderVisible: async (path) => (await folderAt(path)).isOpen,
    visibleAmong: async (_folder, names) => names,
    entriesOf: async ({ images }) => images.map((name, index) => ({ index: index + 1, name })),
  };
  return partial as Admission;
};

function searchIn(admission: Admission, signal = new AbortController().signal) {
  const cards = { coverOf: async () => undefined, cardOf: async () => undefined };
  const search = new NameSearch({ admission, metadata: { metadataOf: async () => ({}) }, cards, deadlineMs: 100 });
  return search.find({ query: 'leaf', path: '', languages: [], signal }, anyone);
}

it('a search that takes too long ends with what it has found', async () => {
  const began = performance.now();
  const { found, complete } = await searchIn(endless(() => pause(10)));
  expect(complete).toBe(false);
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThan(15);
  expect(performance.now() - began).toBeLessThan(1000);
});

it('a search does not wait for a folder that never answers', async () => {
  const hangs = (path: string): Promise<void> => (path.length > 4 ? new Promise(() => undefined) : Promise.resolve());
  const { found, complete } = await searchIn(endless(hangs));
  expect([found.map(({ folder }) => folder), complete]).toEqual([['', 'in'], false]);
});

it('a search ends when nobody waits for it any more', async () => {
  const controller = new AbortController();
  let opened = 0;
  const counting = endless(async (path) => {
    opened++;
    if (path === 'in/in') controller.abort();
  });
  const { complete } = await searchIn(counting, controller.signal);
  expect(complete).toBe(false);
  expect(opened).toBeLessThan(6);
});
