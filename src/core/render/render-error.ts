/** Finds out why a rendering failed: because of the source's data, its file, the machine, or the program. */
import { open } from 'node:fs/promises';
import { Jpeg2000Error } from '@lectern/jpeg2000';
import { fileChanged, ImageError, renderingFailed } from '../image/model/errors.ts';
import { isNotFound } from '../storage/file-errors.ts';
import { isOutOfMemory, outOfMemory } from './process/render-fault.ts';
import { fromLibvips, LibvipsError, openLevel, readMetadata } from './sources/libvips-source.ts';
import type { OpenedFile, OpenedRender } from './sources/opened-file.ts';

const damaged = (cause: unknown): ImageError =>
  new ImageError('damaged', 'The image’s file is damaged: its pixels can’t be decoded.', { cause });

function ofJpeg2000(error: Jpeg2000Error): ImageError {
  if (error.code === 'damaged') return damaged(error);
  return error.code === 'memory' ? outOfMemory(error) : new ImageError(error.code, error.message, { cause: error });
}

/** The error of a file that can't be opened or read. */
export const fileError = (cause: unknown): ImageError =>
  isNotFound(cause) ? fileChanged(cause) : renderingFailed(cause);

/** What libvips says when the system fails. */
const ofTheSystem = /system error/i;

/** How what libvips says of an encoder begins. It says no more where the decoder failed without a message. */
const ofAnEncoder = /^(?:\w+save|vips2\w+)\b/i;

/** What libvips says of any file that it can't open, also where the system has no file descriptors left. */
const noFormat = 'unsupported image format';

/** What libvips says of a rectangle outside of the image. */
const badArea = 'bad extract area';

/** Whether all pixels of a level can be decoded; they are scaled to a few, and none is written. */
async function isDecodable(plan: OpenedRender): Promise<boolean> {
  try {
    const level = await openLevel(plan);
    await fromLibvips(level.resize(8, 8, { fit: 'fill', fastShrinkOnLoad: false }).raw().toBuffer());
    return true;
  } catch (error) {
    return !(error instanceof LibvipsError) || ofTheSystem.test(error.message) || isOutOfMemory(error.message);
  }
}

/** Whether libvips was right to find fault with the file's data. */
async function isDamaged({ message }: LibvipsError, plan: OpenedRender): Promise<boolean> {
  if (ofTheSystem.test(message) || isOutOfMemory(message)) return false;
  if (ofAnEncoder.test(message)) return !(await isDecodable(plan));
  if (!message.includes(noFormat) && !message.includes(badArea)) return true;
  try {
    const { width, height } = await readMetadata(await openLevel(plan));
    return message.includes(badArea) && (width !== plan.level.width || height !== plan.level.height);
  } catch (error) {
    return error instanceof LibvipsError;
  }
}

/** Opens the file once more and reads from it, which fails where the system has no file descriptors left, or the disk fails. */
async function readAsLibvips({ readPath }: OpenedFile): Promise<void> {
  const handle = await open(readPath);
  try {
    await handle.read(Buffer.alloc(1), 0, 1, 0);
  } finally {
    await handle.close();
  }
}

/** Whether there was no memory for the samples that a decoder yields. */
export const isWithoutSamples = (error: unknown): boolean =>
  error instanceof RangeError && isOutOfMemory(error.message);

/**
 * The error of a rendering: `damaged` for data that libvips can't decode, `changed` for a file that is gone, `failed` for
 * everything else, such as a fault of the program or a system without free file descriptors.
 */
export async function renderError(error: unknown, plan: OpenedRender): Promise<ImageError> {
  if (error instanceof ImageError) return error;
  if (error instanceof Jpeg2000Error) return ofJpeg2000(error);
  if (isWithoutSamples(error)) return outOfMemory(error);
  if (!(error instanceof LibvipsError)) return fileError(error);
  if (isOutOfMemory(error.message)) return outOfMemory(error.cause);
  // What libvips had of these were samples, which can't be damaged.
  if (plan.jpeg2000) return renderingFailed(error.cause);
  try {
    await readAsLibvips(plan.file);
  } catch (cause) {
    return fileError(cause);
  }
  return (await isDamaged(error, plan)) ? damaged(error.cause) : renderingFailed(error.cause);
}
