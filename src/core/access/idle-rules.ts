/** Finds rules of access that protect nothing: with a misspelled path, what somebody meant to close stays open. */
import { parseIdentifier } from '../image/model/identifier.ts';
import type { Library } from '../library/library.ts';

type Finder = Pick<Library, 'findFolder' | 'locate'>;

async function leadsSomewhere(path: string, library: Finder): Promise<boolean> {
  const identifier = parseIdentifier(path);
  if (identifier === undefined) return false;
  return ((await library.findFolder(identifier)) ?? (await library.locate(identifier, 1))) !== undefined;
}

/** Those of the paths at which the library has neither a folder nor an image. */
export async function idleRules(paths: readonly string[], library: Finder): Promise<readonly string[]> {
  const idle: string[] = [];
  for (const path of paths) if (!(await leadsSomewhere(path, library))) idle.push(path);
  return idle;
}
