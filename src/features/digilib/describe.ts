/** The use cases of digilib's information endpoints: what the caller may know of an image or a folder. */

import type { Admission } from '../../core/access/admit.ts';
import type { Caller } from '../../core/access/policy.ts';
import type { Disclosure, FolderList } from '../../core/image/folder/folder-description.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { formatIdentifier } from '../../core/image/model/identifier.ts';
import type { Admitted, ImageSet } from '../../core/image/model/image-set.ts';

export interface Descriptions {
  /** The image that a decoded path names, or that is the page (from 1) of the folder that it names. */
  image(path: string, page: number, caller: Caller): Promise<Disclosure<Admitted<ImageSet>>>;
  /** The folder that contains that image; without its files where `listed` is false. */
  folder(path: string, page: number, caller: Caller, listed: boolean): Promise<Disclosure<FolderList>>;
}

async function disclose<T>(result: Promise<T>, guarded: boolean): Promise<Disclosure<T>> {
  try {
    return { kind: 'shown', value: await result, guarded };
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    if (error.code === 'denied' || error.code === 'login-needed') return { kind: 'denied' };
    if (error.code === 'not-found') return { kind: 'none' };
    throw error;
  }
}

/** `guarded` is whether there are any access rules. */
export function createDescriptions(admission: Admission, guarded: boolean): Descriptions {
  async function list(path: string, page: number, caller: Caller, listed: boolean): Promise<FolderList> {
    const folder = await admission.admitFolderAround(path, page, caller);
    const entries = await admission.entriesOf(folder, caller);
    if (entries.length === 0) throw new ImageError('denied', 'You may not see any image of this folder.');
    const { identifier, images } = folder;
    return { path: formatIdentifier(identifier), count: images.length, entries: listed ? entries : [] };
  }
  return {
    image: (path, page, caller) => disclose(admission.admit(path, page, caller), guarded),
    folder: (path, page, caller, listed) => disclose(list(path, page, caller, listed), guarded),
  };
}
