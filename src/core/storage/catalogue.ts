/** What storages and searches ask of a catalogue: a database of the objects of buckets, which servers share. */

/** One version of an object, as lists tell it. */
export interface CatalogueObject {
  readonly size: number;
  readonly etag: string;
  /** In ms since 1970. */
  readonly modifiedMs: number;
}

/** Names in a folder: some objects, then some folders, each in the order of the bytes of UTF-8. */
export interface CataloguePage {
  readonly objects: readonly (readonly [name: string, object: CatalogueObject])[];
  readonly folders: readonly string[];
  /** For the page that follows; undefined at the end. */
  readonly next: string | undefined;
}

/** What is counted of a folder, without those that are inside of it. */
export interface FolderCounts {
  readonly images: number;
  readonly folders: number;
  /** When the latest of its images was written, in ms since 1970; 0 where it has none. */
  readonly changedMs: number;
}

/** Some of the names of a folder's images or folders in their order; `from` is the position of the first one, from 1. */
export interface NamePart {
  readonly kind: 'image' | 'folder';
  readonly from: number;
  readonly count: number;
}

/** What is found of a search. Keys have no slash at the end. */
export interface CatalogueFinds {
  /** The keys of folders whose names or metadata have all words, with those whose labels or chapters may have them. */
  readonly folders: readonly string[];
  /** The keys of images whose names have all words. */
  readonly images: readonly string[];
  /** Whether these are all. */
  readonly isComplete: boolean;
}

/** A folder of which a sitemap tells. */
export interface CatalogueFolder extends FolderCounts {
  /** Its key, without a slash at the end. */
  readonly key: string;
}

/**
 * The part of a catalogue that is of one bucket. Prefixes are empty or end with a slash. Methods that give a promise reject where
 * the catalogue does not answer, within a second; then the bucket itself is asked.
 */
export interface BucketCatalogue {
  /** Whether all objects with this prefix are in it. */
  covers(prefix: string): boolean;
  /** Whether the store tells it each change: then what is not in it is not there. */
  readonly isTold: boolean;
  /** The object with a key; undefined where there is none. */
  find(key: string): Promise<CatalogueObject | undefined>;
  /** A page of the names in a folder; `after` is the `next` of the page before. */
  list(prefix: string, after: string | undefined): Promise<CataloguePage>;
  /** The names that are a stem, or begin with a stem and a dot; undefined where these are too many. */
  named(prefix: string, stem: string): Promise<CataloguePage | undefined>;
  /** Undefined where there is no such folder. */
  counts(prefix: string): Promise<FolderCounts | undefined>;
  /** Some of the names in a folder. */
  names(prefix: string, part: NamePart): Promise<readonly string[]>;
  /** The position of an image in its folder, from 1; undefined where there is none of this name. */
  positionOf(prefix: string, name: string): Promise<number | undefined>;
  /** Folders and images below a prefix that have all of these words, which are folded as `foldedText` does it. */
  search(prefix: string, words: readonly string[], max: number): Promise<CatalogueFinds>;
  /** Folders below a prefix in the order of a walk, each before those inside of it; `after` is the key of the one before. */
  walk(prefix: string, after: string | undefined, count: number): Promise<readonly CatalogueFolder[]>;
  /** Takes on what the store says of an object; undefined where it is gone. Never rejects. */
  note(key: string, object: CatalogueObject | undefined): void;
  /** Calls back with each key that another server or the store tells a change of; without a key where any may have changed. */
  onChange(changed: (key?: string) => void): void;
}

/** What was read of an object, such as the header of an image. */
export interface FactName {
  readonly bucket: string;
  readonly key: string;
  /** What is told of the object. */
  readonly part: string;
}

/** A fact as JSON, of one version of an object. */
export interface SharedFact {
  /** 32 hexadecimal digits: a digest of the version of the object and of the code that read it. */
  readonly version: string;
  readonly fact: unknown;
}

/** What servers tell each other of objects that they have read. */
export interface SharedFacts {
  /**
   * What was written last; undefined where nothing was, or where the catalogue does not have the object. What is asked for at
   * the same time is one query for each thousand. Rejects where the catalogue does not answer, within a second.
   */
  read(name: FactName): Promise<SharedFact | undefined>;
  /** Writes it soon. Never throws: it may be lost. */
  write(name: FactName, fact: SharedFact): void;
}

export interface Catalogue {
  bucket(name: string): BucketCatalogue;
  readonly facts: SharedFacts;
  close(): Promise<void>;
}
