/** The image files of a folder that addresses can name. */
import { isSegment } from '../image/model/identifier.ts';

const shown = new WeakMap<readonly string[], readonly string[]>();

/**
 * The names among those of a folder's image files that an identifier can have, in their order: lists show no others. The same
 * array where these are all, as nearly always; computed once for each array.
 */
export function shownImages({ images }: { readonly images: readonly string[] }): readonly string[] {
  const known = shown.get(images);
  if (known !== undefined) return known;
  const names = images.every(isSegment) ? images : images.filter(isSegment);
  shown.set(images, names);
  return names;
}
