/** Finds an image to test with: through collections and manifests, or else through the list of the reading room. */
import { isJsonObject, type JsonObject, percentDecoded } from '../../core/text/parse.ts';
import { ifAnswered, jsonObject, type Probe, type Reply } from './probe.ts';

/** Maximum number of documents that are read; a library can begin with many empty folders. */
const maxDocuments = 25;

const objectsIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

const idOf = (document: JsonObject): string => (typeof document['id'] === 'string' ? document['id'] : '');

/** The folder that a manifest at this address describes, as digilib names it. */
function folderOf(address: string): string | undefined {
  const found = /\/presentation\/3\/(?:(.*)\/)?manifest\.json$/.exec(address);
  return found === null ? undefined : percentDecoded(found[1] ?? '');
}

/** The first image of a folder, by its info object; undefined for the top folder, which has no image. */
async function firstIn(base: string, folder: string, probe: Probe): Promise<string | undefined> {
  const reply = await probe(`${base}/api/dlInfo-json.jsp?fn=${encodeURIComponent(folder)}`);
  const name = jsonObject(reply)?.['img.fn'];
  return typeof name === 'string' && name !== '' ? `${folder}/${name}` : undefined;
}

/** The same document below the given base: the address in the document may be wrong. */
function belowBase(base: string, address: string): string | undefined {
  const at = address.indexOf('/presentation/3/');
  return at < 0 ? undefined : base + address.slice(at);
}

/** The addresses of a document's members, or the target of its redirect. */
function nextOf(base: string, reply: Reply): readonly string[] {
  const location = reply.headers.get('location');
  const members = objectsIn(jsonObject(reply)?.['items']).map(idOf);
  return [...(location === null ? [] : [location]), ...members]
    .map((address) => belowBase(base, address))
    .filter((address) => address !== undefined);
}

async function throughManifests(base: string, probe: Probe): Promise<string | undefined> {
  const waiting = [`${base}/presentation/3/collection.json`];
  const seen = new Set<string>();
  while (seen.size < maxDocuments) {
    // Depth first: the pages of a folder come before its neighbors.
    const url = waiting.pop();
    if (url === undefined) return undefined;
    if (seen.has(url)) continue;
    seen.add(url);
    const reply = await probe(url);
    const document = jsonObject(reply);
    const isManifest = document?.['type'] === 'Manifest';
    const folder = isManifest ? folderOf(url) : undefined;
    const image = folder && (await firstIn(base, folder, probe));
    if (image) return image;
    if (!isManifest) waiting.push(...nextOf(base, reply).toReversed());
  }
  return undefined;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The first cover or image in the reading room's list of the top folder. */
async function inReadingRoom(base: string, probe: Probe): Promise<string | undefined> {
  const top = jsonObject(await probe(`${base}/api/folder.json`));
  const covers = objectsIn(top?.['folders']).map(({ cover }) => textOf(cover));
  const images = objectsIn(top?.['images']).map(({ path }) => textOf(path));
  return [...covers, ...images].find((path) => path !== undefined);
}

/** The path of an image, without the slash before it; undefined where none is found. */
export async function findImage(base: string, probe: Probe): Promise<string | undefined> {
  for (const way of [throughManifests, inReadingRoom]) {
    const image = await ifAnswered(way(base, probe));
    if (typeof image === 'string') return image;
  }
  return undefined;
}
