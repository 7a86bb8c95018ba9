/** What a person says of one image beside its file: read by the library, used by both dialects and by access rules. */
import type { Dpi } from './geometry.ts';

/** Something around the image: a text, or a place that leads on. */
export type ImageContext =
  | { readonly kind: 'text'; readonly text: string }
  /** At least one of the two is there. The link is as the file has it; it may be any text. */
  | { readonly kind: 'link'; readonly link?: string; readonly name?: string };

/** The facts of an image that its metadata files say (digilib.md, section 3, “Metadata”). */
export interface ImageMetadata {
  /** Pixels an inch of the image as it is seen: upright. Stands before what the image’s own header says. */
  readonly dpi?: Dpi;
  readonly contexts: readonly ImageContext[];
  /** `free`, or a type with its name such as `group:mpiwg`, or a type alone; absent where nothing is said. */
  readonly access?: string;
  readonly title?: string;
}

/** The access of what a metadata file says that can't be read: it could have said that nobody may see it. */
export const unreadableAccess = '(unreadable)';

/** Of an image of which nothing is said. */
export const noImageMetadata: ImageMetadata = { contexts: [] };

/** What several places say together: each field from the first that says it. */
export function firstOfEach(said: readonly ImageMetadata[]): ImageMetadata {
  const dpi = said.find((one) => one.dpi !== undefined)?.dpi;
  const contexts = said.find((one) => one.contexts.length > 0)?.contexts ?? [];
  const access = said.find((one) => one.access !== undefined)?.access;
  const title = said.find((one) => one.title !== undefined)?.title;
  return {
    contexts,
    ...(dpi === undefined ? {} : { dpi }),
    ...(access === undefined ? {} : { access }),
    ...(title === undefined ? {} : { title }),
  };
}
