/** Why a file is to be put aside: its decoder crashed, took too much memory, or too much time, in a process of its own. */

import { ImageError } from '../image/model/errors.ts';

export type FaultKind = 'crash' | 'memory' | 'deadline';

const sentences: Readonly<Record<FaultKind, string>> = {
  crash: 'The decoder of the file crashed.',
  memory: 'The decoder of the file took more memory than a render process may.',
  deadline: 'The decoder of the file took all of the time that a request has.',
};

/** The cause of an error of a rendering for which its own file is to blame, and no other rendering beside it. */
export class DecoderFault extends Error {
  override readonly name = 'DecoderFault';
  readonly kind: FaultKind;

  constructor(kind: FaultKind) {
    super(sentences[kind]);
    this.kind = kind;
  }
}

/** What libvips, its decoders and its encoders say where memory can't be allocated. */
export const isOutOfMemory = (message: string): boolean =>
  /out of memory|cannot allocate|insufficient memory|memory allocation|no space for|av1_create_context/i.test(message);

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
