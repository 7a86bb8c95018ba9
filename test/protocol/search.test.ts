/** Search by name: the results, their order, and the flag that there may be more. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchAnswer } from '../../src/features/search/search-answer.ts';
import { type LibraryWithSecrets, makeLibrary, picture } from './library-with-secrets.ts';
import { type RunningApp, startApp } from './running-app.ts';

const codex = `
label: A codex
summary: Letters on the motion of comets
metadata:
  - { label: { en: Shelfmark, de: Signatur }, value: Ms. lat. 77 }
  - Author: Ada Example
attribution: Museum of Example
contents:
  - { label: { en: On tails, de: Von Schweifen }, pages: [b, c], contents: [{ label: The great tail, pages: c }] }
pages: { c: 11v, b: { en: 1v, de: Blatt 1v }, a: 1r }
`;

let library: LibraryWithSecrets;
let app: RunningApp;
beforeAll(async () => {
  library = await makeLibrary();
  const bytes = await picture('jpeg');
  for (const name of ['Köln/dom-1.jpg', 'Köln/deep/DOM 2.jpg', 'top-dom.jpg', 'straße/étude.jpg', 'shelf/x/page.jpg'])
    library.write(name, bytes);
  library.write('shelf/x/metadata.yaml', 'label: { en: The dome, de: Die Kuppel }\n');
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg', 'v1v.jpg']) library.write(`codex/${name}`, bytes);
  library.write('codex/metadata.yaml', codex);
  for (let number = 0; number < 201; number++) library.write(`full/leaf-${number}.jpg`, 'x');
  for (let number = 0; number < 200; number++) library.write(`just/sheet-${number}.jpg`, 'x');
  library.link('..', 'Köln/deep/loop');
  app = await startApp({ library: { folders: [library.root] } });
});
afterAll(async () => {
  await app.close();
  library.remove();
});

async function search(query: string): Promise<SearchAnswer> {
  const { status, body } = await app.get(`/api/search.json?${query}`);
  expect(status).toBe(200);
  return JSON.parse(body.toString());
}

const pathsOf = ({ found }: SearchAnswer): readonly string[] => found.map(({ path }) => path);

describe('a search', () => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ['names level by level', 'q=dom', ['top-dom.jpg', 'Köln/dom-1.jpg', 'shelf/x', 'Köln/deep/DOM 2.jpg']],
    ['names below a folder', `fn=${encodeURIComponent('Köln')}&q=dom`, ['Köln/dom-1.jpg', 'Köln/deep/DOM 2.jpg']],
    ['names whatever their accents', 'q=KOLN', ['Köln']],
    ['accents in the question too', `q=${encodeURIComponent('STRÄSSE')}`, ['straße']],
    ['names in the other form of Unicode', `q=${encodeURIComponent('e\u0301tude')}`, ['straße/étude.jpg']],
    ['titles in any language', 'q=kuppel', ['shelf/x']],
    ['names with all words', `q=${encodeURIComponent('2  dom')}`, ['Köln/deep/DOM 2.jpg']],
    [
      'images by their labels, those first that are called just so',
      'q=1V',
      ['codex/b.jpg', 'codex/c.jpg', 'codex/v1v.jpg'],
    ],
    ['images by their labels in any language', 'q=blatt', ['codex/b.jpg']],
    ['folders by a value of their metadata', 'q=ms.%20lat.%2077', ['codex']],
    ['folders by their summary', 'q=comets', ['codex']],
    ['folders by who must be named', 'q=museum', ['codex']],
    ['folders by words of several texts', 'q=ada%20comets', ['codex']],
    ['no folder by the names of its metadata', 'q=shelfmark', []],
    ['chapters by their titles, also inside of others', 'q=tail', ['codex/b.jpg', 'codex/c.jpg']],
    ['nothing where no name has them', 'q=nosuch', []],
    ['nothing where there is no question', 'q=%20', []],
  ];
  it.each(rows)('finds %s', async (_what, query, paths) => {
    const answer = await search(query);
    expect([pathsOf(answer), answer.complete]).toEqual([paths, true]);
  });

  it('describes its results in the requested language, with a picture to show', async () => {
    expect((await search('q=kuppel&lang=de')).found).toEqual([
      {
        kind: 'folder',
        path: 'shelf/x',
        name: 'Die Kuppel',
        reason: { kind: 'title', label: '', text: 'Die Kuppel' },
        label: null,
        place: null,
        folder: 'shelf',
        way: ['shelf'],
        cover: 'shelf/x/page.jpg',
      },
    ]);
    expect((await search('q=page')).found).toEqual([
      {
        kind: 'image',
        path: 'shelf/x/page.jpg',
        name: 'page.jpg',
        reason: { kind: 'name', label: '', text: 'page.jpg' },
        label: null,
        place: { at: 1, total: 1 },
        folder: 'shelf/x',
        way: ['shelf', 'The dome'],
        cover: 'shelf/x/page.jpg',
      },
    ]);
    const [leaf] = (await search('q=1v&lang=de')).found;
    expect([leaf?.label, leaf?.place]).toEqual(['Blatt 1v', { at: 2, total: 4 }]);
  });

  it.each([
    ['q=77', { kind: 'metadata', label: 'Shelfmark', text: 'Ms. lat. 77' }],
    ['q=77&lang=de', { kind: 'metadata', label: 'Signatur', text: 'Ms. lat. 77' }],
    ['q=comets', { kind: 'summary', label: '', text: 'Letters on the motion of comets' }],
    ['q=museum', { kind: 'metadata', label: 'Attribution', text: 'Museum of Example' }],
    ['q=codex', { kind: 'title', label: '', text: 'A codex' }],
    ['q=ada%20comets', { kind: 'metadata', label: 'Author', text: 'Ada Example' }],
    ['q=blatt', { kind: 'label', label: '', text: 'Blatt 1v' }],
    ['q=v1v', { kind: 'name', label: '', text: 'v1v.jpg' }],
    ['q=great%20tail', { kind: 'chapter', label: '', text: 'The great tail' }],
  ])('says why it found something: %s', async (query, reason) => {
    expect((await search(query)).found[0]?.reason).toEqual(reason);
  });

  it('finds chapters with their first page', async () => {
    expect((await search('q=schweif&lang=de')).found).toEqual([
      {
        kind: 'chapter',
        path: 'codex/b.jpg',
        name: 'Von Schweifen',
        reason: { kind: 'chapter', label: '', text: 'Von Schweifen' },
        label: null,
        place: { at: 2, total: 4 },
        folder: 'codex',
        way: ['A codex'],
        cover: 'codex/b.jpg',
      },
    ]);
  });

  it('returns at most 200 results, and whether there are more', async () => {
    const [more, all] = [await search('q=leaf'), await search('q=sheet')];
    expect([more.found.length, more.complete]).toEqual([200, false]);
    expect([all.found.length, all.complete]).toEqual([200, true]);
  });

  it('is answered 404 in JSON below a missing folder', async () => {
    const { status, body } = await app.get('/api/search.json?q=a&fn=nowhere');
    expect([status, JSON.parse(body.toString()).error]).toEqual([404, 'not-found']);
  });
});
