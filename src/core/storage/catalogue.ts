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
  /** The version of the metadata that the catalogue has read last; empty where it has none. */
  readonly metadataVersion: string;
}

/** An image in a folder. */
export interface CataloguedImage {
  readonly name: string;
  /** In ms since 1970. */
  readonly modifiedMs: number;
}

/** A folder in a folder. */
export interface CataloguedSubfolder {
  readonly name: string;
  readonly images: number;
  /** Whether it has neither folders nor files that say something of it: metadata, or a manifest of its own. */
  readonly isPlain: boolean;
}

/** Some of a folder's images or folders in the order of their names: `from` is the position of the first one, from 1. */
export interface PositionRange {
  readonly from: number;
  readonly count: number;
}

/** What is found of a search, by paths from the folder that is searched. */
export interface CatalogueFinds {
  /** Folders whose names or metadata have all words, with those whose labels or chapters may have them; empty for itself. */
  readonly folders: readonly string[];
  /** Images whose names have all words. */
  readonly images: readonly string[];
  /** Whether these are all. */
  readonly isComplete: boolean;
}

/** What tells of a folder without its list. */
export interface FolderSummary {
  /** The name of its first image, in the order that its metadata gives; undefined where it has none. */
  readonly firstImage: string | undefined;
  /** The number of its images. */
  readonly images: number;
  /** What its metadata says of the folder as a whole, as JSON; undefined where that is not known for its files as they are. */
  readonly titles: string | undefined;
  /** Whether its metadata gives images labels or an order. */
  readonly hasPages: boolean;
  /** Whether the labels of its images and its chapters have all words of a search, perhaps not one of them alone. */
  readonly mayMatchInside: boolean;
}

/** The path of a folder, and the name of an image in it. */
export interface ImagePath {
  readonly path: string;
  readonly name: string;
}

/** A folder below another one, in the order of a walk: each before those inside of it. */
export interface WalkedFolder extends FolderCounts {
  /** From the folder that is walked. */
  readonly path: string;
}

/** Where a walk goes on: behind a folder, with those inside of it or without them. */
export interface WalkPosition {
  readonly path: string;
  readonly isLeft: boolean;
}

/**
 * A folder in a catalogue that has all that is below it. All methods give promises that reject where the catalogue does not
 * answer, within a second.
 */
export interface CataloguedFolder {
  /** Folders with more names are not listed as a whole. */
  readonly maxListedNames: number;
  /** Undefined where there is no such folder. */
  counts(): Promise<FolderCounts | undefined>;
  /** Some of its images. */
  images(range: PositionRange): Promise<readonly CataloguedImage[]>;
  /** Some of the folders in it, of which those `without` these names are counted. */
  folders(range: PositionRange, without?: readonly string[]): Promise<readonly CataloguedSubfolder[]>;
  /** The names of the images that have this name without their extensions, as far as these are not very many. */
  imagesNamed(stem: string): Promise<readonly string[]>;
  /** The position of an image, from 1; undefined where there is none of this name. */
  positionOf(name: string): Promise<number | undefined>;
  /** All images of some folders below it, in the order of their names; no more than some thousands should be asked for. */
  imagesIn(paths: readonly string[]): Promise<readonly (readonly CataloguedImage[])[]>;
  /** What tells a search for these folded words of some folders below it; undefined for those that are not there. */
  summaries(paths: readonly string[], words: readonly string[]): Promise<readonly (FolderSummary | undefined)[]>;
  /** The positions of some images in folders below it, which have no more than some thousands; undefined for those that are not there. */
  positionsOf(images: readonly ImagePath[]): Promise<readonly (number | undefined)[]>;
  /** Folders and images below it that have all of these words, which are folded as `foldedText` does it. */
  search(words: readonly string[], max: number): Promise<CatalogueFinds>;
  /** Folders below it in the order of a walk. */
  walk(after: WalkPosition | undefined, count: number): Promise<readonly WalkedFolder[]>;
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
  /** A folder as a whole. */
  folder(prefix: string): Omit<CataloguedFolder, 'maxListedNames'>;
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
