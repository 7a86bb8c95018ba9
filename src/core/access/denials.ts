/** What is said to callers who may not see an image or a folder, or not what belongs to it, and of names that nothing has. */
import { ImageError } from '../image/model/errors.ts';
import { type Identifier, parseIdentifier } from '../image/model/identifier.ts';
import { type Admitted, hasFiles, type ImageSet } from '../image/model/image-set.ts';
import type { Caller } from './policy.ts';

/** What is said of a path that was asked for as this, whatever it names: nobody learns what a closed path is. */
export interface Words {
  readonly missing: string;
  readonly denied: string;
}

export const ofImage: Words = { missing: 'There is no image of this name.', denied: 'You may not see this image.' };
export const ofFolder: Words = { missing: 'There is no folder of this name.', denied: 'You may not see this folder.' };

/** Of sound, video, and the texts beside them. */
export const ofMedia: Words = { ...ofImage, missing: 'There is no file of sound or video of this name.' };

export const notFound = (message = ofImage.missing): ImageError => new ImageError('not-found', message);

export const identifierOf = (path: string, { missing } = ofImage): Identifier => {
  const identifier = parseIdentifier(path);
  if (identifier === undefined) throw notFound(missing);
  return identifier;
};

/** Of the text of an image. */
export const textDenied = ({ terms }: Pick<ImageSet, 'terms'>): ImageError =>
  new ImageError(terms?.denial ?? 'denied', 'You may not see the text of this image.');

/**
 * Throws ImageError where the caller’s tier of an image has no words, or not the file with them, before it is known whether there
 * are any. Of an image that is covered there are no files.
 */
export function requireTexts(image: Admitted<ImageSet>, what: 'words' | 'files' = 'words'): void {
  if (image.terms?.tier.texts === false || (what === 'files' && !hasFiles(image))) throw textDenied(image);
}

/** Throws ImageError where the caller’s tier of an image is in no documents and archives. */
export function requireDocuments({ terms }: Admitted<ImageSet>): void {
  if (terms && !terms.tier.documents) throw new ImageError(terms.denial, 'You may not take this image along.');
}

/** The error for a caller without access: one that sent no valid credentials learns that some may help. */
export function denial({ authenticated, tokenFault }: Caller, message = ofImage.denied): ImageError {
  return authenticated
    ? new ImageError('denied', message)
    : new ImageError('login-needed', tokenFault === undefined ? message : `${message} ${tokenFault}`);
}
