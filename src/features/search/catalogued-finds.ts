/** The finds of a catalogue by the folders that they are in, in the order of a search level by level. */
import type { FoundPaths } from '../../core/access/catalogued-folders.ts';
import { formatIdentifier, type Identifier, splitLast } from '../../core/image/model/identifier.ts';

/** A folder in which something was found. */
export interface FoundIn {
  readonly identifier: Identifier;
  /** Whether the folder itself has the words, or something that its metadata says of its images. */
  readonly isItself: boolean;
  /** The names of its images that have them. */
  readonly images: readonly string[];
}

function byNames(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((name, index) => name !== b[index]);
  if (at < 0) return 0;
  return (a[at] ?? '') < (b[at] ?? '') ? -1 : 1;
}

/** The folders of each depth, in the order of their names. */
export function foundByLevel({ folders, images }: FoundPaths): readonly (readonly FoundIn[])[] {
  const found = new Map<string, { identifier: Identifier; isItself: boolean; images: string[] }>();
  const at = (identifier: Identifier) => {
    const path = formatIdentifier(identifier);
    const known = found.get(path) ?? { identifier, isItself: false, images: [] };
    found.set(path, known);
    return known;
  };
  for (const folder of folders) at(folder).isItself = true;
  for (const image of images) {
    const { parent, name } = splitLast(image);
    if (parent !== undefined) at(parent).images.push(name);
  }
  const levels: FoundIn[][] = [];
  for (const one of found.values()) {
    one.images.sort();
    const depth = one.identifier.segments.length;
    levels[depth] ??= [];
    levels[depth].push(one);
  }
  return levels.flatMap((level) => [level.sort((a, b) => byNames(a.identifier.segments, b.identifier.segments))]);
}
