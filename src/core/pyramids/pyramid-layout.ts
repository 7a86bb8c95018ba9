/** The names and paths of pyramids and of their temporary files; files with other names are never read or deleted. */
import path from 'node:path';
import type { Resolution } from '../image/model/image-set.ts';
import { type FolderLayout, hexDigest } from '../storage/layout.ts';
import type { Storages } from '../storage/storages.ts';

/** Changes when the same source would get a different pyramid. */
const builderVersion = 2;

const digest = (...parts: readonly unknown[]): string => hexDigest(JSON.stringify(parts), 24);

/** The key of a pyramid's content: a version of a file, a page of it, the orientation that the settings apply, a quality. */
export const contentKey = ({ file, levels, orientation }: Resolution, quality: number): string =>
  digest(builderVersion, file.fingerprint, levels[0].location, orientation, quality);

/** The name of the pyramid of the file at a real path: files on two disks can have the same fingerprint. */
export const pyramidName = (content: string, realPath: string): string => `lectern-${content}-${digest(realPath)}.tif`;

/** The identifier of a build, by the path as it is: copies of a file in a bucket have the same content. */
export const buildId = (content: string, { file }: Resolution): string => pyramidName(content, file.path);

/** The name that the pyramid of a source has; undefined where the source is gone. */
export async function nameFor(source: Resolution, quality: number, storages: Storages): Promise<string | undefined> {
  const realPath = await storages.handle(source.file).realPath();
  return realPath === undefined ? undefined : pyramidName(contentKey(source, quality), realPath);
}

const pyramidPattern = /^lectern-([0-9a-f]{24})-[0-9a-f]{24}\.tif$/;

/** The content key in the name of a pyramid; undefined for any other name. */
export const contentOf = (name: string): string | undefined => pyramidPattern.exec(name)?.[1];

/** The name of the lock file of a pyramid. */
export const lockName = (pyramid: string): string => `${pyramid}.lock`;

/** The name of a temporary file while a pyramid is made; `token` is unique for each build. */
export const workName = (pyramid: string, token: string): string => `${pyramid}.${token}.part`;

const workPattern =
  /^(lectern-[0-9a-f]{24}-[0-9a-f]{24}\.tif)(?:\.[0-9a-f]{16}\.part(?:\.[a-z]+)?|\.lock(?:\.[0-9a-f]{16})?)$/;

/** The pyramid that a file of the work folder belongs to; undefined for a name that is not ours. */
export const pyramidOfWork = (name: string): string | undefined => workPattern.exec(name)?.[1];

/** The layout of a folder of pyramids. */
export function layoutIn(directory: string): FolderLayout {
  return {
    root: directory,
    classify: (name) => (contentOf(name) === undefined ? undefined : { kind: 'entry', name }),
    pathOf: (name) => path.join(directory, name),
    temporaryFor: (name) => path.join(directory, 'work', name),
    // A pyramid's own times are part of its fingerprint, so they must not change with its use.
    usePathOf: (name) => path.join(directory, 'used', name),
  };
}
