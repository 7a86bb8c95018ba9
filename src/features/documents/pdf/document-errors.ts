/** Why a document is not made. */
import { ImageError } from '../../../core/image/model/errors.ts';

export const tooLong = (maxBytes: number): ImageError =>
  new ImageError(
    'too-large',
    `The document would have more than ${Math.floor(maxBytes / 2 ** 20)} MiB; ask for fewer pages or a smaller size.`,
  );

export const tooMany = (): ImageError =>
  new ImageError('overloaded', 'The server is making other documents; try again in a few minutes.', {
    retryAfterS: 60,
  });

export const noSpace = (cause: unknown): ImageError =>
  new ImageError('no-space', 'The server’s disk has no space for the document; ask again later.', { cause });

export const abandoned = (): ImageError => new ImageError('abandoned', 'Nobody waits for the document any more.');
