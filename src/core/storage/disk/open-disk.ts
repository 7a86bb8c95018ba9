/** Disks as a kind of storage: their addresses are paths of the system. */
import path from 'node:path';
import type { StorageKind } from '../storage.ts';
import { DiskStorage } from './disk-storage.ts';
import { folderStateOf } from './mount-table.ts';

export const diskKind: StorageKind = {
  has: () => true,
  needsSettings: false,
  resolve: path.resolve,
  join: path.join,
  faultsOf: (folder) => (folderStateOf(folder).kind === 'none' ? [`there is no folder ${folder}`] : []),
  pathOf: (folder) => folder,
  open: async () => [{ root: '', storage: new DiskStorage(), name: 'disk' }],
};
