/** Pages that have no page facing them, in manifests and in the reading room alike. */
import type { FolderMetadata } from './folder-metadata.ts';

/** `non-paged` is outside of the order of pages; `facing-pages` shows both pages of an opening (Presentation 3.0, section 3.4). */
export type PageBehavior = 'non-paged' | 'facing-pages';

/** The behavior of a page that metadata may call by any of these names; undefined for most pages. */
export type PageBehaviors = (names: readonly string[]) => PageBehavior | undefined;

/** The behaviors that the metadata of a folder gives its pages. */
export function pageBehaviorsIn({ nonPaged = [], facingPages = [] }: FolderMetadata): PageBehaviors {
  const behaviors = new Map<string, PageBehavior>([
    ...facingPages.map((name) => [name, 'facing-pages'] as const),
    ...nonPaged.map((name) => [name, 'non-paged'] as const),
  ]);
  return (names) => names.map((name) => behaviors.get(name)).find((behavior) => behavior !== undefined);
}
