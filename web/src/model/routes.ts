/** Places in the library, by what is said of them. */
import { plainView, type RoomPlace } from './view-state.ts';

export type BrowsePlace = Extract<RoomPlace, { readonly kind: 'browse' }>;
export type TablePlace = Extract<RoomPlace, { readonly kind: 'table' }>;

/** How many images or folders are shown at once. */
export const partCount = 100;

/** The place at which the part begins that holds an image. */
export const partFrom = (at: number): number => Math.floor((at - 1) / partCount) * partCount + 1;

export const folderPlace = (folder: string, from = 1): BrowsePlace => ({ kind: 'browse', folder, from, search: '' });

export const searchPlace = (folder: string, search: string): BrowsePlace => ({
  kind: 'browse',
  folder,
  from: 1,
  search,
});

export const imagePlace = (path: string): RoomPlace => ({ kind: 'view', state: plainView(path), embedded: false });

export const tablePlace = (folder: string, from = 1): TablePlace => ({
  kind: 'table',
  folder,
  from,
  columns: undefined,
  rows: undefined,
  operations: [],
});
