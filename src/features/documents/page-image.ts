/** The picture of a page for a document or an archive: the stored JPEG file as it is, or else a rendering of the size that was asked for. */

import type { BodyOptions, Images } from '../../core/answers/images.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import type { Orientation } from '../../core/image/model/geometry.ts';
import type { ImageRequest, RequestedSize } from '../../core/image/model/image-request.ts';
import {
  type Admitted,
  dpiOf,
  hasFiles,
  highest,
  type ImageSet,
  type SourceFile,
} from '../../core/image/model/image-set.ts';
import type { OpenedFile } from '../../core/storage/storage.ts';

/** The size of pictures: that of the originals, with a limit in pixels for its sides, or in pixels an inch. */
export type PictureSize =
  | { readonly kind: 'original' }
  /** 0 for a side that is free. */
  | { readonly kind: 'pixels'; readonly width: number; readonly height: number }
  | { readonly kind: 'dpi'; readonly dpi: number };

export interface PagePicture {
  readonly jpeg: Buffer;
  /** How its pixels have to be turned. */
  readonly orientation: Orientation;
  /** Whether it is the stored file. */
  readonly isStored: boolean;
}

export interface PagePictureParts {
  readonly images: Images;
  /** Throws ImageError `changed` where the file is no longer the one that was described. */
  readonly openCurrent: (file: SourceFile) => Promise<OpenedFile>;
}

/** For whom pages are rendered. */
export type PagesFor = Pick<BodyOptions, 'client' | 'groups' | 'weight' | 'paysPyramid' | 'onRendered'>;

/** For whom and until when a picture is made. */
export interface PictureOptions extends PagesFor {
  readonly signal: AbortSignal;
}

/** A larger file is rendered, so that memory stays bounded, in bytes. */
const mostStoredBytes = 64 * 2 ** 20;

/** Resolution of images that say none, as the sheets of documents have it. */
const usualDpi = 300;

/** The largest size of the picture, in pixels of the upright image; undefined for its own. */
function boundOf(image: ImageSet, size: PictureSize): { width: number; height: number } | undefined {
  const { width, height } = highest(image);
  const factor = ((): number => {
    switch (size.kind) {
      case 'original':
        return 1;
      case 'pixels':
        return Math.min(size.width > 0 ? size.width / width : 1, size.height > 0 ? size.height / height : 1);
      case 'dpi':
        return size.dpi / (dpiOf(image)?.x ?? usualDpi);
    }
  })();
  if (factor >= 1) return undefined;
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/** The whole image as a JPEG picture. */
const requestOf = (size: RequestedSize): ImageRequest => ({
  framing: { by: 'region', region: { kind: 'full' }, size, upscaling: 'deny' },
  mirror: { horizontal: false, vertical: false },
  rotation: 0,
  corners: 'white',
  color: {},
  format: 'jpeg',
  kernel: 'lanczos3',
  delivery: 'picture',
});

/** Whether the whole file can stand for the picture: one complete JPEG image in colors that PDF knows. */
function isStoredJpeg(image: ImageSet): boolean {
  const { format, complete, truncated, color, bits, file } = highest(image);
  const isKnown = color === 'rgb' || color === 'gray' || color === 'cmyk';
  return (
    format === 'jpeg' &&
    complete &&
    truncated === undefined &&
    isKnown &&
    bits === 8 &&
    image.pageCount === 1 &&
    file.bytes <= mostStoredBytes
  );
}

/** Whether the limits of the server allow the full size of an image. */
const isFullSizeAllowed = (image: ImageSet, images: Images): boolean =>
  images.largestOf(image).width === highest(image).width;

/** The file to send for an image of this size; undefined where a rendering is needed. */
export function storedFileOf(
  image: Admitted<ImageSet>,
  size: PictureSize,
  images: Images,
): { readonly file: SourceFile; readonly orientation: Orientation } | undefined {
  const isWhole = highest(image).reducedFrom === undefined && hasFiles(image);
  if (!isWhole || boundOf(image, size) !== undefined || !isStoredJpeg(image) || !isFullSizeAllowed(image, images))
    return undefined;
  const { file, orientation } = highest(image);
  return { file, orientation };
}

/** JPEG files that are rendered have fewer bytes for each pixel but those of noise. */
const mostBytesPerPixel = 1;

/** About how many bytes the picture of a page has at most: exactly those of a file that is sent as it is. */
export function pictureBytes(image: Admitted<ImageSet>, size: PictureSize, images: Images): number {
  const stored = storedFileOf(image, size, images);
  if (stored !== undefined) return stored.file.bytes;
  const { width, height } = boundOf(image, size) ?? images.largestOf(image);
  return width * height * mostBytesPerPixel;
}

async function readFile(file: SourceFile, { openCurrent }: PagePictureParts): Promise<Buffer> {
  const opened = await openCurrent(file);
  return opened.readWhole();
}

const sizeFor = (image: ImageSet, size: PictureSize): RequestedSize => {
  const bound = boundOf(image, size);
  return bound === undefined ? { kind: 'max', enlarge: false } : { kind: 'confined', ...bound };
};

/** The picture of a page in this size, as a request. */
export const requestFor = (image: ImageSet, size: PictureSize): ImageRequest => requestOf(sizeFor(image, size));

/** A rendering of the image. Waits as long as it takes: a document has no deadline. */
export const renderPicture = (
  image: Admitted<ImageSet>,
  size: PictureSize,
  options: PictureOptions,
  parts: PagePictureParts,
): Promise<Buffer> => renderSize(image, sizeFor(image, size), options, parts);

/** The bytes that the IIIF Image API 3.0 answers for the whole image in this size. */
export async function renderSize(
  image: Admitted<ImageSet>,
  size: RequestedSize,
  options: PictureOptions,
  parts: Pick<PagePictureParts, 'images'>,
): Promise<Buffer> {
  const answer = parts.images.answer(requestOf(size), image);
  const work = { ...options, deadlineAtMs: Number.POSITIVE_INFINITY };
  if (answer.kind === 'derivative') return answer.body(work);
  const opened = await answer.open(work);
  return opened.readWhole();
}

export async function pictureOf(
  image: Admitted<ImageSet>,
  size: PictureSize,
  options: PictureOptions,
  parts: PagePictureParts,
): Promise<PagePicture> {
  if (options.signal.aborted) throw new ImageError('abandoned', 'The request was given up.');
  const stored = storedFileOf(image, size, parts.images);
  if (stored === undefined) {
    return { jpeg: await renderPicture(image, size, options, parts), orientation: 1, isStored: false };
  }
  return { jpeg: await readFile(stored.file, parts), orientation: stored.orientation, isStored: true };
}

/** Faults of one page, which do not break off a document or an archive; a file that was changed or removed is among them. */
export const isFaultOfPage = (error: unknown): boolean =>
  error instanceof ImageError &&
  ['damaged', 'unsupported', 'put-aside', 'failed', 'too-large', 'not-found', 'changed'].includes(error.code);
