/** Metadata of one image from files beside it: read by the library, used by both dialects and by access rules. */
import type { Dpi } from './geometry.ts';

/** Context of an image: a text or a link. */
export type ImageContext =
  | { readonly kind: 'text'; readonly text: string }
  /** At least one of the two is present. The link is the text of the file, unchecked. */
  | { readonly kind: 'link'; readonly link?: string; readonly name?: string };

/** The facts of an image in its metadata files (digilib.md, section 3, “Metadata”). */
export interface ImageMetadata {
  /** Pixels an inch of the upright image. Takes precedence over the image’s own header. */
  readonly dpi?: Dpi;
  readonly contexts: readonly ImageContext[];
  /** `free`, or a type with its name such as `group:mpiwg`, or a type alone; absent where the files name none. */
  readonly access?: string;
  readonly title?: string;
}

/** The access of an image whose metadata file can't be read: it might forbid access to everyone. */
export const unreadableAccess = '(unreadable)';

/** Metadata of an image without metadata files. */
export const noImageMetadata: ImageMetadata = { contexts: [] };

/** Merges metadata of several files: each field comes from the first that has it. */
export function mergeMetadata(sources: readonly ImageMetadata[]): ImageMetadata {
  const contexts = sources.find((one) => one.contexts.length > 0)?.contexts ?? [];
  return Object.assign({}, ...sources.toReversed(), { contexts });
}
