/** Folders that can't be listed: one that the server may not read is reported and answered as missing, a disk error is an error. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { identifierOf, makeTemporaryLibrary, onePixel, type TemporaryLibrary } from '../../../temporary-library.ts';

/** The code with which listing a folder named `closed` fails. */
const disk = vi.hoisted(() => ({ code: undefined as string | undefined }));

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:fs/promises')>();
  const readdir = (folder: string, options: { readonly withFileTypes: true }) => {
    if (disk.code === undefined || !realpathSync(folder).endsWith('closed')) return original.readdir(folder, options);
    return Promise.reject(Object.assign(new Error('the disk says no'), { code: disk.code }));
  };
  return { ...original, readdir };
});

let temporary: TemporaryLibrary;
let unreadable: string[] = [];
beforeEach(() => {
  temporary = makeTemporaryLibrary();
  temporary.write('scans/closed/a.jpg', onePixel);
  temporary.write('scans/open/a.jpg', onePixel);
  unreadable = [];
});
afterEach(() => {
  disk.code = undefined;
  temporary.remove();
});

const openLibrary = () => temporary.open({ onUnreadableFolder: (folder) => unreadable.push(folder) });

it.each(['EACCES', 'EPERM'])(
  'a folder that the server may not read (%s) is missing, and reported once',
  async (code) => {
    disk.code = code;
    const library = openLibrary();
    for (let round = 0; round < 3; round++) {
      expect(await library.findFolder(identifierOf('closed'))).toBeUndefined();
      expect(await library.locate(identifierOf('closed/a'), 1)).toBeUndefined();
    }
    expect(unreadable).toEqual([path.join(temporary.around, 'scans/closed')]);
    expect((await library.findFolder(identifierOf('open')))?.images).toEqual(['a.jpg']);
    disk.code = undefined;
    expect((await library.findFolder(identifierOf('closed')))?.images).toEqual(['a.jpg']);
  },
);

it.each(['EIO', 'EMFILE', 'EINVAL', 'ELOOP'])(
  'a folder whose disk fails (%s) is an error, not a missing one',
  async (code) => {
    disk.code = code;
    const library = openLibrary();
    await expect(library.findFolder(identifierOf('closed'))).rejects.toMatchObject({ code });
    await expect(library.locate(identifierOf('closed/a'), 1)).rejects.toMatchObject({ code });
    expect(unreadable).toEqual([]);
  },
);

it.each(['ENOENT', 'ENOTDIR'])(
  'a folder that is removed meanwhile (%s) is missing, which is no fault',
  async (code) => {
    disk.code = code;
    expect(await openLibrary().findFolder(identifierOf('closed'))).toBeUndefined();
    expect(unreadable).toEqual([]);
  },
);
