/** Finds out why a rendering failed: because of the source's data, its file, the machine, or the program. */
import { fileChanged, ImageError, renderingFailed } from '../image/model/errors.ts';
import { isNotFound } from '../storage/file-errors.ts';
import type { OpenedRender } from './opened-file.ts';
import { LibvipsError, openLevel, readMetadata } from './source.ts';

const damaged = (cause: unknown): ImageError =>
  new ImageError('damaged', 'The image’s file is damaged: its pixels can’t be decoded.', { cause });

/** The error of a file that can't be opened or read. */
export const fileError = (cause: unknown): ImageError =>
  isNotFound(cause) ? fileChanged(cause) : renderingFailed(cause);

/** What libvips says when the system fails, or first when it can't write: an encoder also fails after a decoder. */
const notOfTheData = /system error|out of memory|cannot allocate|^(?:\w+save|vips2\w+)\b/i;

/** What libvips says of any file that it can't open, also where the system has no file descriptors left. */
const noFormat = 'unsupported image format';

/** What libvips says of a rectangle outside of the image. */
const badArea = 'bad extract area';

/** Whether libvips was right to find fault with the file's data. */
async function isDamaged({ message }: LibvipsError, { file, location, level }: OpenedRender): Promise<boolean> {
  if (notOfTheData.test(message)) return false;
  if (!message.includes(noFormat) && !message.includes(badArea)) return true;
  try {
    const { width, height } = await readMetadata(await openLevel(file, location));
    return message.includes(badArea) && (width !== level.width || height !== level.height);
  } catch (error) {
    return error instanceof LibvipsError;
  }
}

/**
 * The error of a rendering: `damaged` for data that libvips can't decode, `changed` for a file that is gone, `failed` for
 * everything else, such as a fault of the program or a system without free file descriptors.
 */
export async function renderError(error: unknown, plan: OpenedRender): Promise<ImageError> {
  if (error instanceof ImageError) return error;
  if (!(error instanceof LibvipsError)) return fileError(error);
  try {
    await plan.file.handle.read(Buffer.alloc(1), 0, 1, 0);
  } catch (cause) {
    return fileError(cause);
  }
  return (await isDamaged(error, plan)) ? damaged(error.cause) : renderingFailed(error.cause);
}
