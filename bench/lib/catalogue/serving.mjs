/** What a server with a filled catalogue takes for each kind of answer. */
import { setTimeout as pause } from 'node:timers/promises';
import { BenchFailure } from '../failure.mjs';
import { fetchResponse } from '../http-client.mjs';
import { bookOf, infoOf, missingImages, searchesOf, searchOf, someImages, tileOf } from './addresses.mjs';
import { ask } from './measures.mjs';

const images = 100;
const pages = 40;

const json = ({ body }) => JSON.parse(body.toString());

const has =
  (text) =>
  ({ body }) => {
    if (!body.includes(text)) throw new BenchFailure(`${text} is missing in: ${body.toString().slice(0, 300)}`);
  };

/** Images of each layout: first tiles, descriptions, and names of which there are no images. */
export async function measureImages({ server, store, layouts, row }) {
  for (const layout of layouts) {
    const keys = someImages(layout, images, 61);
    const others = someImages(layout, images, 62);
    await row(`first tile, ${layout.name}`, () => ask(server, store, keys.map(tileOf)));
    await row(`the same tile again, ${layout.name}`, () => ask(server, store, keys.map(tileOf)));
    await row(`info.json, ${layout.name}`, () => ask(server, store, others.map(infoOf)));
    await row(`no such image, ${layout.name}`, () =>
      ask(server, store, missingImages(layout, images).map(infoOf), { status: 404 }),
    );
  }
}

/** Pages of folders by their position, and folders as the reading room shows them. */
export async function measureFolders({ server, store, layouts, row }) {
  const [books, flat] = layouts;
  const positions = Array.from({ length: pages }, (_, index) => Math.ceil((flat.count * (index + 1)) / (pages + 1)));
  const expected = positions.map((position) => flat.keyOf(position - 1));
  await row('pn in the flat folder', () =>
    ask(
      server,
      store,
      positions.map((position) => `/api/ImgInfo-json.jsp?fn=flat&pn=${position}`),
      { check: (answer, index) => has(expected[index])(answer) },
    ),
  );
  const some = Array.from({ length: pages }, (_, index) => bookOf(books, index * 3 + 1));
  const folderOf = (folder) => `/api/folder.json?fn=${encodeURIComponent(folder)}`;
  await row('folder.json of a book', () => ask(server, store, some.map(folderOf)));
  await row('folder.json of the flat folder', () => ask(server, store, Array(pages).fill(folderOf('flat'))));
  await row('folder.json of all books', () => ask(server, store, Array(pages).fill(folderOf('books'))));
  await row('manifest of a book', () =>
    ask(
      server,
      store,
      some.map((folder) => `/presentation/3/${encodeURI(folder)}/manifest.json`),
    ),
  );
}

const addressIn = (text) =>
  new URL(text.replaceAll('&amp;', '&')).pathname + new URL(text.replaceAll('&amp;', '&')).search;

/** Collections and sitemaps, of which the first tell the addresses of the others. */
export async function measurePages({ server, store, row }) {
  const collection = '/presentation/3/books/collection.json';
  const { body } = await fetchResponse(server.port, collection);
  const parts = JSON.parse(body.toString()).items.filter(({ type }) => type === 'Collection');
  const some = parts.filter((_, index) => index % Math.ceil(parts.length / pages) === 0).map(({ id }) => addressIn(id));
  await row('the collection of the library', () =>
    ask(server, store, Array(pages).fill('/presentation/3/collection.json')),
  );
  await row('the collection of all books', () => ask(server, store, Array(pages).fill(collection)));
  if (some.length > 0) await row(`its parts, of ${parts.length}`, () => ask(server, store, some));
  await row('the index of sitemaps', () => ask(server, store, Array(5).fill('/sitemap.xml')));
  const index = await fetchResponse(server.port, '/sitemap.xml');
  const maps = [...index.body.toString().matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => addressIn(address));
  const chosen = maps.filter((_, at) => at % Math.ceil(maps.length / pages) === 0);
  await row(`sitemaps, of ${maps.length}`, () => ask(server, store, chosen));
}

/** Each search once; `state` is cold or warm. What is not found for lack of time is counted. */
export async function measureSearches({ server, store, layouts, row, print }, state) {
  const all = [];
  let late = 0;
  for (const [kind, queries] of Object.entries(searchesOf(layouts))) {
    const nothing = kind === 'what nothing has';
    const check = (answer, index) => {
      const { found, complete } = json(answer);
      if (found.length === 0 && !complete) late += 1;
      else if ((found.length === 0) !== nothing) throw new BenchFailure(`${queries[index]}: ${answer.body}`);
    };
    all.push(
      ...(await row(`search for ${kind}, ${state}`, () => ask(server, store, queries.map(searchOf), { check }))),
    );
  }
  await row(`all ${all.length} searches, ${state}`, async () => all);
  print(`  of these ${late} found nothing in time`);
}

/** How long until a second server shows a change of which the first one was told, in ms. */
export async function measureChange({ server, other, store, bucket, image, token }, key) {
  const { etag, modifiedMs } = await store.send({ kind: 'put', key, bytes: image });
  const object = { key: encodeURIComponent(key), size: image.length, eTag: etag.replaceAll('"', '') };
  const time = { eventName: 'ObjectCreated:Put', eventTime: new Date(modifiedMs).toISOString() };
  const body = JSON.stringify({ Records: [{ ...time, s3: { bucket: { name: bucket }, object } }] });
  const before = await fetchResponse(other.port, infoOf(key));
  if (before.status !== 404) throw new BenchFailure(`${key} is there before it was told.`);
  const began = performance.now();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const told = await fetch(`http://127.0.0.1:${server.port}/catalogue/events`, { method: 'POST', headers, body });
  if (told.status !== 204) throw new BenchFailure(`The notification is answered ${told.status}.`);
  while ((await fetchResponse(other.port, infoOf(key))).status !== 200) {
    if (performance.now() - began > 30_000) throw new BenchFailure('A change is not seen within 30 s.');
    await pause(10);
  }
  return performance.now() - began;
}
