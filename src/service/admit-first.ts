/** Admits a caller to the first of the images that an address can mean. */
import type { Caller } from '../access/access.ts';
import { ImageError } from '../image/model/errors.ts';
import type { Admitted, ImageSet } from '../image/model/image-set.ts';
import type { Admission } from './admit.ts';

/** Throws as `admit` does; where none of the paths leads to an image, the error is that of the first. */
export async function admitFirst(
  { identifiers, page }: { readonly identifiers: readonly string[]; readonly page: number },
  admission: Admission,
  caller: Caller,
): Promise<Admitted<ImageSet>> {
  let first: unknown;
  for (const identifier of identifiers) {
    try {
      return await admission.admit(identifier, page, caller);
    } catch (error) {
      if (!(error instanceof ImageError) || error.code !== 'not-found') throw error;
      first ??= error;
    }
  }
  throw first;
}
