/** Names of what lies in the store: of nothing else there is anything read or deleted. */
import { createHash } from 'node:crypto';
import type { Resolution } from '../image/model/image-set.ts';

/** Changes when pyramids of the same source would be made otherwise. */
const makingVersion = 1;

const digest = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);

/** What a pyramid shows: a version of a file, a page of it, turned as the settings say, in a quality. */
export const contentKey = ({ file, levels, orientation }: Resolution, quality: number): string =>
  digest(makingVersion, file.fingerprint, levels[0].location, orientation, quality);

/** The name of the pyramid of a file that lies at a real path: two disks can have files of the same fingerprint. */
export const pyramidName = (content: string, realPath: string): string => `lectern-${content}-${digest(realPath)}.tif`;

const pyramidPattern = /^lectern-([0-9a-f]{24})-[0-9a-f]{24}\.tif$/;

/** The content key in the name of a pyramid; undefined for any other name. */
export const contentOf = (name: string): string | undefined => pyramidPattern.exec(name)?.[1];

/** The name of the file that keeps others from making the same pyramid. */
export const lockName = (pyramid: string): string => `${pyramid}.lock`;

/** Names of what is written while a pyramid is made; `token` is the maker's own. */
export const workName = (pyramid: string, token: string): string => `${pyramid}.${token}.part`;

const workPattern =
  /^(lectern-[0-9a-f]{24}-[0-9a-f]{24}\.tif)(?:\.[0-9a-f]{16}\.part(?:\.[a-z]+)?|\.lock(?:\.[0-9a-f]{16})?)$/;

/** The pyramid that a file of the work folder belongs to; undefined where the name is none of ours. */
export const pyramidOfWork = (name: string): string | undefined => workPattern.exec(name)?.[1];
