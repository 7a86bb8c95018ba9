/** The messages between the server and the process that makes a pyramid: plain data. */
import type { Size } from '../image/model/geometry.ts';
import type { Resolution } from '../image/model/image-set.ts';

/** One pyramid to make. */
export interface PyramidJob {
  readonly source: Resolution;
  /** The file to write; temporary files have its name with a suffix. */
  readonly target: string;
  readonly tile: Size;
  /** JPEG quality, 1 to 100. */
  readonly quality: number;
}

/** First the job, then the facts of its file, if that could be read. */
export type Order =
  | { readonly kind: 'make'; readonly job: PyramidJob }
  | { readonly kind: 'compare'; readonly source: Resolution; readonly pyramid: Resolution };

export type Report =
  | { readonly kind: 'made' }
  | { readonly kind: 'equal'; readonly peakBytes: number }
  /** The reason is a sentence. */
  | { readonly kind: 'failed'; readonly reason: string };
