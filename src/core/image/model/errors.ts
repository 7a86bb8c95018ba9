/** The closed list of errors of a request for an image; http/error-responses.ts gives each its status and form. */

/** What was wrong, in every dialect. */
export type ImageErrorCode =
  /** Nothing readable has that name. */
  | 'not-found'
  /** The image's file is there, but its pixels can't be decoded. */
  | 'damaged'
  /** The caller may not see it, also with the credentials that were sent. */
  | 'denied'
  /** The caller may not see it, and sent no credentials that count. */
  | 'login-needed'
  /** The signed link of the request does not count any more. */
  | 'link-over'
  /** The request contradicts itself, the image, or a limit. */
  | 'bad-request'
  /** The request needs more memory than the server gives to one. */
  | 'too-large'
  /** The address is longer than the server reads. */
  | 'address-too-long'
  /** Sources of this kind can't be rendered yet. */
  | 'unsupported'
  /** The file was replaced while it was read. */
  | 'changed'
  /** The picture took longer than the deadline. */
  | 'too-slow'
  /** The decoder of the file failed before at such a picture; it is not tried again until the file changes. */
  | 'put-aside'
  /** The picture could not be made for another reason than its file: a fault of the program, the decoder or the machine. */
  | 'failed'
  /** The disk that holds the file does not answer in time. */
  | 'disk-late'
  /** The object store that holds the file fails, or refuses the server's key. */
  | 'store-failed'
  /** The object store that holds the file has too much to do. */
  | 'store-busy'
  /** The object store that holds the file does not answer in time. */
  | 'store-late'
  /** More files have to be read for it than a request has time for; they are being read. */
  | 'being-read'
  /** The server can’t write what the answer needs, a copy of the image’s file or a document: its disk is full, or fails. */
  | 'no-space'
  /** The caller, or those that it is one of, took so much that this has to wait. */
  | 'over-budget'
  /** Too many renderings are waiting. */
  | 'overloaded'
  /** The client went away before the work began. */
  | 'abandoned';

export interface ImageErrorOptions extends ErrorOptions {
  /** After how many whole seconds another request may succeed, where that is known. */
  readonly retryAfterS?: number;
}

/** An error whose message is a sentence for the client and names nothing of the host. */
export class ImageError extends Error {
  readonly code: ImageErrorCode;
  readonly retryAfterS: number | undefined;

  constructor(code: ImageErrorCode, message: string, options?: ImageErrorOptions) {
    super(message, options);
    this.name = 'ImageError';
    this.code = code;
    this.retryAfterS = options?.retryAfterS;
  }
}

/** Whether an object store fails. */
export const isStoreFailure = (error: unknown): error is ImageError =>
  error instanceof ImageError && ['store-failed', 'store-busy', 'store-late'].includes(error.code);

/** Whether a file was not read since a disk hangs, an object store fails, or there is too much to do: it may be whole. */
export const isNoAnswer = (error: unknown): error is ImageError =>
  isStoreFailure(error) || (error instanceof ImageError && (error.code === 'disk-late' || error.code === 'overloaded'));

/** The error of a request that contradicts itself, the image or a limit. */
export const badRequest = (message: string): ImageError => new ImageError('bad-request', message);

/** The error of a file that lacks a part of its pixels, as while it is copied. */
export const cutShort = (cause?: unknown): ImageError =>
  new ImageError('damaged', 'The image’s file is cut short: a part of its pixels is missing.', { cause });

/** The error of a file that was replaced or removed while it was read. */
export const fileChanged = (cause?: unknown): ImageError =>
  new ImageError('changed', 'The image’s file is being replaced; ask again.', { cause });

/** The error of a picture that could not be made for another reason than its file. */
export const renderingFailed = (cause: unknown): ImageError =>
  new ImageError('failed', 'The picture could not be made.', { cause });

export type FaultKind = 'crash' | 'memory' | 'deadline';

const sentences: Readonly<Record<FaultKind, string>> = {
  crash: 'the decoder of the file crashed',
  memory: 'the decoder of the file took more memory than a render process may have',
  deadline: 'the decoder of the file computed for all of the time that a request has',
};

/** What a fault means, as the end of a sentence. */
export const sentenceOf = (kind: FaultKind): string => sentences[kind];

/** The cause of an error of a rendering for which its own file is to blame, and no other rendering beside it. */
export class DecoderFault extends Error {
  override readonly name = 'DecoderFault';
  readonly kind: FaultKind;

  constructor(kind: FaultKind) {
    super(`${sentences[kind]}.`);
    this.kind = kind;
  }
}
