/** Addresses with a version (`?v=`), whose answers never change, so that nobody asks for them twice. */
import type { Admitted, ImageSet } from '../image/model/image-set.ts';
import { privateCacheControl } from './representation.ts';

/** The content of such an address never changes. */
export const forever = 'public, max-age=31536000, immutable';

/** An address with another version than the present one: the file was replaced, or this server has not seen yet that it was. */
const forAMinute = 'public, max-age=60';

/** The version in a query; undefined where it has none. digilib has no parameter of this name (digilib.md, section 1). */
export const versionIn = (query: string): string | undefined =>
  query === '' ? undefined : /(?:^|[&;])v=([\w-]{1,64})(?=$|[&;])/.exec(query)?.[1];

/**
 * The Cache-Control of a picture, `usual` where its address has no version. A redirect to the present version would go around in
 * circles between servers of which one has seen the new file and another has not.
 */
export function pictureCacheControl(
  image: Admitted<ImageSet>,
  version: string | undefined,
  versionOf: (image: ImageSet) => string,
  usual: string,
): string {
  if (!image.isOpen) return privateCacheControl;
  // Where the site lets nothing be kept, neither is this.
  if (version === undefined || !/\bpublic\b/i.test(usual)) return usual;
  return version === versionOf(image) ? forever : forAMinute;
}
