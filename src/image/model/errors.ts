/** The closed list of what can go wrong with a request for an image; http/errors.ts gives each its status and form. */

/** What was wrong, independent of the dialect that asked. */
export type ImageErrorCode =
  /** Nothing readable has that name. */
  | 'not-found'
  /** The image's file is there, but its pixels can't be decoded. */
  | 'damaged'
  /** The caller may not see it, also with the credentials that were sent. */
  | 'denied'
  /** The caller may not see it, and sent no credentials that count. */
  | 'login-needed'
  /** The request contradicts itself, the image, or a limit. */
  | 'bad-request'
  /** The address is longer than the server reads. */
  | 'address-too-long'
  /** The source is of a kind that can't be rendered yet. */
  | 'unsupported'
  /** The file was replaced while it was read. */
  | 'changed'
  /** The picture took longer than the deadline. */
  | 'too-slow'
  /** The picture could not be made, though its file is not to blame as far as can be said. */
  | 'failed'
  /** Too many renderings are waiting. */
  | 'overloaded'
  /** The client went away before the work began. */
  | 'abandoned';

/** An error with a sentence for the person who asked; the sentence names nothing of the host. */
export class ImageError extends Error {
  readonly code: ImageErrorCode;

  constructor(code: ImageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ImageError';
    this.code = code;
  }
}

/** A request that contradicts itself, the image or a limit, said in one sentence. */
export const badRequest = (message: string): ImageError => new ImageError('bad-request', message);
