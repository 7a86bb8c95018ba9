/** Opens the file of a plan once, makes sure that it is the one that was planned with, and has libvips read that very file. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileChanged } from '../image/model/errors.ts';
import type { SourceFile } from '../image/model/image-set.ts';
import type { Render } from '../image/plan/plan-types.ts';
import { fingerprintOf } from '../storage/fingerprint.ts';
import { descriptorPath, hasDescriptorPaths } from '../storage/pinned-path.ts';

/** A file that is open, and has the fingerprint that was planned with. */
export interface OpenedFile extends SourceFile {
  readonly handle: FileHandle;
  /** The path that libvips opens: of the open file itself, whatever its own path leads to meanwhile. */
  readonly readPath: string;
}

export interface OpenedRender extends Render {
  readonly file: OpenedFile;
}

/**
 * The result of `use` on the opened file of a plan, which is closed afterwards. Throws ImageError `changed` where another file
 * has its path, and the errors of the disk. On systems without paths of open files, libvips opens the path once more; there the
 * server's check after the rendering remains.
 */
export async function withOpenedFile<T>(plan: Render, use: (opened: OpenedRender) => Promise<T>): Promise<T> {
  const { file } = plan;
  const handle = await open(file.path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (fingerprintOf(await handle.stat({ bigint: true })) !== file.fingerprint) throw fileChanged();
    const readPath = hasDescriptorPaths ? descriptorPath(handle) : file.path;
    return await use({ ...plan, file: { ...file, handle, readPath } });
  } finally {
    await handle.close();
  }
}
