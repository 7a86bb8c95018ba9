/** Remembers files whose pixels could not be decoded, so that what they have is planned, marked and described as a part. */
import { LRUCache } from 'lru-cache';
import type { ImageSet, Resolution, SourceFile } from '../image/model/image-set.ts';

export interface KnownDamage {
  /** Remembers that a part of this version of the file is missing or damaged. */
  add(file: SourceFile): void;
  /** Remembers that pictures of this version of the file are refused, since its pixels can’t be decoded. */
  addRefused(file: SourceFile): void;
  /** Whether all of the image can be seen, as far as is known. */
  isWhole(image: ImageSet): boolean;
  /** The image, with what is known of its files. */
  applyTo<Image extends ImageSet>(image: Image): Image;
  /** Whether the image was described before one of its files was found to be damaged. */
  isNewsOf(image: ImageSet): boolean;
}

const maxFiles = 10_000;

const keyOf = ({ fingerprint, path }: SourceFile): string => `${fingerprint} ${path}`;

export function createKnownDamage(): KnownDamage {
  // With `max` the caches would allocate their tables at once.
  const bound = { maxSize: maxFiles, sizeCalculation: () => 1 };
  const files = new LRUCache<string, true>(bound);
  const refused = new LRUCache<string, true>(bound);
  const isNews = ({ truncated, file }: Resolution): boolean => !truncated && files.has(keyOf(file));
  const isNewsOf = ({ resolutions }: ImageSet): boolean => files.size > 0 && resolutions.some(isNews);
  const described = (one: Resolution): Resolution => (isNews(one) ? { ...one, truncated: true } : one);
  return {
    add: (file) => void files.set(keyOf(file), true),
    addRefused: (file) => void refused.set(keyOf(file), true),
    isWhole: ({ resolutions }) => !resolutions.some(({ truncated, file }) => truncated || refused.has(keyOf(file))),
    isNewsOf,
    applyTo(image) {
      if (!isNewsOf(image)) return image;
      const [full, ...others] = image.resolutions;
      return { ...image, resolutions: [described(full), ...others.map(described)] };
    },
  };
}
