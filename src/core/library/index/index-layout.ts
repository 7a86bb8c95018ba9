/** The paths of the index: a file for the names in each folder, and one for the facts of each block of its images. */
import path from 'node:path';
import { type FolderLayout, hexDigest, type PathKind, uniqueToken } from '../../storage/layout.ts';

/** One file of the index. */
export interface IndexFile {
  /** What the file holds: unique, and part of its checksums. */
  readonly id: string;
  /** Its path below the root. */
  readonly name: string;
}

function indexFile(version: string, id: string, extension: 'names' | 'facts'): IndexFile {
  const hash = hexDigest(id, 32);
  return { id, name: path.join(`v${version}`, hash.slice(0, 2), `${hash.slice(2)}.${extension}`) };
}

/** The file for the names in a folder. */
export const namesFile = (version: string, directory: string): IndexFile =>
  indexFile(version, `names\0${directory}`, 'names');

/** The file for the facts of a block of images of a folder. */
export const factsFile = (version: string, directory: string, block: number): IndexFile =>
  indexFile(version, `facts\0${block}\0${directory}`, 'facts');

/** The file for the faults of decoders. */
export const faultsFile = (version: string): IndexFile => indexFile(version, 'faults', 'facts');

const folderPattern = /^v[0-9a-f]{16}(?:\/[0-9a-f]{2})?$/;
const filePattern = /^v[0-9a-f]{16}\/[0-9a-f]{2}\/[0-9a-f]{30}\.(?:names|facts)(\.[0-9a-f-]{16,36}\.tmp)?$/;

function classify(name: string): PathKind | undefined {
  const portable = name.split(path.sep).join('/');
  if (folderPattern.test(portable)) return { kind: 'folder' };
  const file = filePattern.exec(portable);
  if (file === null) return undefined;
  return file[1] === undefined ? { kind: 'entry', name } : { kind: 'temporary' };
}

/** Whether a file was written by this version of the header readers. */
export const isOfVersion = (version: string, name: string): boolean => name.startsWith(`v${version}${path.sep}`);

export const layoutIn = (root: string): FolderLayout => ({
  root,
  classify,
  pathOf: (name) => path.join(root, name),
  temporaryFor: (name) => path.join(root, `${name}.${uniqueToken()}.tmp`),
});
