/** Whether a folder's pages are shown in twos where the address does not say so: by the reader's last choice, or its metadata. */
import type { FolderListing } from '../../../src/core/image/folder/folder-listing.ts';
import { isBound } from '../model/openings.ts';
import type { ViewState } from '../model/view-state.ts';
import { readStored, store } from './stored.ts';

/** Two pages side by side would be too small to read. */
const phoneInPortrait = '(max-width: 44rem) and (orientation: portrait)';

const pagesName = (path: string): string => `pages:${path}`;
/** The name under which it is stored whether the openings of a folder are shifted by one page. */
export const shiftName = (path: string): string => `shifted:${path}`;

/** Whether the reader has last shifted the openings of a folder by one page. */
export const isShifted = (path: string): boolean => readStored(shiftName(path)) === true;

/** The reader's last choice for a folder; undefined where it is the folder's own. */
function chosen(path: string): boolean | undefined {
  const stored = readStored(pagesName(path));
  return stored === 1 || stored === 2 ? stored === 2 : undefined;
}

/** What a view of a folder begins with; nothing is said where one page is shown as in most folders. */
export function pagesAtFirst({ path, behavior }: FolderListing): Partial<ViewState> {
  const twoPages = chosen(path) ?? ((isBound(behavior) && !matchMedia(phoneInPortrait).matches) || undefined);
  return twoPages === undefined ? {} : { twoPages, shifted: twoPages && isShifted(path) };
}

/** Stores the reader's choice where it is not the folder's own. Returns what the address has to say of it. */
export function chooseTwoPages({ path, behavior }: FolderListing, twoPages: boolean): boolean | undefined {
  const byDefault = isBound(behavior);
  store(pagesName(path), twoPages === byDefault ? undefined : twoPages ? 2 : 1);
  return twoPages || byDefault ? twoPages : undefined;
}
