/** What a run of indexing reports. */
import type { IndexingProgress } from './index-texts.ts';

/** The result of a run, with the index as it is then. */
export interface IndexingResult extends IndexingProgress {
  readonly pages: number;
  /** On disk. */
  readonly bytes: number;
}

/** What the process tells the server. */
export type IndexingReport =
  | { readonly kind: 'progress'; readonly progress: IndexingProgress }
  | { readonly kind: 'done'; readonly result: IndexingResult }
  /** A sentence. */
  | { readonly kind: 'failed'; readonly reason: string };
