/** Folders that a catalogue tells of are not listed: which of them a search admits. */
import { beforeEach, expect, it } from 'vitest';
import type { Admission } from '../../../../src/core/access/admit.ts';
import type { ToldFolder } from '../../../../src/core/access/catalogued-folders.ts';
import { anyone } from '../../../../src/core/access/policy.ts';
import type { FolderMetadata } from '../../../../src/core/image/folder/folder-metadata.ts';
import { type Identifier, parseIdentifier } from '../../../../src/core/image/model/identifier.ts';
import type { Admitted } from '../../../../src/core/image/model/image-set.ts';
import type { Folder } from '../../../../src/core/library/library.ts';
import { NameSearch } from '../../../../src/features/search/name-search.ts';

const identifierOf = (path: string): Identifier => parseIdentifier(path) as Identifier;
const pathOf = (index: number): string => `b${String(index).padStart(4, '0')}`;
const titles: FolderMetadata = { label: { none: ['An atlas'] } };

let admitted: string[] = [];
/** Folders of which the metadata was read, which are listed for that. */
let read: string[] = [];
beforeEach(() => {
  admitted = [];
  read = [];
});

/** Books that a catalogue finds, and one image in each where `images` is given. */
function library(count: number, toldOf: (index: number) => Partial<ToldFolder>, images: readonly string[] = []) {
  const paths = Array.from({ length: count }, (_, index) => pathOf(index));
  const folderAt = (path: string) => {
    const identifier = identifierOf(path);
    return { identifier, paths: [identifier], images: ['1.png', '2.png'], folders: [], isOpen: true };
  };
  const told = (index: number): ToldFolder => ({
    ...{ cover: `${pathOf(index)}/1.png`, metadata: titles, hasPages: false, mayMatchInside: false, total: 2 },
    positions: new Map(images.map((name) => [name, 1])),
    ...toldOf(index),
  });
  const partial: Partial<Admission> = {
    admitFolderOrImage: async (path) => ({ folder: folderAt(path) as unknown as Admitted<Folder> }),
    admitLongFolderOrImage: async () => undefined,
    findNames: async () => ({
      folders: paths.map(identifierOf),
      images: paths.flatMap((path) => images.map((name) => identifierOf(`${path}/${name}`))),
      isComplete: true,
      virtual: [],
    }),
    tellFound: async (_folder, { found }) =>
      new Map(found.map(({ identifier: { segments } }) => [segments.join('/'), told(Number(segments[0]?.slice(1)))])),
    admitAnyFolder: async (path) => {
      admitted.push(path);
      return folderAt(path) as unknown as Admitted<Folder>;
    },
    isFolderVisible: async () => true,
    visibleAmong: async (_folder, names) => names,
    entriesOf: async ({ images }) => images.map((name, index) => ({ index: index + 1, name })),
  };
  return partial as Admission;
}

async function search(admission: Admission, query: string, metadata: FolderMetadata = titles) {
  const cards = { coverOf: async () => undefined, cardOf: async () => undefined };
  const metadataOf = async ({ segments }: Identifier): Promise<FolderMetadata> => {
    read.push(segments.join('/'));
    return metadata;
  };
  const names = new NameSearch({ admission, metadata: { metadataOf }, cards, deadlineMs: 5000 });
  return names.find({ query, path: '', languages: [], signal: new AbortController().signal }, anyone);
}

it('a common word in titles admits no folder', async () => {
  const { found } = await search(
    library(201, () => ({})),
    'atlas',
  );
  expect(found.length).toBe(200);
  expect(found[7]).toMatchObject({ path: pathOf(7), name: 'An atlas', cover: `${pathOf(7)}/1.png`, way: [] });
  expect([admitted, read]).toEqual([[], []]);
});

it('a word in the names of images whose metadata names none admits no folder', async () => {
  const { found } = await search(
    library(3, () => ({}), ['1.png']),
    '1',
  );
  expect(found.filter(({ kind }) => kind === 'image')).toMatchObject([
    { path: 'b0000/1.png', place: { at: 1, total: 2 }, way: ['An atlas'] },
    { path: 'b0001/1.png' },
    { path: 'b0002/1.png' },
  ]);
  expect([admitted, read]).toEqual([[], []]);
});

it('only folders whose labels or chapters may match are admitted, and no more than an answer shows', async () => {
  const chapters: FolderMetadata = {
    ...titles,
    structures: [{ label: { none: ['Atlas of the north'] }, pages: ['2.png'], structures: [] }],
  };
  const some = library(40, (index) => ({ hasPages: index === 3, mayMatchInside: index % 10 === 5 }));
  const { found } = await search(some, 'atlas', chapters);
  expect(admitted).toEqual([5, 15, 25, 35].map(pathOf));
  expect(found.filter(({ kind }) => kind === 'chapter').length).toBe(4);
  admitted = [];
  const all = library(400, () => ({ mayMatchInside: true }));
  expect((await search(all, 'atlas', chapters)).found.length).toBe(200);
  expect(admitted.length).toBeLessThanOrEqual(101);
});

it('a folder is admitted where images are found whose labels or order it gives, and where nothing is known of it', async () => {
  await search(
    library(2, (index) => ({ hasPages: index === 1 }), ['1.png']),
    '1',
  );
  expect(admitted).toEqual([pathOf(1)]);
  admitted = [];
  await search(
    library(2, (index) => (index === 0 ? { metadata: undefined } : {})),
    'atlas',
  );
  expect(admitted).toEqual([pathOf(0)]);
});
