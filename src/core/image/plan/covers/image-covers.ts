/** What lies on an image, with the sizes in whose pixels its places are. */
import type { Covers } from '../../model/covers.ts';
import type { Size } from '../../model/geometry.ts';
import { highest, type ImageSet, type Resolution, storedHighest } from '../../model/image-set.ts';

export interface ImageCovers {
  readonly covers: Covers;
  /** The file of the image at its full size: redactions are in its upright pixels. */
  readonly stored: Resolution;
  /** The image that is shown, which is smaller in a tier: watermarks are placed on it. */
  readonly shown: Size;
}

/** Undefined for an image on which nothing lies. */
export function imageCoversOf(image: ImageSet): ImageCovers | undefined {
  const { covers } = image;
  return covers && { covers, stored: storedHighest(image), shown: highest(image) };
}
