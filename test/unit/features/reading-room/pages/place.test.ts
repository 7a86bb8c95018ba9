/** The server and the scripts read addresses in the same way. */
import { describe, expect, it } from 'vitest';
import { folderPagePath, imagePagePath } from '../../../../../src/core/image/addresses/folder-address.ts';
import { folderPlace, imagePlace, oldPlace } from '../../../../../src/features/reading-room/old-viewers.ts';
import type { PagePlace } from '../../../../../src/features/reading-room/pages/description.ts';
import { formatRoute, parseRoute } from '../../../../../web/src/model/address/address.ts';
import { folderRoute, imageRoute, type Route } from '../../../../../web/src/model/address/routes.ts';
import { oldAddresses } from '../../../web/model/address/old-address-rows.ts';

/** What a route shows, as far as the server describes it. */
function placeOf(route: Route): PagePlace {
  if (route.kind === 'view') return { kind: 'image', path: route.state.fn, page: route.state.pn };
  if (route.kind === 'compare' || route.kind === 'desk' || route.kind === 'light-table')
    throw new Error('the server does not describe this page');
  return { kind: 'folder', path: route.folder, from: route.kind === 'table' ? 1 : route.from };
}

const clean = (place: PagePlace): PagePlace => ({
  ...place,
  path: place.path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/'),
});

/** The place at an address, as the routes of the server find it. */
function serverPlace(address: string): PagePlace {
  // Browsers send no fragment.
  const [sent = ''] = address.split('#');
  const [path = '', ...queries] = sent.split('?');
  const query = queries.join('?');
  const [first, ...names] = path.split('/');
  const below = decodeURIComponent(names.join('/'));
  if (first === 'view') return imagePlace(below, query);
  if (first === 'browse' || first === '') return folderPlace(below, query);
  return oldPlace(path.slice(path.lastIndexOf('/') + 1), query);
}

const addresses: readonly string[] = [
  '',
  '?q=herb',
  '?from=101',
  'browse',
  'browse/',
  'browse/a/b',
  'browse/a%2Fb',
  'browse/a?from=201',
  'browse/a?from=0',
  'browse/a?from=1.5&x=1',
  'browse/a?layout=table',
  'view/a/b.jpg',
  'view/a/b.tif;2?wx=0.1&ww=0.5',
  'view/a%20b/%C3%B6.jpg',
  'view/a?pn=12',
  'view/a?pn=x',
  'view/a?pn=2&pn=3',
  'view/?fn=a/b&pn=3',
  'view/?fn=%2e%2e/a',
  'view/?a+3',
];

describe('the place at an address', () => {
  it.each(addresses)('is the same for server and scripts: %s', (address) => {
    const [path = '', query = ''] = address.split('?');
    expect(clean(serverPlace(address))).toEqual(clean(placeOf(parseRoute({ path, query, fragment: '' }))));
  });

  it.each(oldAddresses.map(({ address, route }) => [address, route] as const))(
    'is that of an old link: %s',
    (address, route) => {
      expect(clean(serverPlace(address))).toEqual(clean(placeOf(route)));
    },
  );
});

describe('the address of a page', () => {
  it.each(['a/b.jpg', 'ü b/c;2.jpg', 'a,b@c:d=e/f', "it's/100%.jpg", 'a&b/c?d#e.jpg', '(x)/!y*.png', '\ud800/x'])(
    'is the one that the scripts write: %s',
    (path) => {
      expect(imagePagePath(path)).toBe(formatRoute(imageRoute(path)));
      expect(folderPagePath(path)).toBe(formatRoute(folderRoute(path)));
      expect(folderPagePath(path, 101)).toBe(formatRoute(folderRoute(path, 101)));
    },
  );
});
