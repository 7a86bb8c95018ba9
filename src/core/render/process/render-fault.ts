/** The errors of renderings whose process ended, or found no memory; the cause says where the file is to blame. */
import { type DecoderFault, ImageError } from '../../image/model/errors.ts';

/** What libvips, its decoders and encoders, and V8 say where memory can't be allocated. */
export const isOutOfMemory = (message: string): boolean =>
  /out of memory|buffer allocation failed|cannot allocate|insufficient memory|memory allocation|no space for|av1_create_context/i.test(
    message,
  );

/** The error of a rendering that took more memory than its process may have. */
export const outOfMemory = (cause: unknown): ImageError =>
  new ImageError('too-large', 'Making this picture takes more memory than a render process may have.', { cause });

/** The error of a rendering whose process crashed. */
export const decoderFailed = (fault?: DecoderFault): ImageError =>
  new ImageError('failed', 'The picture could not be made: its decoder failed.', fault && { cause: fault });

/** The error of a rendering that was not done at its deadline. */
export const tooSlow = (fault?: DecoderFault): ImageError =>
  new ImageError(
    'too-slow',
    'The picture was not ready in time; try again, or ask for a smaller one.',
    fault && { cause: fault },
  );
