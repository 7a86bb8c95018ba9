/** A library of temporary folders, for tests of what lies in them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatIdentifier, type Identifier, parseIdentifier } from '../../src/core/image/model/identifier.ts';
import type { ImageMetadata } from '../../src/core/image/model/image-set.ts';
import { Library, type LibraryOptions, type Located } from '../../src/core/library/library.ts';

/** A picture of one pixel; the library tells formats by their bytes, so that it may have any name. */
export const onePixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

export const identifierOf = (text: string): Identifier => {
  const identifier = parseIdentifier(text);
  if (identifier === undefined) throw new Error(`${text} is no identifier`);
  return identifier;
};

export interface TemporaryLibrary {
  /** The folder around the base directory `scans`; links to it and to its other folders lead out. */
  readonly around: string;
  readonly faults: string[];
  /** Writes a file below `around`, and says that it is old, so that what is read of it is kept. */
  readonly write: (name: string, content: string | Buffer) => void;
  readonly link: (target: string, name: string) => void;
  readonly fifo: (name: string) => void;
  readonly open: (options?: Partial<LibraryOptions>) => Library;
  readonly remove: () => void;
}

export function makeTemporaryLibrary(): TemporaryLibrary {
  const around = realpathSync(mkdtempSync(path.join(tmpdir(), 'lectern-library-')));
  const root = path.join(around, 'scans');
  mkdirSync(root);
  const faults: string[] = [];
  const place = (name: string): string => {
    const file = path.join(around, name);
    mkdirSync(path.dirname(file), { recursive: true });
    return file;
  };
  return {
    around,
    faults,
    write: (name, content) => {
      const file = place(name);
      writeFileSync(file, content);
      utimesSync(file, new Date(2020, 1, 1), new Date(2020, 1, 1));
    },
    link: (target, name) => symlinkSync(target, place(name)),
    fifo: (name) => execFileSync('mkfifo', [place(name)]),
    open: (options = {}) =>
      new Library({
        roots: [root],
        followLinksOutside: false,
        orientation: 'apply',
        onUnreadable: () => undefined,
        onMetadataFault: (file, { line, message }) => faults.push(`${path.relative(root, file)}:${line}: ${message}`),
        ...options,
      }),
    remove: () => rmSync(around, { recursive: true }),
  };
}

/** An image that must be there. */
export async function locate(library: Library, name: string): Promise<Located> {
  const located = await library.locate(identifierOf(name), 1);
  if (located === undefined) throw new Error(`there is no image ${name}`);
  return located;
}

export const metadataOf = async (library: Library, name: string): Promise<ImageMetadata> =>
  library.imageMetadata(await locate(library, name));

export const pathsOf = (identifiers: readonly Identifier[] | undefined): readonly string[] | undefined =>
  identifiers?.map(formatIdentifier);
