/** Addresses of pages of other manifests, and of content states. */
import { describe, expect, it } from 'vitest';
import { splitPage } from '../../../../../src/core/image/model/identifier.ts';
import { formatRoute, parseRoute } from '../../../../../web/src/model/address/address.ts';
import {
  contentPath,
  foreignPath,
  isForeign,
  parseForeignPath,
  pathOfIiif,
} from '../../../../../web/src/model/address/address-text.ts';
import { encodeContent } from '../../../../../web/src/model/cite/content-states.ts';
import type { ViewState } from '../../../../../web/src/model/view-state.ts';

const viewAt = (address: string): ViewState => {
  const [path = '', query = ''] = address.split('?');
  const route = parseRoute({ path, query, fragment: '' });
  if (route.kind !== 'view') throw new Error(route.kind);
  return route.state;
};

describe('a page of another manifest', () => {
  const named = { manifest: 'https://host.example/a b/m.json?x=1&y=ü;2', canvas: 'https://host.example/c#1;3' };

  it('has a path that no page number ends, and that leads back', () => {
    const path = foreignPath(named);
    expect(isForeign(path)).toBe(true);
    expect(splitPage(path)).toEqual({ file: path, page: 1 });
    expect(parseForeignPath(path)).toEqual({ ...named, order: 1 });
  });

  it('keeps the order of the pages, in the address too', () => {
    const path = foreignPath({ ...named, order: 2 });
    expect(parseForeignPath(path)).toEqual({ ...named, order: 2 });
    const state = viewAt(
      `view?manifest=${encodeURIComponent(named.manifest)}&canvas=${encodeURIComponent(named.canvas)}&sequence=2`,
    );
    expect([state.fn, state.unknown]).toEqual([path, []]);
    expect(formatRoute({ kind: 'view', state, embedded: false })).toMatch(/&sequence=2$/);
  });

  it('has an address with the rest of the view, which is read back', () => {
    const address = `view?manifest=${encodeURIComponent(named.manifest)}&canvas=${encodeURIComponent(named.canvas)}&wx=0.25&rot=90`;
    const state = viewAt(address);
    expect([state.fn, state.region.x, state.rotation, state.unknown]).toEqual([foreignPath(named), 0.25, 90, []]);
    expect(viewAt(formatRoute({ kind: 'view', state, embedded: false }))).toEqual(state);
  });

  it('is none where the path names an image of the library, whose IIIF icon also names a manifest', () => {
    const state = viewAt('view/book/p1.tif?manifest=https://here.example/m.json&canvas=c');
    expect([state.fn, state.unknown]).toEqual([
      'book/p1.tif',
      [
        ['manifest', 'https://here.example/m.json'],
        ['canvas', 'c'],
      ],
    ]);
  });

  it('cannot be named by a malformed escape that breaks the page', () => {
    expect(parseForeignPath('//manifest/%/%E0%A4%A')).toEqual({ manifest: '%', canvas: '\uFFFD%A', order: 1 });
  });

  it('is not taken from the parameter fn', () => {
    expect(viewAt('view/?fn=//manifest/x/y').fn).toBe('manifest/x/y');
  });
});

it.each(['view', 'view/', ''])('a manifest is read at %j', (path) => {
  const manifest = 'https://host.example/m.json';
  expect(viewAt(`${path}?manifest=${encodeURIComponent(manifest)}`).fn).toBe(foreignPath({ manifest, canvas: '' }));
});

it.each(['view', 'view/', ''])('a content state is read at %j', (path) => {
  const content = '{"id":"https://host.example/m.json","type":"Manifest"}';
  expect(viewAt(`${path}?iiif-content=${encodeURIComponent(content)}`).fn).toBe(contentPath(content));
});

describe('what is typed or pasted', () => {
  const manifest = 'https://host.example/book/manifest.json';
  const path = foreignPath({ manifest, canvas: '' });

  it.each<[string, string | undefined]>([
    [manifest, path],
    [`  ${manifest}\n`, path],
    [`https://viewer.example/?manifest=${encodeURIComponent(manifest)}`, path],
    [`https://viewer.example/uv.html#?manifest=${manifest}&cv=3`, path],
    [
      `https://library.example/view?manifest=${manifest}&canvas=https://host.example/c/1`,
      foreignPath({ manifest, canvas: 'https://host.example/c/1' }),
    ],
    [`https://viewer.example/?iiif-content=${encodeURIComponent(manifest)}`, contentPath(manifest)],
    [`{"id":"${manifest}","type":"Manifest"}`, contentPath(`{"id":"${manifest}","type":"Manifest"}`)],
    [` ${encodeContent(`{"id":"${manifest}"}`)} `, contentPath(encodeContent(`{"id":"${manifest}"}`))],
    [encodeContent(manifest), contentPath(encodeContent(manifest))],
    [
      Buffer.from(`{"id":"${manifest}"}`).toString('base64url'),
      contentPath(Buffer.from(`{"id":"${manifest}"}`).toString('base64url')),
    ],
    ['', undefined],
    ['book/page1', undefined],
    ['eyebrows', undefined],
    ['Kraeuterbuchlein', undefined],
    ['javascript:alert(1)', undefined],
    ['https://', undefined],
  ])('%j', (typed, expected) => expect(pathOfIiif(typed)).toBe(expected));
});
