/** Reads small files, such as metadata, that lie beside the images of a folder. */
import path from 'node:path';
import { ifReadable } from '../../storage/file-errors.ts';
import { fingerprintOf, type StoredFile } from '../../storage/storage.ts';
import type { Storages } from '../../storage/storages.ts';
import type { Containment } from '../roots/containment.ts';

const maxTextBytes = 16 * 1024 * 1024;

/** The bytes of a file, or the reason, as a sentence, why they are not read. */
export type FileContent =
  | { readonly kind: 'bytes'; readonly bytes: Buffer /** Of the file that was read. */; readonly fingerprint: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** How files are read, and which a link may lead to. */
export interface FileAccess {
  readonly storages: Storages;
  readonly isContained: Containment;
}

const refused = (reason: string) => ({ kind: 'refused', reason }) as const;

/** A part of a file, from its byte `from` up to its byte `to`, which is not a part of it. */
export interface ByteSpan {
  readonly from: number;
  readonly to: number;
}

type Read = { readonly kind: 'bytes'; readonly bytes: Buffer } | { readonly kind: 'refused'; readonly reason: string };

async function readBounded(file: StoredFile, size: number, maxBytes: number, span?: ByteSpan): Promise<Read> {
  if (span !== undefined) return { kind: 'bytes', bytes: await file.read(span.from, span.to - span.from) };
  if (size > maxBytes) return refused(`The file is longer than ${maxBytes / 1024 / 1024} MiB, and is not read.`);
  // One byte more than the size shows whether the file grows while it is read.
  const bytes = await file.read(0, size + 1);
  return bytes.length > size ? refused('The file was written to while it was read.') : { kind: 'bytes', bytes };
}

async function readOpened(
  file: StoredFile,
  isContained: Containment,
  maxBytes: number,
  span?: ByteSpan,
): Promise<FileContent> {
  if (!isContained(await file.realPath())) return refused('This link leads out of the library, and is not followed.');
  const stats = await file.stats();
  if (!stats.isFile()) return refused('This is no file.');
  const read = await ifReadable(readBounded(file, Number(stats.size), maxBytes, span));
  if (read === undefined) return refused('This file may not be read.');
  return read.kind === 'bytes' ? { ...read, fingerprint: fingerprintOf(stats) } : read;
}

/**
 * The bytes of a regular file in a directory, or of a span of it, whose length is the caller's bound. Throws where the storage
 * fails, but not for a name that leads nowhere.
 */
export async function readFileIn(
  directory: string,
  name: string,
  { storages, isContained }: FileAccess,
  maxBytes: number,
  span?: ByteSpan,
): Promise<FileContent> {
  const file = path.join(directory, name);
  const read = storages.of(file).use(file, (opened) => readOpened(opened, isContained, maxBytes, span));
  return (await ifReadable(read)) ?? refused('This file may not be read, or leads nowhere.');
}

/** The text of a regular file in a directory; undefined where there is none, it is longer than 16 MiB, or a link leads out. */
export async function readTextIn(directory: string, name: string, access: FileAccess): Promise<string | undefined> {
  if (path.basename(name) !== name || name.startsWith('.')) return undefined;
  const content = await readFileIn(directory, name, access, maxTextBytes);
  return content.kind === 'bytes' ? content.bytes.toString('utf8') : undefined;
}
