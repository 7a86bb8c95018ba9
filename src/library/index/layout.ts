/** Where what is kept lies: a file for each folder's names, and one for the facts of each thousand of its images. */
import { createHash } from 'node:crypto';
import path from 'node:path';

/** What is kept in one file. */
export interface Place {
  /** Unique among all. */
  readonly id: string;
  readonly file: string;
}

function placeOf(root: string, version: string, what: string, ending: string): Place {
  const hash = createHash('sha256').update(what).digest('hex').slice(0, 32);
  return { id: what, file: path.join(root, `v${version}`, hash.slice(0, 2), `${hash.slice(2)}.${ending}`) };
}

/** The names in a folder. */
export const placeOfNames = (root: string, version: string, directory: string): Place =>
  placeOf(root, version, `names\0${directory}`, 'names');

/** The facts of a block of images of a folder. */
export const placeOfFacts = (root: string, version: string, directory: string, block: number): Place =>
  placeOf(root, version, `facts\0${block}\0${directory}`, 'facts');

/** A name beside a file under which its next version is written. */
export const temporaryName = ({ file }: Place, unique: string): string => `${file}.${unique}.tmp`;

/** The names that folders and files of the index have; whatever else lies in its directory is left alone. */
export const isVersionFolder = (name: string): boolean => /^v[0-9a-f]{16}$/.test(name);
export const isInnerFolder = (name: string): boolean => /^[0-9a-f]{2}$/.test(name);
export const isKeptFile = (name: string): boolean => /^[0-9a-f]{30}\.(?:names|facts)$/.test(name);
export const isTemporaryFile = (name: string): boolean =>
  /^[0-9a-f]{30}\.(?:names|facts)\.[0-9a-f-]{36}\.tmp$/.test(name);
