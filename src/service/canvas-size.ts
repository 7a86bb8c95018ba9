/** The size of the canvas of a page: that of its image. */
import type { Caller } from '../access/access.ts';
import { ImageError } from '../image/model/errors.ts';
import type { Size } from '../image/model/geometry.ts';
import { highest } from '../image/model/image-set.ts';
import type { Admission } from './admit.ts';
import { ifAnswering } from './if-answering.ts';

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
