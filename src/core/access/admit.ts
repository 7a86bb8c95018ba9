/** Decides whether a caller may see an image or a folder; everything else takes what this admits. */
import pMap, { pMapSkip } from 'p-map';
import type { FolderEntry } from '../image/folder/folder-description.ts';
import { ImageError } from '../image/model/errors.ts';
import {
  childOf,
  formatIdentifier,
  type Identifier,
  isSegment,
  parseIdentifier,
  rootIdentifier,
  splitLast,
  splitTier,
} from '../image/model/identifier.ts';
import type { Admitted, ImageSet } from '../image/model/image-set.ts';
import type { Terms, Tier } from '../image/model/tier.ts';
import type { Folder, Library, Located, LocatedMedia } from '../library/library.ts';
import { traced } from '../tracing/tracing.ts';
import {
  type AnyFolder,
  CataloguedFolders,
  type Finds,
  type FoundPaths,
  type LongFolder,
  type ToldFolder,
} from './catalogued-folders.ts';
import { type ActiveRedactions, activeRedactions, coveringFor, coversOf, keyOfRedactions } from './covers.ts';
import { denial, identifierOf, notFound, ofFolder, ofImage, ofMedia } from './denials.ts';
import { ifAdmitted, isHidden } from './if-admitted.ts';
import { bounded, ifAnswering } from './if-answering.ts';
import { createKnownDamage, type KnownDamage } from './known-damage.ts';
import type { Access, Caller, Grant, Subject } from './policy.ts';
import { tieredImage } from './tiered-image.ts';

export { ifAdmitted, ifFound, isHidden } from './if-admitted.ts';

/** A folder, and the name of an image file in it where the path names one. */
export interface FolderTarget {
  readonly folder: Admitted<Folder>;
  readonly name?: string;
}

/** A folder that is not listed, and the name of an image file in it where the path names one. */
export interface LongFolderTarget {
  readonly folder: Admitted<LongFolder>;
  readonly name?: string;
}

/** A folder, whether its names were listed or not. */
type FolderNamed = Pick<Folder, 'identifier'>;

/**
 * Image files whose texts a caller may see, by name: each with a key of all that is covered of it, empty where nothing is for the
 * caller.
 */
export type TextNames = ReadonlyMap<string, string>;

const hasTexts = (grant: Grant | undefined): boolean => grant === 'all' || grant?.texts === true;

/** An image that was found, what rules say of it, and the tier that is shown of it, if it is not shown whole. */
interface Visible {
  readonly located: Located;
  readonly subject: Subject;
  readonly terms?: Terms;
  readonly redactions: ActiveRedactions;
  /** When that was said, in ms since 1970. */
  readonly nowMs: number;
}

/** What an admitted image was made of, and for whom. */
interface Origin {
  readonly image: ImageSet;
  readonly caller: Caller;
  /** When it was admitted, and when something that covers the image ends, in ms since 1970: a clock that was wrong can be set back. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What `TextNames` says of a file that the caller sees in a tier, or as a whole; undefined where the tier has no texts. */
function coveredText(tier: Tier | undefined, { all }: ActiveRedactions, { roles }: Caller): string | undefined {
  if (tier?.texts === false) return undefined;
  return tier === undefined && coveringFor(all, roles).length === 0 ? '' : keyOfRedactions(all);
}

/** Of so many names of a folder each is found by itself; for more, what belongs to the folder is read. */
const fewNames = 200;

/** How often an image is admitted again after its file was replaced meanwhile. */
const attempts = 3;

/** The only access to the library. All paths are decoded. */
class LibraryAdmission {
  readonly #library: Library;
  readonly #access: Access;
  readonly #damage: KnownDamage;
  readonly #catalogued: CataloguedFolders;
  readonly #onWrongRedaction: OnWrongRedaction;
  readonly #onAdmitted: OnAdmitted | undefined;
  readonly #origins = new WeakMap<Admitted<ImageSet>, Origin>();

  constructor(
    library: Library,
    access: Access,
    damage: KnownDamage,
    onWrongRedaction: OnWrongRedaction,
    onAdmitted: OnAdmitted | undefined,
  ) {
    this.#library = library;
    this.#access = access;
    this.#damage = damage;
    this.#onWrongRedaction = onWrongRedaction;
    this.#onAdmitted = onAdmitted;
    this.#catalogued = new CataloguedFolders(library, access);
  }

  /**
   * The image that a path names, or that is the page (from 1) of the folder that it names. Throws ImageError `not-found`
   * where nothing readable has that name, `denied` or `login-needed` where the caller may not see it.
   */
  admit(path: string, page: number, caller: Caller): Promise<Admitted<ImageSet>> {
    const facts = () => ({ name: 'admit', attributes: { 'lectern.image': path } });
    return traced(facts, () => this.#admit(path, page, caller));
  }

  async #admit(path: string, page: number, caller: Caller): Promise<Admitted<ImageSet>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#admitOnce(path, page, caller);
      } catch (error) {
        // A link in the path led elsewhere after it was checked: then everything is checked again.
        if (!(error instanceof ImageError) || error.code !== 'changed' || attempt === attempts) throw error;
      }
    }
  }

  /**
   * Whether an image that was admitted within the last second would be found unchanged now; false also where that can't be
   * told synchronously. Does not check access again.
   */
  isFresh(admitted: Admitted<ImageSet>): boolean {
    const origin = this.#origins.get(admitted);
    const nowMs = Date.now();
    if (origin === undefined || nowMs < origin.fromMs || nowMs >= origin.untilMs) return false;
    return this.#library.isFresh(origin.image) && !this.#damage.isNewsOf(admitted);
  }

  /** What an image is that was admitted in a tier, where the tier lets everyone who has it know the size of the whole. */
  describedWhole(admitted: Admitted<ImageSet>): ImageSet | undefined {
    const { terms } = admitted;
    if (terms === undefined || terms.isNamed || !terms.tier.wholeInfo) return undefined;
    return this.#origins.get(admitted)?.image;
  }

  /**
   * Whether the caller for whom an image was admitted may see what the library shows under all of these paths, such as the
   * file of its text.
   */
  isVisibleWith(image: Admitted<ImageSet>, paths: readonly Identifier[]): boolean {
    const origin = this.#origins.get(image);
    if (origin === undefined || image.terms?.tier.texts === false) return false;
    return this.arePathsVisible(paths, origin.caller);
  }

  /** Whether a caller may see the texts that the library shows under all of these paths, which are those of a file that exists. */
  arePathsVisible(paths: readonly Identifier[], caller: Caller): boolean {
    return hasTexts(this.#access.grantAt(paths, caller));
  }

  /**
   * Those of some image files of a folder whose texts the caller may see, as far as their own rules say, each with what is covered of
   * it for the caller.
   */
  async withTexts({ identifier }: FolderNamed, names: readonly string[], caller: Caller): Promise<TextNames> {
    if (!this.hasTiers && !(await this.#library.mayCover(identifier))) return new Map(names.map((name) => [name, '']));
    if (names.length <= fewNames) return this.#textsOfFew(identifier, names, caller);
    const subjects = await this.#library.subjectsIn(identifier);
    const found = names.map((name): readonly [string, string | undefined] => {
      const subject = subjects.get(name) ?? { paths: [] };
      const tier = this.#access.grantFor(subject, caller);
      const active = activeRedactions(subject.redactions, Date.now());
      return [name, active && coveredText(tier === 'all' ? undefined : tier, active, caller)];
    });
    return new Map(found.flatMap(([name, covered]) => (covered === undefined ? [] : [[name, covered] as const])));
  }

  async #textsOfFew(folder: Identifier, names: readonly string[], caller: Caller): Promise<TextNames> {
    const read = async (name: string) => {
      const found = await ifAdmitted(this.#locate(formatIdentifier(childOf(folder, name)), 1, caller));
      const covered = found && coveredText(found.terms?.tier, found.redactions, caller);
      return covered === undefined ? pMapSkip : ([name, covered] as const);
    };
    return new Map(await pMap(names, read, bounded));
  }

  /** Whether any caller can see a tier of an image. */
  get hasTiers(): boolean {
    return this.#access.tiers.length > 0;
  }

  /** The tiers of those image files of a folder that the caller sees only so, by name. */
  async tiersIn({ identifier }: FolderNamed, caller: Caller): Promise<ReadonlyMap<string, Tier>> {
    const tiers = new Map<string, Tier>();
    if (!this.hasTiers) return tiers;
    for (const [name, subject] of await this.#library.subjectsIn(identifier)) {
      const grant = this.#access.grantFor(subject, caller);
      if (grant !== undefined && grant !== 'all') tiers.set(name, grant);
    }
    return tiers;
  }

  /**
   * The file of sound or video that a path names, or a text beside one, for callers who may see it whole, and all of what a text belongs
   * to. Throws as `admit` does.
   */
  async admitMedia(path: string, caller: Caller): Promise<Admitted<LocatedMedia>> {
    const identifier = identifierOf(path, ofMedia);
    this.#requirePath([identifier], caller);
    const located = await this.#named(identifier, caller, this.#library.locateMedia(identifier));
    if (located === undefined) throw await this.#missing(identifier, caller, ofMedia);
    await this.#requireWhole(located, caller);
    for (const name of located.belongsTo) {
      await this.admitMedia(formatIdentifier(childOf(located.folder, name)), caller);
    }
    return located as unknown as Admitted<LocatedMedia>;
  }

  /** What is no image has no smaller size, and nothing that could be covered: it is seen whole, or not at all. */
  async #requireWhole(located: Located, caller: Caller): Promise<void> {
    const { access: type, redactions } = await this.#library.imageMetadata(located);
    const subject = { paths: located.paths, ...(type === undefined ? {} : { type }) };
    const grant = this.#access.grantFor(subject, caller);
    if (grant === undefined || (grant !== 'all' && !grant.originals)) throw denial(caller);
    const active = activeRedactions(redactions, Date.now());
    if (active === undefined || coveringFor(active.all, caller.roles).length > 0) throw denial(caller);
  }

  /** Whether everyone may see a file of sound or video. */
  async isMediaOpen(located: LocatedMedia): Promise<boolean> {
    const { access: type } = await this.#library.imageMetadata(located);
    return this.#access.isOpen({ paths: located.paths, ...(type === undefined ? {} : { type }) });
  }

  /** The folder that a path names. Throws as `admit` does. */
  async admitFolder(path: string, caller: Caller): Promise<Admitted<Folder>> {
    return this.#folderAt(identifierOf(path, ofFolder), caller);
  }

  /** The folder that a path names, where it has so many names that a catalogue has to tell them; undefined for all others. */
  async admitLongFolder(path: string, caller: Caller): Promise<Admitted<LongFolder> | undefined> {
    const identifier = parseIdentifier(path);
    return identifier && this.#catalogued.long(identifier, caller);
  }

  /** The folder that a path names, listed where its names are not too many. Throws as `admit` does. */
  async admitAnyFolder(path: string, caller: Caller): Promise<AnyFolder> {
    return (await this.admitLongFolder(path, caller)) ?? this.admitFolder(path, caller);
  }

  /** The same as `admitLongFolder`, or such a folder that contains the image file that a path names. */
  async admitLongFolderOrImage(path: string, caller: Caller): Promise<LongFolderTarget | undefined> {
    const own = await this.admitLongFolder(path, caller);
    if (own !== undefined) return { folder: own };
    const { parent } = splitLast(parseIdentifier(path) ?? rootIdentifier);
    const around = parent && (await this.#catalogued.long(parent, caller));
    if (around === undefined) return undefined;
    const found = await ifAdmitted(this.#locate(path, 1, caller));
    if (found === undefined) return undefined;
    const { folder, name } = found.located;
    return formatIdentifier(folder) === formatIdentifier(around.identifier) ? { folder: around, name } : undefined;
  }

  /**
   * What has all of these folded words in a folder and below it, from the catalogue that has them; undefined where none does.
   * Nothing is admitted yet.
   */
  findNames(
    { identifier }: Admitted<FolderNamed>,
    { words, max }: { readonly words: readonly string[]; readonly max: number },
    caller: Caller,
  ): Promise<FoundPaths | undefined> {
    return this.#catalogued.find(identifier, words, max, caller);
  }

  /** What tells of some folders that were found, without their lists: as in `CataloguedFolders`. */
  tellFound({ identifier }: Admitted<FolderNamed>, finds: Finds): Promise<ReadonlyMap<string, ToldFolder>> {
    return this.#catalogued.tell(identifier, finds);
  }

  /** Whether the caller may see the folder that a path names, which is not listed for that; false where there is none. */
  async isFolderVisible(path: string, caller: Caller): Promise<boolean> {
    const identifier = parseIdentifier(path);
    if (identifier === undefined || this.#access.grantAt([identifier], caller) === undefined) return false;
    const paths = await this.#library.folderPaths(identifier);
    return paths !== undefined && this.#access.grantAt(paths, caller) !== undefined;
  }

  /** The folder that contains the image file that `admit` would find, whether the file can be read or not. */
  async admitFolderAround(path: string, page: number, caller: Caller): Promise<Admitted<Folder>> {
    const identifier = identifierOf(path);
    this.#requirePath([identifier], caller);
    const folder = await this.#named(identifier, caller, this.#library.findFolder(identifier));
    // A folder can be listed even where its first image is closed.
    if (folder?.images[page - 1] !== undefined) return this.#admitFound(folder, caller);
    const { located } = await this.#locate(path, page, caller);
    return this.#folderAt(located.folder, caller);
  }

  /** The folder that a path names, or the folder that contains the image file that it names, readable or not. */
  async admitFolderOrImage(path: string, caller: Caller): Promise<FolderTarget> {
    const folder = await this.#findFolder(identifierOf(path), caller);
    if (folder !== undefined) return { folder };
    const { located } = await this.#locate(path, 1, caller);
    return { folder: await this.#folderAt(located.folder, caller), name: located.name };
  }

  /**
   * The same, also for a caller who may see one image of a folder alone, by a signed link: then nothing else is in the folder, and
   * nothing but the image is told of it.
   */
  async admitFolderShowing(path: string, caller: Caller): Promise<FolderTarget> {
    try {
      return await this.admitFolderOrImage(path, caller);
    } catch (error) {
      if (caller.links === undefined || !isHidden(error)) throw error;
      const { located } = await this.#locate(path, 1, caller);
      const { folder: identifier, name } = located;
      const alone = { identifier, paths: located.paths, images: [name], folders: [], isAlone: true, isOpen: false };
      return { folder: alone as unknown as Admitted<Folder>, name };
    }
  }

  /** The names of the folders in a folder that the caller may see. */
  foldersOf({ identifier, folders }: Admitted<Folder>, caller: Caller): Promise<readonly string[]> {
    // What can't be checked, since its disk does not answer, stays hidden.
    return this.#visible(folders, async (name) => {
      const path = formatIdentifier(childOf(identifier, name));
      if ((await ifAnswering(this.isFolderVisible(path, caller))) !== true) throw notFound();
    });
  }

  /** Those of a few image files of a folder that the caller may see, by name. */
  visibleAmong(
    { identifier }: Admitted<FolderNamed>,
    names: readonly string[],
    caller: Caller,
  ): Promise<readonly string[]> {
    return this.#visible(names, (name) => this.#locate(formatIdentifier(childOf(identifier, name)), 1, caller));
  }

  /**
   * How many pages some image files of a folder have, by name; those are absent that the caller may not see or that can't be
   * read. Less is read than for `admit`.
   */
  async pageCountsOf(
    folder: Admitted<Folder>,
    names: readonly string[],
    caller: Caller,
  ): Promise<ReadonlyMap<string, number>> {
    const shown = await this.visibleAmong(folder, names, caller);
    const counts = await this.#library.pageCountsOf(folder.identifier, shown);
    return new Map(shown.flatMap((name, index) => (counts[index] ? [[name, counts[index]] as const] : [])));
  }

  /**
   * The image files of a folder that the caller may see, whether they can be read or not. Those whose names no address can have
   * are counted, so that `pn` means the same files as in digilib, but are not among them.
   */
  async entriesOf({ identifier, images }: Admitted<Folder>, caller: Caller): Promise<readonly FolderEntry[]> {
    const all = images.map((name, index): FolderEntry => ({ index: index + 1, name }));
    const entries = all.filter(({ name }) => isSegment(name));
    if (!this.#access.isOn) return entries;
    const subjects = await this.#library.subjectsIn(identifier);
    return entries.filter(({ name }) => {
      const subject = subjects.get(name);
      return subject !== undefined && this.#access.grantFor(subject, caller) !== undefined;
    });
  }

  /** Checked also for names that may not exist, so that nobody learns which names exist in a closed folder. */
  #requirePath(paths: readonly Identifier[], caller: Caller, words = ofImage): void {
    if (this.#access.grantAt(paths, caller) === undefined) throw denial(caller, words.denied);
  }

  /** The error for a name that nothing has: the same as if something had it, where rules apply to it by any of its paths. */
  async #missing(identifier: Identifier, caller: Caller, words = ofImage): Promise<ImageError> {
    if (this.#access.isOn) this.#requirePath(await this.#library.pathsOf(identifier), caller, words);
    return notFound(words.missing);
  }

  /** What the library finds. Where it says itself why it finds nothing, only who may see the paths learns that. */
  async #named<T>(identifier: Identifier, caller: Caller, finding: Promise<T>, words = ofImage): Promise<T> {
    try {
      return await finding;
    } catch (error) {
      if (error instanceof ImageError && error.code === 'not-found') await this.#missing(identifier, caller, words);
      throw error;
    }
  }

  /** The tier that a path names behind that of an image; without tiers, no path names any. */
  #splitTier(path: string): { readonly path: string; readonly tier?: string } {
    return this.#access.tiers.length === 0 ? { path } : splitTier(path);
  }

  async #locate(asked: string, page: number, caller: Caller): Promise<Visible> {
    const { path, tier: name } = this.#splitTier(asked);
    const identifier = identifierOf(path);
    this.#requirePath([identifier], caller);
    const located = await this.#named(identifier, caller, this.#library.locate(identifier, page));
    if (located === undefined) throw await this.#missing(identifier, caller);
    const { access: type, redactions: said } = await this.#library.imageMetadata(located);
    const nowMs = Date.now();
    const redactions = activeRedactions(said, nowMs);
    const subject = { paths: located.paths, ...(type === undefined ? {} : { type }) };
    const grant = this.#access.grantFor(subject, caller);
    if (grant === undefined) throw denial(caller);
    // Nobody may see it, whoever signs in.
    if (redactions === undefined) throw new ImageError('denied', ofImage.denied);
    const tier = name === undefined ? grant : this.#access.tiers.find((one) => one.name === name);
    if (tier === undefined) throw notFound();
    if (tier === 'all') return { located, subject, redactions, nowMs };
    if (!this.#access.includes(grant, tier)) throw denial(caller);
    const terms: Terms = {
      tier,
      denial: caller.authenticated ? 'denied' : 'login-needed',
      isNamed: name !== undefined,
      isForAll: this.#access.isOpen(subject, tier),
    };
    return { located, subject, terms, redactions, nowMs };
  }

  /** Whether everyone gets the same at the address that was asked for. */
  #isSameForAll({ subject, terms, redactions }: Visible): boolean {
    if (terms?.isNamed) return terms.isForAll;
    const isCoveredForAll = !this.#access.isOn || redactions.all.every(({ roles }) => roles.length === 0);
    return isCoveredForAll && this.#access.isOpen(subject);
  }

  /** In a tier, which has an address of its own, everything is covered for all callers. */
  #covered(image: ImageSet, { located, terms, redactions: { all } }: Visible, { roles }: Caller): ImageSet {
    const covers = coversOf(image, terms === undefined ? coveringFor(all, roles) : all, terms?.tier.watermark);
    if (covers === undefined) return image;
    if (covers !== 'wrong') return { ...image, covers };
    this.#onWrongRedaction(formatIdentifier(located.identifier));
    throw new ImageError('denied', ofImage.denied);
  }

  async #admitOnce(path: string, page: number, caller: Caller): Promise<Admitted<ImageSet>> {
    const visible = await this.#locate(path, page, caller);
    const { located, terms, redactions, nowMs } = visible;
    const image = await this.#library.describe(located);
    if (image === undefined) throw notFound('The file of this name can’t be read as an image.');
    const whole = this.#covered(this.#damage.applyTo(image), visible, caller);
    const shown = terms === undefined ? whole : tieredImage(whole, terms);
    const admitted = { ...shown, isOpen: this.#isSameForAll(visible) } as Admitted<ImageSet>;
    this.#origins.set(admitted, { image, caller, fromMs: nowMs, untilMs: redactions.untilMs });
    this.#onAdmitted?.(admitted);
    return admitted;
  }

  #admitFound(folder: Folder, caller: Caller, words = ofImage): Admitted<Folder> {
    this.#requirePath(folder.paths, caller, words);
    return { ...folder, isOpen: !this.#access.isOn } as Admitted<Folder>;
  }

  /** Undefined where there is no such folder. */
  async #findFolder(identifier: Identifier, caller: Caller, words = ofImage): Promise<Admitted<Folder> | undefined> {
    this.#requirePath([identifier], caller, words);
    const folder = await this.#named(identifier, caller, this.#library.findFolder(identifier), words);
    return folder && this.#admitFound(folder, caller, words);
  }

  async #folderAt(identifier: Identifier, caller: Caller): Promise<Admitted<Folder>> {
    const folder = await this.#findFolder(identifier, caller, ofFolder);
    if (folder === undefined) throw await this.#missing(identifier, caller, ofFolder);
    return folder;
  }

  /** The names that `admit` does not reject. */
  async #visible(names: readonly string[], admit: (name: string) => Promise<unknown>): Promise<readonly string[]> {
    if (!this.#access.isOn) return names;
    return pMap(names, async (name) => ((await ifAdmitted(admit(name).then(() => true))) ? name : pMapSkip), bounded);
  }
}

export type Admission = Pick<LibraryAdmission, keyof LibraryAdmission>;

/** Called with the path of an image that is closed, since a redaction lies beside it, or there are too many. */
type OnWrongRedaction = (path: string) => void;

type OnAdmitted = (image: Admitted<ImageSet>) => void;

export const createAdmission = (
  library: Library,
  access: Access,
  damage = createKnownDamage(),
  onWrongRedaction: OnWrongRedaction = () => undefined,
  onAdmitted?: OnAdmitted,
): Admission => new LibraryAdmission(library, access, damage, onWrongRedaction, onAdmitted);

/**
 * The first of the images that an address can mean. Throws as `admit` does; where none of the paths leads to an image, the
 * error is that of the first.
 */
export async function admitFirst(
  { identifiers, page }: { readonly identifiers: readonly string[]; readonly page: number },
  admission: Admission,
  caller: Caller,
): Promise<Admitted<ImageSet>> {
  let first: unknown;
  for (const identifier of identifiers) {
    try {
      return await admission.admit(identifier, page, caller);
    } catch (error) {
      if (!(error instanceof ImageError) || error.code !== 'not-found') throw error;
      first ??= error;
    }
  }
  throw first;
}
