/** What a text means that is dropped onto a page. */
import { expect, it } from 'vitest';
import { formatRoute } from '../../../../../web/src/model/address/address.ts';
import { droppedRoute } from '../../../../../web/src/ui/drop/dropped-route.ts';

const base = 'https://library.example/books/';
const manifest = 'https://host.example/m.json';
const opened = `view?manifest=${manifest}`;

it.each<[string, string | undefined]>([
  [manifest, opened],
  [`# a comment\r\n${manifest}\r\nhttps://host.example/other.json\r\n`, opened],
  [`https://viewer.example/?manifest=${encodeURIComponent(manifest)}&canvas=`, opened],
  ['{\n"id": "https://host.example/m.json",\n"type": "Manifest"\n}', 'view?iiif-content='],
  [`${base}?manifest=${manifest}`, opened],
  [`${base}view/herbal/a.png?rot=90`, 'view/herbal/a.png?rot=90'],
  // What the IIIF icon of this room adds for other viewers.
  [`${base}view/herbal/a.png?manifest=${base}iiif/m.json&canvas=x`, 'view/herbal/a.png'],
  [`${base}browse/herbal`, 'browse/herbal'],
  [`${base}compare?1.fn=a.png&2.fn=b.png`, 'compare?1.fn=a.png&2.fn=b.png'],
  [`${base}iiif/presentation/3/herbal/manifest`, `view?manifest=${base}iiif/presentation/3/herbal/manifest`],
  ['just words', undefined],
  ['herbal/page', undefined],
  ['javascript:alert(1)', undefined],
  ['', undefined],
])('%j', (text, address) => {
  const route = droppedRoute(text, base);
  const found = route && formatRoute(route);
  if (address?.endsWith('=')) expect(found?.startsWith(address)).toBe(true);
  else expect(found).toBe(address);
});
