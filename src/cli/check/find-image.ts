/** Finds an image to test with, as a visitor would: through the collections and manifests, else on the start page. */
import { jsonObject, NoAnswer, type Probe, type Reply } from './probe.ts';

/** So many documents are read on the way; a library can begin with many empty folders. */
const maxDocuments = 25;

type Json = Readonly<Record<string, unknown>>;

const objectsIn = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter((one): one is Json => typeof one === 'object' && one !== null) : [];

const idOf = (document: Json): string => (typeof document['id'] === 'string' ? document['id'] : '');

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The folder that a manifest at this address describes, as digilib names it. */
function folderOf(address: string): string | undefined {
  const found = /\/presentation\/3\/(?:(.*)\/)?manifest\.json$/.exec(address);
  return found === null ? undefined : decoded(found[1] ?? '');
}

/** The first image of a folder: the info object says its name. The root itself names no image. */
async function firstIn(base: string, folder: string, probe: Probe): Promise<string | undefined> {
  const reply = await probe(`${base}/api/dlInfo-json.jsp?fn=${encodeURIComponent(folder)}`);
  const name = jsonObject(reply)?.['img.fn'];
  return typeof name === 'string' && name !== '' ? `${folder}/${name}` : undefined;
}

/** The same document below the base that was given: the address inside may be what is broken. */
function belowBase(base: string, address: string): string | undefined {
  const at = address.indexOf('/presentation/3/');
  return at < 0 ? undefined : base + address.slice(at);
}

/** Where a document leads: to its members, or by a redirect to another form of itself. */
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
    // The last one first: so the way goes down to the pages before it goes on to the neighbors.
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

/** The first picture that the start page shows. */
async function onStartPage(base: string, probe: Probe): Promise<string | undefined> {
  const { body } = await probe(`${base}/`);
  const found = /Scaler\?fn=([^"&]+)/.exec(body.toString('utf8'))?.[1];
  return found && decoded(found);
}

/** The path of an image, without the slash before it; undefined where none is found. */
export async function findImage(base: string, probe: Probe): Promise<string | undefined> {
  for (const way of [throughManifests, onStartPage]) {
    try {
      const image = await way(base, probe);
      if (image !== undefined) return image;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
    }
  }
  return undefined;
}
