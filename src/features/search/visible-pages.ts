/** Which of the pages that an index names a caller may see, and in which order a book has them. */
import pMap from 'p-map';
import { type Admission, ifAdmitted } from '../../core/access/admit.ts';
import { bounded, ifAnswering } from '../../core/access/if-answering.ts';
import type { Caller } from '../../core/access/policy.ts';
import type { FolderMetadataSource } from '../../core/folder-descriptions/folder-cards.ts';
import { inDisplayOrder, namesOfFile, positionsAmong } from '../../core/image/folder/page-labels.ts';
import { joinPage } from '../../core/image/model/identifier.ts';
import type { Admitted } from '../../core/image/model/image-set.ts';
import { isWithoutCovered } from '../../core/image/page-text/covered-text.ts';
import type { Folder } from '../../core/library/library.ts';
import type { PageTexts } from '../../core/ports.ts';
import type { PageKey, SearchEngine } from './engine/search-engine.ts';

/** Up to this many ranked pages are all checked, which makes their number exact. */
export const fewRanked = 50;

/** Most ranked pages that are checked where the caller may not see everything. */
export const mostChecked = 200;

/** How many ranked pages are checked at the same time at least. */
const leastCheckedAtOnce = 10;

/** A page whose file and text the caller may see. */
export interface VisiblePage extends PageKey {
  readonly admitted: Admitted<Folder>;
  readonly file: string;
  readonly pageInFile: number;
}

/** The file and the page inside of it that an indexed name means: `scan.tif;2`. */
export function fileOfName(name: string): { readonly file: string; readonly pageInFile: number } {
  const [, file, page] = /^(.*);([0-9]+)$/.exec(name) ?? [];
  return file === undefined ? { file: name, pageInFile: 1 } : { file, pageInFile: Number(page) };
}

const byFolder = (keys: readonly PageKey[]): ReadonlyMap<string, readonly PageKey[]> => {
  const groups = new Map<string, PageKey[]>();
  for (const key of keys) {
    const group = groups.get(key.folder);
    if (group === undefined) groups.set(key.folder, [key]);
    else group.push(key);
  }
  return groups;
};

const natural = new Intl.Collator('en', { numeric: true });

export interface VisiblePagesParts {
  readonly admission: Admission;
  readonly texts: Pick<PageTexts, 'textsOfPages'>;
  readonly metadata: FolderMetadataSource;
  /** The fingerprints of the indexed texts of a folder, by the names of the pages. */
  readonly fingerprints: SearchEngine['fingerprints'];
}

/** Filters and sorts pages of an index for a caller; a page is visible where its file and its text are. */
export class VisiblePages {
  readonly #admission: Admission;
  readonly #texts: Pick<PageTexts, 'textsOfPages'>;
  readonly #metadata: FolderMetadataSource;
  readonly #fingerprints: SearchEngine['fingerprints'];

  constructor({ admission, texts, metadata, fingerprints }: VisiblePagesParts) {
    this.#admission = admission;
    this.#texts = texts;
    this.#metadata = metadata;
    this.#fingerprints = fingerprints;
  }

  /** Those of some pages that the caller may see, by `folder/name`. */
  async #in(folder: string, keys: readonly PageKey[], caller: Caller): Promise<readonly VisiblePage[]> {
    const admitted = await ifAnswering(ifAdmitted(this.#admission.admitFolder(folder, caller)));
    if (admitted === undefined || admitted === 'no-answer') return [];
    const present = new Set(admitted.images);
    const pages = keys.map((key) => ({ ...key, ...fileOfName(key.name), admitted }));
    const files = [...new Set(pages.map(({ file }) => file))].filter((file) => present.has(file));
    const visible = new Set(await this.#admission.visibleAmong(admitted, files, caller));
    const shown = await this.#withoutCovered(
      pages.filter(({ file }) => visible.has(file)),
      folder,
      caller,
    );
    // A text file may be closed where its image is open.
    const readable = await this.#texts.textsOfPages(admitted, shown, caller);
    return shown.filter(({ file, pageInFile }) => readable.has(joinPage(file, pageInFile)));
  }

  /** Those of which the index has no words that are covered for the caller: what is covered may have changed since. */
  async #withoutCovered(
    pages: readonly VisiblePage[],
    folder: string,
    caller: Caller,
  ): Promise<readonly VisiblePage[]> {
    const [first] = pages;
    if (first === undefined) return [];
    const files = [...new Set(pages.map(({ file }) => file))];
    const texts = await this.#admission.withTexts(first.admitted, files, caller);
    const isCovered = [...texts.values()].some((covered) => covered !== '');
    const indexed = isCovered ? await this.#fingerprints(folder) : new Map<string, string>();
    return pages.filter(({ file, name }) => {
      const covered = texts.get(file);
      return covered !== undefined && isWithoutCovered(indexed.get(name), covered);
    });
  }

  /** Those of some pages that the caller may see, in their order. */
  async among(keys: readonly PageKey[], caller: Caller): Promise<readonly VisiblePage[]> {
    const groups = [...byFolder(keys)];
    const found = await pMap(groups, ([folder, inside]) => this.#in(folder, inside, caller), bounded);
    const byName = new Map(found.flat().map((page) => [`${page.folder}/${page.name}`, page]));
    return keys.flatMap(({ folder, name }) => byName.get(`${folder}/${name}`) ?? []);
  }

  /** Pages in the order of the book, folder by folder. */
  async inBookOrder(pages: readonly VisiblePage[]): Promise<readonly VisiblePage[]> {
    const groups = [...byFolder(pages)].sort(([a], [b]) => natural.compare(a, b));
    const sort = async ([, keys]: readonly [string, readonly PageKey[]]): Promise<readonly VisiblePage[]> => {
      const inside = keys as readonly VisiblePage[];
      const [first] = inside;
      if (first === undefined) return [];
      const files = new Set(inside.map(({ file }) => file));
      const positions = positionsAmong(first.admitted.images, (name) => name, files);
      const listed = inside.toSorted(
        (a, b) => (positions.get(a.file) ?? 0) - (positions.get(b.file) ?? 0) || a.pageInFile - b.pageInFile,
      );
      const { pageOrder } = await this.#metadata.metadataOf(first.admitted.identifier);
      return inDisplayOrder(listed, pageOrder, ({ file }) => namesOfFile(file));
    };
    return (await pMap(groups, sort, bounded)).flat();
  }

  /** The best pages in parts, until there are enough; others are not checked. */
  async until(
    keys: readonly PageKey[],
    enough: number,
    mostKeys: number,
    caller: Caller,
  ): Promise<{ readonly pages: readonly VisiblePage[]; readonly checked: number }> {
    const pages: VisiblePage[] = [];
    let checked = 0;
    while (checked < keys.length && (pages.length < enough || checked < mostKeys)) {
      const atOnce = keys.length <= fewRanked ? fewRanked : Math.max(leastCheckedAtOnce, enough - pages.length);
      const part = keys.slice(checked, checked + atOnce);
      pages.push(...(await this.among(part, caller)));
      checked += part.length;
    }
    return { pages, checked };
  }
}
