/** Reports files of folders that can't be used, each version of them once. */
import { LRUCache } from 'lru-cache';
import { formatIdentifier, type Identifier } from '../../core/image/model/identifier.ts';

/** A file in a folder that is ignored because of a fault. */
export interface FolderFileFault {
  readonly folder: string;
  readonly file: string;
  readonly message: string;
}

export type ReportFault = (folder: Identifier, file: string, length: number, message: string) => void;

/** Reports each file once, and again when the length of its text has changed. */
export function onceEach(onFault: (fault: FolderFileFault) => void): ReportFault {
  const reported = new LRUCache<string, true>({ max: 10_000 });
  return (identifier, file, length, message) => {
    const folder = formatIdentifier(identifier);
    const key = JSON.stringify([folder, file, length]);
    if (reported.has(key)) return;
    reported.set(key, true);
    onFault({ folder, file, message });
  };
}
