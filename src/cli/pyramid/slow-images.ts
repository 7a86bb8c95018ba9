/** Finds the images below folders that are slow to cut, and those that can't be read. */
import type { Resolution } from '../../core/image/model/image-set.ts';
import { slownessOf } from '../../core/image/plan/slow-sources.ts';
import { FolderWalk, type WalkOptions } from '../common/folder-walk.ts';
import { messageOf, printable } from '../common/text.ts';

/** One page of a file that is slow to cut. */
export interface SlowImage {
  /** The path as it is printed. */
  readonly shown: string;
  readonly source: Resolution;
  /** Why tiles of it are slow to cut, as the end of a sentence. */
  readonly reason: string;
}

/** The result of a search. */
export interface Findings {
  /** Number of pages in all image files that can be read. */
  readonly images: number;
  readonly slow: readonly SlowImage[];
  /** Images that are slow and can't have a pyramid. */
  readonly unfit: readonly string[];
  /** Lines of the form `path: sentence`. */
  readonly faults: readonly string[];
}

/** The pages of a file, each with how slow it is to cut; `file` is the path that is printed. */
export const pagesWithSlowness = (file: string, pages: readonly Resolution[]) =>
  pages.map((source, index) => {
    const shown = printable(pages.length > 1 ? `${file}, page ${index + 1}` : file);
    return { shown, source, ...slownessOf(source) };
  });

const byName = (one: SlowImage, other: SlowImage): number =>
  one.shown < other.shown ? -1 : one.shown > other.shown ? 1 : 0;

/** Searches folders for images that are slow to cut, until the signal is aborted. */
export async function findSlowImages(
  roots: readonly string[],
  rules: Pick<WalkOptions, 'followLinksOutside' | 'orientation' | 'signal'>,
): Promise<Findings> {
  const slow: SlowImage[] = [];
  const unfit: string[] = [];
  const faults: string[] = [];
  let images = 0;
  const onFault = async (shown: string, sentence: string): Promise<void> =>
    void faults.push(`${printable(shown)}: ${sentence}`);
  for (const root of roots) {
    const walk = new FolderWalk(root, { ...rules, sentenceFor: (_, error) => messageOf(error), onFault });
    for await (const folder of walk.folders()) {
      for await (const batch of walk.images(folder)) {
        const pages = batch.flatMap((image) => pagesWithSlowness(image.shown, image.pages));
        images += pages.length;
        slow.push(...pages.filter(({ kind }) => kind === 'slow'));
        unfit.push(...pages.filter(({ kind }) => kind === 'unfit').map(({ shown, reason }) => `${shown}: ${reason}`));
      }
    }
  }
  return { images, slow: slow.sort(byName), unfit, faults };
}
