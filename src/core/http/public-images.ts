/** Images as everyone sees them, in a library without rules of access. */
import type { Admitted, ImageSet } from '../image/model/image-set.ts';
import type { ImageName } from './image-queries.ts';

export interface PublicImages {
  /** Whether an image that was admitted within the last second is unchanged, by synchronous stats; false also where these are not possible. */
  isFresh(image: Admitted<ImageSet>): boolean;
  /** The image of this name that was admitted within the last second and is fresh; undefined where that is not known. */
  recent(name: ImageName): Admitted<ImageSet> | undefined;
  /** Admits everyone to an image, as it is now; simultaneous requests share the stats. Throws as admission does. */
  admit(name: ImageName): Promise<Admitted<ImageSet>>;
}
