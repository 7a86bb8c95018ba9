/** The size of the canvas of a page: that of its image. */

import type { Admission } from '../../core/access/admit.ts';
import { ifAnswering } from '../../core/access/if-answering.ts';
import type { Caller } from '../../core/access/policy.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import type { Size } from '../../core/image/model/geometry.ts';
import { highest } from '../../core/image/model/image-set.ts';

/**
 * In pixels; `path` is that of the file, and `page` counts those inside of it, from 1. Undefined where the caller may not see
 * the image, where it can't be read, and where its disk does not answer.
 */
export async function canvasSize(
  admission: Admission,
  path: string,
  page: number,
  caller: Caller,
): Promise<Size | undefined> {
  try {
    const image = await ifAnswering(admission.admit(path, page, caller));
    if (image === 'no-answer') return undefined;
    const { width, height } = highest(image);
    return { width, height };
  } catch (error) {
    if (error instanceof ImageError) return undefined;
    throw error;
  }
}
