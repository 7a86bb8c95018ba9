/** Images of JPEG 2000 files as the library would find them, for tests that decode nothing. */
import type { Admitted, ImageSet, Resolution } from '../../../../src/core/image/model/image-set.ts';
import { bufferSource } from '../../../../src/core/library/headers/byte-source.ts';
import { readHeader } from '../../../../src/core/library/headers/header.ts';
import { type CodingStyle, cod, codeStreamOf, type Grid, siz } from '../library/headers/build-files.ts';
import { imageOf } from './image-builder.ts';

/** A file of `bytes` bytes with this grid and coding style. */
export async function jpeg2000Of(
  grid: Grid,
  style: CodingStyle,
  bytes = grid.width * grid.height,
): Promise<Admitted<ImageSet> & { readonly resolutions: readonly [Resolution] }> {
  const { format, pages } = await readHeader(bufferSource(codeStreamOf([siz(grid), cod(style)])));
  const { width, height } = grid;
  const image = imageOf({ width, height, format });
  const [first] = image.resolutions;
  const resolution = { ...first, ...pages[0], width, height, file: { ...first.file, bytes } };
  return { ...image, resolutions: [resolution] };
}
