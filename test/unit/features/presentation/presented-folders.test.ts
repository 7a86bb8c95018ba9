import { describe, expect, it } from 'vitest';
import type { Admission } from '../../../../src/core/access/admit.ts';
import type { Caller } from '../../../../src/core/access/policy.ts';
import { ImageError, type ImageErrorCode } from '../../../../src/core/image/model/errors.ts';
import { formatIdentifier, parseIdentifier } from '../../../../src/core/image/model/identifier.ts';
import type { Admitted, ImageSet } from '../../../../src/core/image/model/image-set.ts';
import type { Folder } from '../../../../src/core/library/library.ts';
import type { FolderFileFault } from '../../../../src/features/presentation/annotation-files.ts';
import { createPresentation } from '../../../../src/features/presentation/presented-folders.ts';
import { imageOf } from '../../core/image/image-builder.ts';

const { signal } = new AbortController();

const caller: Caller = { roles: new Set(['reader']), authenticated: true };
const other: Caller = { roles: new Set(['other']), authenticated: true };

const fail = (code: ImageErrorCode): never => {
  throw new ImageError(code, code);
};

const identifierOf = (path: string) => parseIdentifier(path) ?? fail('not-found');

interface LibraryContent {
  readonly folders: Readonly<
    Record<string, { readonly images?: readonly string[]; readonly folders?: readonly string[] }>
  >;
  readonly texts?: Readonly<Record<string, string>>;
  readonly broken?: readonly string[];
  readonly pageCounts?: Readonly<Record<string, number>>;
}

/** The use case with folders that are defined here, and a record of its calls. */
function present({ folders, texts = {}, broken = [], pageCounts = {} }: LibraryContent) {
  const requested: string[] = [];
  const faults: FolderFileFault[] = [];
  const changed = new Set<string>();
  const width = new Map<string, number>();
  const denied = new Map<string, Caller>();
  const admission: Admission = {
    async admit(path, _page, caller) {
      requested.push(path);
      const file = path.replace(/;\d+$/, '');
      const folder = folders[file.split('/').slice(0, -1).join('/')];
      if (!folder?.images?.includes(file.split('/').at(-1) ?? '') || broken.includes(file)) fail('not-found');
      if (denied.get(file) === caller) fail('denied');
      const image = imageOf({ width: width.get(path) ?? 100, height: 50 });
      const [first] = image.resolutions;
      changed.delete(file);
      return {
        ...image,
        pageCount: pageCounts[file] ?? 1,
        identifier: identifierOf(file),
        resolutions: [{ ...first, file: { ...first.file, path: file } }],
      } as unknown as Admitted<ImageSet>;
    },
    isFresh: () => false,
    admitMedia: () => fail('not-found'),
    isMediaOpen: async () => true,
    describedWhole: () => undefined,
    tellFound: async () => new Map(),
    pageCountsOf: async (_folder, names) => new Map(names.map((name) => [name, 1])),
    isVisibleWith: () => true,
    arePathsVisible: () => true,
    hasTiers: false,
    withTexts: async (_folder, names) => new Map(names.map((name) => [name, ''])),
    tiersIn: async () => new Map(),
    isFolderVisible: async (path) => folders[formatIdentifier(identifierOf(path))] !== undefined,
    async admitFolder(path) {
      const identifier = identifierOf(path);
      const folder = folders[formatIdentifier(identifier)] ?? fail('not-found');
      const { images = none, folders: inside = none } = folder;
      return { identifier, images, folders: inside } as unknown as Admitted<Folder>;
    },
    admitAnyFolder: (path, caller) => admission.admitFolder(path, caller),
    admitLongFolder: async () => undefined,
    admitLongFolderOrImage: async () => undefined,
    findNames: async () => undefined,
    admitFolderAround: () => fail('not-found'),
    admitFolderOrImage: () => fail('not-found'),
    admitFolderShowing: () => fail('not-found'),
    visibleAmong: async (_folder, names) => names,
    foldersOf: async ({ folders: inside }) => inside,
    entriesOf: async ({ identifier, images }, caller) =>
      images
        .map((name, index) => ({ name, index: index + 1 }))
        .filter(({ name }) => denied.get([...identifier.segments, name].join('/')) !== caller),
  };
  const presentation = createPresentation({
    media: undefined,
    tours: undefined,
    pageTexts: { pageText: async () => undefined, textsOfPages: async () => new Map() },
    admission,
    requireCurrent: async ({ path }) => {
      if (changed.has(path)) fail('changed');
    },
    maxPages: 1000,
    deadlineMs: 10_000,
    metadata: { metadataOf: async () => ({}) },
    files: { readText: async (folder, name) => texts[[...folder.segments, name].join('/')] },
    annotationFiles: { filesIn: async () => undefined, read: async () => [] },
    georeferenceFiles: { filesIn: async () => undefined, read: async () => [] },
    onFault: (fault) => faults.push(fault),
  });
  return { presentation, requested, faults, changed, width, denied };
}

const none: readonly string[] = [];

const twoPages: LibraryContent = { folders: { book: { images: ['a.jpg', 'b.jpg'] } } };

type Answer = Awaited<ReturnType<ReturnType<typeof present>['presentation']['manifest']>>;

const shown = (answer: Answer): readonly string[] =>
  answer.kind === 'pages' ? answer.folder.pages.map((page) => `${page.path} ${page.width}`) : [answer.kind];

describe('the pages of a folder', () => {
  it('are described once', async () => {
    const { presentation, requested } = present(twoPages);
    expect(shown(await presentation.manifest('book', caller, signal))).toEqual(['book/a.jpg 100', 'book/b.jpg 100']);
    expect(requested).toHaveLength(2);
    expect(shown(await presentation.manifest('book', caller, signal))).toHaveLength(2);
    expect(requested).toHaveLength(2);
  });

  it('have the path of the requested folder, where two paths lead to one listing', async () => {
    const images = ['a.jpg'];
    const { presentation } = present({ folders: { book: { images }, 'shown/here': { images } } });
    for (const path of ['book', 'shown/here', 'book']) {
      expect(shown(await presentation.manifest(path, caller, signal))).toEqual([`${path}/a.jpg 100`]);
    }
  });

  it('are too many for a manifest beyond the bound, also inside of files', async () => {
    const images = Array.from({ length: 1001 }, (_, index) => `${index}.jpg`);
    const folders = { most: { images: images.slice(1) }, more: { images }, thick: { images: ['a.tif'] } };
    const { presentation, requested } = present({ folders, pageCounts: { 'thick/a.tif': 1001 } });
    expect(shown(await presentation.manifest('most', caller, signal))).toHaveLength(1000);
    const before = requested.length;
    const tooMany = { code: 'too-large', message: expect.stringContaining('1000') };
    await expect(presentation.manifest('more', caller, signal)).rejects.toMatchObject(tooMany);
    expect(requested).toHaveLength(before);
    await expect(presentation.manifest('thick', caller, signal)).rejects.toMatchObject(tooMany);
  });

  it('are described once for many simultaneous requests', async () => {
    const { presentation, requested } = present(twoPages);
    await Promise.all(
      Array.from({ length: 20 }, () => presentation.manifest('book', caller, new AbortController().signal)),
    );
    expect(requested).toHaveLength(2);
  });

  it('are described again where a file was replaced', async () => {
    const { presentation, requested, changed, width } = present(twoPages);
    await presentation.manifest('book', caller, signal);
    changed.add('book/b.jpg');
    width.set('book/b.jpg', 300);
    expect(shown(await presentation.manifest('book', caller, signal))).toEqual(['book/a.jpg 100', 'book/b.jpg 300']);
    expect(requested).toEqual(['book/a.jpg', 'book/b.jpg', 'book/b.jpg']);
  });

  it('are those that the caller may see, even after a request of a caller who may see more', async () => {
    const { presentation, denied } = present(twoPages);
    denied.set('book/b.jpg', other);
    expect(shown(await presentation.manifest('book', other, signal))).toEqual(['book/a.jpg 100']);
    expect(shown(await presentation.manifest('book', caller, signal))).toHaveLength(2);
    expect(shown(await presentation.manifest('book', other, signal))).toEqual(['book/a.jpg 100']);
  });

  it('do not include unreadable files', async () => {
    const { presentation } = present({ ...twoPages, broken: ['book/a.jpg'] });
    expect(shown(await presentation.manifest('book', caller, signal))).toEqual(['book/b.jpg 100']);
  });

  it('are all pages of a file that has several', async () => {
    const { presentation, width } = present({ ...twoPages, pageCounts: { 'book/b.jpg': 2 } });
    width.set('book/b.jpg;2', 70);
    expect(shown(await presentation.manifest('book', caller, signal))).toEqual([
      'book/a.jpg 100',
      'book/b.jpg 100',
      'book/b.jpg;2 70',
    ]);
  });
});

describe('the folder’s own files', () => {
  it('are the manifest, whatever else the folder contains', async () => {
    const text = '\uFEFF{"a":1}';
    const { presentation } = present({ ...twoPages, texts: { 'book/manifest.json': text } });
    expect(await presentation.manifest('book', caller, signal)).toEqual({ kind: 'file', text: '{"a":1}' });
  });

  it('are reported once and ignored where they contain no JSON object', async () => {
    const texts = { 'book/manifest.json': '{', 'book/manifest-meta.json': '[]' };
    const { presentation, faults } = present({ ...twoPages, texts });
    for (let time = 0; time < 3; time++)
      expect(shown(await presentation.manifest('book', caller, signal))).toHaveLength(2);
    expect(faults.map(({ folder, file }) => `${folder}/${file}`)).toEqual(Object.keys(texts));
  });
});

describe('folders', () => {
  const world: LibraryContent = {
    folders: {
      '': { folders: ['book', 'empty', 'mixed', 'own', 'shelf'] },
      book: { images: ['a.jpg'] },
      empty: {},
      mixed: { images: ['a.jpg'], folders: ['inner'] },
      'mixed/inner': { images: ['a.jpg'] },
      own: {},
      shelf: { folders: ['none'] },
      'shelf/none': {},
    },
    texts: { 'own/manifest.json': '{}' },
  };
  const { presentation } = present(world);

  it('are members of collections by their content', async () => {
    const answer = await presentation.collection('', caller);
    expect(answer.kind === 'members' && answer.folder.members.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      'book manifest',
      'mixed manifest',
      'mixed collection',
      'own manifest',
      'shelf collection',
    ]);
  });

  it('with images and folders begin their collection with their own manifest', async () => {
    const answer = await presentation.collection('mixed', caller);
    expect(answer.kind === 'members' && answer.folder.members.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      'mixed manifest',
      'mixed/inner manifest',
    ]);
  });

  it('of very many folders have parts in their collection', async () => {
    const folders = Array.from({ length: 1001 }, (_, index) => `b${index}`);
    const books = Object.fromEntries(folders.map((name) => [`many/${name}`, { images: ['a.jpg'] }]));
    const { presentation: large } = present({ folders: { many: { folders }, ...books } });
    const partOf = async (part?: number) => {
      const answer = await large.collection('many', caller, part);
      return answer.kind === 'members' && [answer.folder.members.map(({ name }) => name), answer.folder.part];
    };
    const part = { parts: 6, size: 200, total: 1001 };
    expect(await partOf()).toEqual([[], { ...part, number: 0 }]);
    expect(await partOf(2)).toEqual([folders.slice(200, 400), { ...part, number: 2 }]);
    expect(await partOf(6)).toEqual([['b1000'], { ...part, number: 6 }]);
    await expect(large.collection('many', caller, 7)).rejects.toMatchObject({ code: 'not-found' });
  });

  const answerOf = (kind: 'manifest' | 'manifestAround' | 'collection', path: string) =>
    kind === 'collection' ? presentation.collection(path, caller) : presentation[kind](path, caller, signal);

  it.each([
    ['manifest', 'shelf', 'see-collection'],
    ['collection', 'book', 'see-manifest'],
    ['manifest', 'own', 'file'],
  ] as const)('answer a %s of %s with %s', async (kind, path, expected) =>
    expect((await answerOf(kind, path)).kind).toBe(expected),
  );

  it.each([
    ['manifest', 'empty'],
    ['collection', 'empty'],
    ['manifest', 'gone'],
    ['manifest', '../book'],
    ['manifestAround', 'shelf'],
    ['manifestAround', 'gone'],
  ] as const)('have no %s where there is nothing: %s', async (kind, path) =>
    expect(answerOf(kind, path)).rejects.toMatchObject({ code: 'not-found' }),
  );

  it('are found by an image in them', async () =>
    expect(shown(await presentation.manifestAround('mixed/inner/a.jpg', caller, signal))).toEqual([
      'mixed/inner/a.jpg 100',
    ]));
});
