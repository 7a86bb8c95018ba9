/** Notices at requests that an image is another one than when it was requested last. */
import { LRUCache } from 'lru-cache';
import { formatIdentifier, splitPage, splitTier } from '../../core/image/model/identifier.ts';
import type { Admitted, ImageSet } from '../../core/image/model/image-set.ts';

/** The images that are remembered; of the others, a walk or a notification tells. */
const maxImages = 10_000;

/** What all see of an image, or that not all see it: caches may have kept it before. */
const stateOf = ({ resolutions, covers, isOpen }: Admitted<ImageSet>): string =>
  [isOpen ? (covers?.key ?? '') : 'closed', ...resolutions.map(({ file }) => file.fingerprint)].join(' ');

/** Returns what is called with each admitted image; it calls `onChanged` with the path of the file. */
export function createSeenImages(onChanged: (path: string) => void): (image: Admitted<ImageSet>) => void {
  const states = new LRUCache<string, string>({ max: maxImages });
  return (image) => {
    const path = formatIdentifier(image.identifier);
    const state = stateOf(image);
    const before = states.get(path);
    if (before === state) return;
    states.set(path, state);
    if (before !== undefined) onChanged(splitPage(splitTier(path).path).file);
  };
}
