/** The page that was open last, for the folder that the reader returns to. */

interface LastOpened {
  readonly folder: string;
  /** The path of its file. */
  readonly path: string;
}

let last: LastOpened | undefined;

export function setLastOpened(folder: string, path: string): void {
  last = { folder, path };
}

/** The page of this folder that was open last; only the first call returns it. */
export function takeLastOpened(folder: string): string | undefined {
  if (last?.folder !== folder) return undefined;
  const { path } = last;
  last = undefined;
  return path;
}
