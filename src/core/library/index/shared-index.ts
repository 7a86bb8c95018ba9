/** What other servers have read of objects, behind what this one has in its own index. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SharedFact, SharedFacts } from '../../storage/catalogue.ts';
import { objectAt } from '../../storage/s3/open-bucket.ts';
import type { FactsStore, FileFacts, SidecarStore } from '../file-facts.ts';
import type { ListingStore } from '../listings/folder-cache.ts';
import { insertionIndex, type Listing, pathIn } from '../listings/listing.ts';
import { readersVersion } from './readers-version.ts';

/** What a library caches beyond its process. */
export type LibraryStore = ListingStore & FactsStore & SidecarStore;

/** Neighbors of a file in a listed folder are asked for with it, since a manifest needs them next: this many names in a query. */
const namesInBlock = 1000;

/** Answers for neighbors are used within this time, in ms; afterwards another server may have read more of them. */
const blockMs = 10_000;

/** Blocks in memory, of some 2 MB at most, as a rule. */
const maxBlocks = 8;

/** What is shared is not asked for after it did not answer, for this time in ms. */
const pauseMs = 2000;

/** Longer headers are not shared, in characters of JSON: each may come a thousand times with its neighbors. */
const maxHeaderLength = 32 * 1024;

type Answers = ReadonlyMap<string, SharedFact | undefined>;

/** What facts are told of: `file` is the name of an object in the folder, which may be one of several files of a kind. */
interface Wanted {
  readonly listing: Listing;
  readonly names: readonly string[];
  readonly file: string;
  readonly part: string;
  readonly fingerprint: string;
}

const header = ({ listing, name, fingerprint }: FactOf): Wanted => ({
  ...{ listing, names: listing.images, file: name, part: 'header', fingerprint },
});

/** Names of facts of other files may have what is told of the file behind a slash. */
function sidecar({ listing, name, fingerprint }: FactOf): Wanted {
  const [file = '', part] = name.split('/');
  return { listing, names: part === undefined ? listing.textFiles : [], file, part: part ?? 'format', fingerprint };
}

interface FactOf {
  readonly listing: Listing;
  readonly name: string;
  readonly fingerprint: string;
}

/** Undefined for a file of a disk. */
const objectOf = ({ listing, file }: Pick<Wanted, 'listing' | 'file'>) => objectAt(pathIn(listing, file));

/** Reads through the own index, if there is one, to what is shared, and writes to both. */
export class SharedIndex implements LibraryStore {
  readonly #own: LibraryStore | undefined;
  readonly #shared: SharedFacts;
  readonly #blocks = new LRUCache<string, Promise<Answers>>({ max: maxBlocks, ttl: blockMs });
  #pausedUntilMs = 0;
  #readers: Promise<string | undefined> | undefined;

  constructor(own: LibraryStore | undefined, shared: SharedFacts) {
    this.#own = own;
    this.#shared = shared;
  }

  async entriesOf(...of: Parameters<ListingStore['entriesOf']>): ReturnType<ListingStore['entriesOf']> {
    return this.#own?.entriesOf(...of);
  }

  storeEntries(...of: Parameters<ListingStore['storeEntries']>): void {
    this.#own?.storeEntries(...of);
  }

  async factsOf(listing: Listing, name: string, fingerprint: string): Promise<FileFacts | undefined> {
    const own = await this.#own?.factsOf(listing, name, fingerprint);
    if (own !== undefined) return own;
    // The version shows that this code has written it.
    const found = (await this.#find(header({ listing, name, fingerprint }))) as FileFacts | undefined;
    if (found !== undefined) this.#own?.storeFacts(listing, name, fingerprint, found);
    return found;
  }

  storeFacts(listing: Listing, name: string, fingerprint: string, facts: FileFacts): void {
    this.#own?.storeFacts(listing, name, fingerprint, facts);
    const wanted = header({ listing, name, fingerprint });
    if (objectOf(wanted) !== undefined && JSON.stringify(facts).length <= maxHeaderLength) this.#write(wanted, facts);
  }

  async sidecarFactOf(listing: Listing, name: string, fingerprint: string): Promise<unknown> {
    const own = await this.#own?.sidecarFactOf(listing, name, fingerprint);
    if (own !== undefined) return own;
    const found = await this.#find(sidecar({ listing, name, fingerprint }));
    if (typeof found === 'object' && found !== null) this.#own?.storeSidecarFact(listing, name, fingerprint, found);
    return found;
  }

  storeSidecarFact(listing: Listing, name: string, fingerprint: string, fact: object): void {
    this.#own?.storeSidecarFact(listing, name, fingerprint, fact);
    this.#write(sidecar({ listing, name, fingerprint }), fact);
  }

  /** Undefined also where what is shared does not answer, which is not asked for a while then. */
  async #find(wanted: Wanted): Promise<unknown> {
    if (objectOf(wanted) === undefined || performance.now() < this.#pausedUntilMs) return undefined;
    const version = await this.#versionOf(wanted.fingerprint);
    try {
      const found = (await this.#around(wanted)).get(wanted.file);
      return found !== undefined && found.version === version ? found.fact : undefined;
    } catch {
      this.#pausedUntilMs = performance.now() + pauseMs;
      return undefined;
    }
  }

  #write(wanted: Wanted, fact: object): void {
    const object = objectOf(wanted);
    if (object === undefined) return;
    void this.#versionOf(wanted.fingerprint).then((version) => {
      if (version !== undefined) this.#shared.write({ ...object, part: wanted.part }, { version, fact });
    });
  }

  /** The answers for a file and its neighbors, once for all who ask for one of them. */
  #around({ listing, names, file, part }: Wanted): Promise<Answers> {
    const index = insertionIndex(names, file);
    const from = index - (index % namesInBlock);
    const block = names[index] === file ? names.slice(from, from + namesInBlock) : [file];
    if (block.length === 1) return this.#read(listing, block, part);
    const key = [listing.directory, part, block.length, block[0]].join('\0');
    const known = this.#blocks.get(key);
    if (known !== undefined) return known;
    const answers = this.#read(listing, block, part);
    this.#blocks.set(key, answers);
    answers.catch(() => this.#blocks.delete(key));
    return answers;
  }

  async #read(listing: Listing, files: readonly string[], part: string): Promise<Answers> {
    const answers = await Promise.all(
      files.map(async (file) => {
        const object = objectOf({ listing, file });
        return [file, object && (await this.#shared.read({ ...object, part }))] as const;
      }),
    );
    return new Map(answers);
  }

  /** Undefined where the code of this server can’t be read. */
  async #versionOf(fingerprint: string): Promise<string | undefined> {
    this.#readers ??= readersVersion().catch(() => undefined);
    const readers = await this.#readers;
    if (readers === undefined) return undefined;
    return createHash('sha256').update(`${readers}\0${fingerprint}`).digest('hex').slice(0, 32);
  }
}
