/** Finds an image for examples of addresses. */

import { type Admission, ifAdmitted } from '../access/admit.ts';
import type { Caller } from '../access/policy.ts';
import type { FolderCards } from './folder-cards.ts';

/** How many of the root's folders are searched for an example. */
const maxTries = 60;

/** The path of an image that the caller may see; undefined where none is found near the root. */
export type ExampleImage = (caller: Caller) => Promise<string | undefined>;

export function createExampleImage(admission: Admission, cards: FolderCards): ExampleImage {
  async function firstCover(names: readonly string[], caller: Caller): Promise<string | undefined> {
    for (const name of names.slice(0, maxTries)) {
      const folder = await ifAdmitted(admission.admitFolder(name, caller));
      const cover = folder && (await cards.coverOf(folder, caller));
      if (cover !== undefined) return cover;
    }
    return undefined;
  }

  return async (caller) => {
    const root = await ifAdmitted(admission.admitFolder('', caller));
    if (root === undefined) return undefined;
    return (await firstCover(await admission.foldersOf(root, caller), caller)) ?? (await cards.coverOf(root, caller));
  };
}
