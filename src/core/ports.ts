/** What features offer each other: types alone, filled by the feature that offers them. */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Reading } from './access/long-reads.ts';
import type { Caller, SignedIn } from './access/policy.ts';
import type { Advice } from './http/error-responses.ts';
import type { InfoForm } from './http/image-queries.ts';
import type { PresentationVersion } from './image/addresses/iiif-addresses.ts';
import type { LanguageMap } from './image/folder/folder-metadata.ts';
import type { Size } from './image/model/geometry.ts';
import type { Identifier } from './image/model/identifier.ts';
import type { Admitted, ImageSet } from './image/model/image-set.ts';
import type { TextFormat } from './image/model/text-formats.ts';
import type { PageText, PlainBlocks } from './image/page-text/page-text.ts';
import type { Folder } from './library/library.ts';

/** A page by the name of its image file, and its number inside of it, from 1. */
export interface PageInFile {
  readonly file: string;
  readonly pageInFile?: number;
}

/** The file that a text comes from. */
export interface TextSource {
  readonly format: TextFormat;
  /** What names the format and its version; absent for plain text. */
  readonly profile?: string;
  /** The file's name alone. */
  readonly name: string;
  /** Changes when the file's content does, and when another file takes its place. */
  readonly fingerprint: string;
  /** Last modification in ms since 1970. */
  readonly modifiedMs: number;
}

/** A text that was found with those of its folder. */
export interface FolderText extends TextSource {
  /** The words, for the image that the text was found for: as `pageText`, without finding its file again. */
  pageText(image: Admitted<ImageSet>): Promise<PageText | undefined>;
  /**
   * Of plain text alone: its words, for which nothing has to be known of the image. Throws ImageError `changed` where the file
   * was replaced meanwhile.
   */
  readonly plainText?: () => Promise<PlainBlocks | undefined>;
}

/** The texts of all pages of an image file. */
export interface FileTexts {
  /** Changes when that of one of them does. */
  readonly fingerprint: string;
  /** That of the first page, or of all pages; absent where later pages alone have one. */
  readonly first?: FolderText;
}

/** The text of an image, and its file. */
export interface FoundText {
  readonly text: PageText;
  readonly source: TextSource;
}

/** The file itself, as the site made it; of a file with the pages of a folder, the part of one page. */
export interface TextDocument {
  readonly source: TextSource;
  readonly bytes: Buffer;
}

/** One of the texts of an image. */
export interface TextChoice {
  /** The language in the name of the file, else its format, with a number where there are several: `de`, `alto`, `plain-2`. */
  readonly key: string;
  readonly source: TextSource;
  /** BCP 47, where the name of the file says it. */
  readonly language?: string;
}

export interface PageTexts {
  /** The words of an image; undefined where it has no text that can be read. */
  pageText(image: Admitted<ImageSet>): Promise<PageText | undefined>;
  /** The same, with the file that they come from; `key` names another text of the image than the first. */
  textOf(image: Admitted<ImageSet>, key?: string): Promise<FoundText | undefined>;
  /** All texts of the image that the caller may see, that of `textOf` first. No file is read for its words. */
  choicesOf(image: Admitted<ImageSet>): Promise<readonly TextChoice[]>;
  /** The file with the words of an image, unread; undefined where there is none. */
  sourceOf(image: Admitted<ImageSet>): Promise<TextSource | undefined>;
  /** That file's bytes; undefined where there is none or it can't be read. */
  documentOf(image: Admitted<ImageSet>, key?: string): Promise<TextDocument | undefined>;
  /**
   * The files with texts of those images (by their names) of a folder that the caller may see, by the names of the images; of
   * files with several pages, that of the first page. Nothing is parsed: a file that is faulty is among them. `reading` counts each
   * image whose text was looked for.
   */
  textsOf(
    folder: Admitted<Folder>,
    images: readonly string[],
    caller: Caller,
    reading?: Pick<Reading, 'step'>,
  ): Promise<ReadonlyMap<string, FolderText>>;
  /** The same with files that are of one page alone, behind the first. */
  textsOfFiles(
    folder: Admitted<Folder>,
    images: readonly string[],
    caller: Caller,
  ): Promise<ReadonlyMap<string, FileTexts>>;
  /**
   * The files with texts of those pages of a folder that the caller may see, by the names of the pages (`scan.tif`,
   * `scan.tif;2`). Of files with several pages, the pages are counted, but their words are not read. `reading` counts each page
   * whose text was looked for.
   */
  textsOfPages(
    folder: Admitted<Folder>,
    pages: readonly PageInFile[],
    caller: Caller,
    reading?: Pick<Reading, 'step'>,
  ): Promise<ReadonlyMap<string, TextSource>>;
}

/** A text file of a folder, whatever its content. */
export interface NamedTextFile {
  /** Every path under which the library shows the file, for access rules. */
  readonly paths: readonly Identifier[];
  /** Last modification in ms since 1970. */
  readonly modifiedMs: number;
  /** Undefined where it can't be read. */
  bytes(): Promise<Buffer | undefined>;
}

/** The text files of folders, by their names. */
export interface TextFilesByName {
  /** In code-unit order. */
  namesIn(folder: Identifier): Promise<readonly string[]>;
  named(folder: Identifier, name: string): Promise<NamedTextFile | undefined>;
  /** Whether folders of this name are for texts. */
  isTextFolder(name: string): boolean;
}

/** A text beside a file of sound or video, at an address below the context path and its slash. */
export interface MediaTextFile {
  readonly address: string;
  readonly mediaType: string;
  /** A tag; empty where it is not said. */
  readonly language: string;
  readonly isCaptions: boolean;
}

/** A file of sound or video that the caller may see, at an address below the context path and its slash. */
export interface MediaFile {
  /** The path inside the library. */
  readonly path: string;
  /** The file's name with its extension. */
  readonly name: string;
  readonly kind: 'sound' | 'video';
  readonly mediaType: string;
  readonly address: string;
  /** In seconds; undefined where the file does not tell. */
  readonly duration: number | undefined;
  /** In pixels; undefined for sound. */
  readonly size: Size | undefined;
  readonly modifiedMs: number;
  /** Whether everyone may see it. */
  readonly isOpen: boolean;
  readonly texts: readonly MediaTextFile[];
  /** The name of the image beside it. */
  readonly image: string | undefined;
}

export interface MediaFiles {
  /** Those of a folder that the caller may see, in the order of their names, within a bound. */
  mediaIn(folder: Admitted<Folder>, caller: Caller): Promise<readonly MediaFile[]>;
}

/** Guided views that the caller may see a part of. */
export interface TourCard {
  /** The path of the file inside the library. */
  readonly path: string;
  /** The file's name with its ending. */
  readonly name: string;
  readonly title: LanguageMap;
  readonly summary: LanguageMap;
  /** The page and the view of the first step that the caller may see. */
  readonly first: { readonly page: string; readonly view: string };
}

/** A step as an annotation of a canvas in its image's pixels, whose members are those of Web Annotation. */
export interface StepAnnotation {
  readonly id: string;
  readonly motivation: readonly string[];
  readonly bodies: readonly Readonly<Record<string, unknown>>[];
  readonly selectors: readonly Readonly<Record<string, unknown>>[];
  readonly more: Readonly<Record<string, unknown>>;
}

/** Files of guided views beside scans. */
export interface TourFiles {
  /** Those of a folder of which the caller may see a step, in the order of their names. */
  toursIn(folder: Admitted<Folder>, caller: Caller): Promise<readonly TourCard[]>;
  /** The pages of the folder (`scan.tif`, `scan.tif;2`) that steps in its own files are about, as far as the caller may see them. */
  pagesIn(folder: Admitted<Folder>, caller: Caller): Promise<ReadonlySet<string>>;
  /** These steps of one page, in their order. */
  stepsOn(folder: Admitted<Folder>, page: string, caller: Caller): Promise<readonly StepAnnotation[]>;
}

/** The names of the annotation files of a page of an image file, which counts from 1; empty for none. */
export type FilesOfPage = (file: string, page?: number) => readonly string[];

/** What a member of a manifest or a collection names: where the words of its pages are searched (Content Search). */
export type SearchMember = (searched: {
  /** The origin and the context path. */
  readonly base: string;
  readonly presentation: PresentationVersion;
  readonly searched: 'manifest' | 'collection';
  readonly path: string;
  readonly slash: string;
}) => object;

/** The session of a person, as other features see it. */
export interface PersonSession {
  /** As people read it. */
  readonly name: string;
  /** Whether it has just begun by a password that was typed on a page of this server. */
  readonly isJustTyped: boolean;
  /** Origins whose pages the person lets read what it may see. */
  readonly viewers: readonly string[];
  readonly secondsLeft: number;
}

/** A session that does not count, for good or as long as it can’t be checked. */
export interface SessionFault {
  readonly fault: string;
  readonly isOver: boolean;
}

/** Sessions, and other credentials that stand for them and end with them. None of these functions rejects for what a client sends. */
export interface SignInSessions {
  /** The paths below the context path at which people sign in, with `to` for the way back, and out. */
  readonly paths: { readonly begin: string; readonly end: string };
  /** Whether browsers send sessions with requests of pages of other sites. */
  readonly isCrossSite: boolean;
  /** The session of a request’s cookie; `fault` where it does not count any more, and undefined where there is none. */
  of(request: IncomingMessage): Promise<PersonSession | SessionFault | undefined>;
  /** The cookies that let an origin’s pages read what the person of a request may see; undefined where nobody signed in. */
  addViewer(request: FastifyRequest, origin: string): Promise<readonly string[] | undefined>;
  /** Cookies with the session of a request for pages of the site alone in which the request is made; empty for none. */
  embeddedCookies(request: FastifyRequest): Promise<readonly string[]>;
  /** A text for one use that stands for the session of a request with further facts, or for the facts alone. */
  seal(use: string, request: IncomingMessage, facts: object): Promise<string>;
  /** The facts of such a text, and who it stands for as long as the session holds; undefined for any other text. */
  open(
    use: string,
    text: string,
  ): Promise<{ readonly facts: object; readonly person?: SignedIn | { readonly fault: string } } | undefined>;
}

/** How to see more of what not everyone sees whole, as documents of IIIF say it. */
export interface AccessServices {
  /** The JSON-LD context with which documents begin that have a probe service. */
  readonly context: string;
  /** Origin and context path. */
  readonly base: string;
  /** The probe service of the resource at an address below the base (Authorization Flow 2.0), whole or with references to `shared`. */
  probe(address: string, form?: 'whole' | 'referring'): object;
  /** What probe services refer to, for `services` of a manifest. */
  readonly shared: readonly object[];
  /** The services of Authentication 1.0, for documents of version 2, and with types for those of version 3. */
  readonly logins: readonly object[];
  readonly typedLogins: readonly object[];
}

/** The services below a base: origin and context path. */
export type AccessServicesOf = (base: string) => Promise<AccessServices>;

/** A manifest that everyone may see, as it is now. */
export interface ManifestFacts {
  /** Changes when what the manifest says does, and when one of its image files is replaced. */
  readonly version: string;
  /** When the latest of its image files was written, in ms since 1970. */
  readonly changedMs: number;
}

export interface Manifests {
  /** Throws ImageError as the address of the manifest does for a caller without any role. */
  factsOf(path: string, signal: AbortSignal): Promise<ManifestFacts>;
  /** The manifest in version 3, as its address answers it to this caller, below this origin. */
  textOf(path: string, caller: Caller, origin: string, signal: AbortSignal): Promise<string>;
}

/** What is known of who asks: that it may (a session, a token, a partner, a search engine), that it asks as viewers do, or nothing. */
export type Standing = 'known' | 'reader' | 'stranger';

/** A network that is refused what costs, until a time in ms since 1970. */
export interface Hold {
  /** As `198.51.100.0/24` or `2001:db8:1::/48`. */
  readonly network: string;
  readonly untilMs: number;
}

/** A budget as it is now; of one for each caller or network, the one with the least left. */
export interface BudgetState {
  readonly name: string;
  /** In the same unit as its size. */
  readonly left: number;
  readonly size: number;
  /** Whether it would refuse now what it refused last. */
  readonly binds: boolean;
  /** How often it refused, since the start. */
  readonly refused: number;
}

/** What the shield tells and does for the person on duty. */
export interface ShieldPort {
  /** Whom a request is of: its network (/24, /48), and its autonomous system where the site gives a table. */
  callerOf(request: IncomingMessage): { network: string; system?: string; standing: Standing };
  /** Networks that are refused everything that costs until a time; bounded in number. */
  readonly holds: {
    /** Those that hold now. */
    list(): readonly Hold[];
    /** `network` as above, or an address in it. Rejects with RangeError for anything else. */
    hold(network: string, untilMs: number): Promise<void>;
    release(network: string): Promise<void>;
  };
  budgets(): readonly BudgetState[];
  /**
   * What a caller can do instead of what it was refused; undefined for those to whom nothing has to be said. `base` is the address
   * below which everything is, and `folder` the one that was asked for, where everyone may see it.
   */
  adviceFor(request: IncomingMessage, base: string, folder: string | undefined): Advice | undefined;
}

/** Each is there only where the feature that offers it is. */
export interface Ports {
  /** The words of pages. */
  readonly pageTexts?: PageTexts;
  readonly textFiles?: TextFilesByName;
  /** Files of sound and video. */
  readonly media?: MediaFiles;
  readonly tours?: TourFiles;
  /** Where texts are searched: the service that manifests and collections name. */
  readonly searchMember?: SearchMember | undefined;
  /** Which annotation files each page of a folder has; undefined where no page can have any. */
  readonly annotationFilesIn?: (folder: Identifier) => Promise<FilesOfPage | undefined>;
  /** The same of files with georeferences. */
  readonly georeferenceFilesIn?: (folder: Identifier) => Promise<FilesOfPage | undefined>;
  /** How the IIIF Image API describes an image, in the version of addresses that name none. */
  readonly infoForm?: InfoForm;
  /** Whether people can sign in. */
  readonly signsIn?: boolean;
  readonly signInSessions?: SignInSessions;
  /** What documents say of how to see more. */
  readonly accessServices?: AccessServicesOf;
  /** Whether folders have manifests, and PDF documents. */
  readonly hasManifests?: boolean;
  readonly hasDocuments?: boolean;
  /** The address of the data set of a folder, by the address below which everything is. */
  readonly dataSetAddress?: (base: string, path: string) => string;
  /** Where changes of manifests are listed, below the context path and its slash. */
  readonly changesPath?: string;
  readonly manifests?: Manifests;
  readonly shield?: ShieldPort;
  /** Whether somebody wants to be told of changes as soon as they can be noticed. */
  readonly watchesLibrary?: boolean;
  /** Takes what has changed, by paths of the library, or of things in its storages. */
  readonly libraryChanged?: (changed: {
    readonly paths?: readonly string[];
    readonly stored?: readonly string[];
  }) => void;
}

const nothing = async () => undefined;
const none = async () => new Map<string, never>();

/** The words of pages where no feature reads them. */
export const noTexts: PageTexts = {
  pageText: nothing,
  textOf: nothing,
  choicesOf: async () => [],
  sourceOf: nothing,
  documentOf: nothing,
  textsOf: none,
  textsOfFiles: none,
  textsOfPages: none,
};
