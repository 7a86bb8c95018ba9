/** Parses the text of a folder's metadata file, in any of its forms. */
import type { FolderMetadata, MetadataFault } from '../../image/folder/folder-metadata.ts';
import { Faults } from './fields.ts';
import { PageNames } from './page-entries.ts';

export const maxBytes = 5 * 1024 * 1024;

const tooLong = `The file is longer than ${maxBytes / 1024 / 1024} MiB, and is not read.`;

export interface ReadMetadata {
  readonly metadata: FolderMetadata;
  readonly faults: readonly MetadataFault[];
}

/** Reads a text in a form of its own. */
export type Form = (
  text: string,
  pages: PageNames,
  jsonFiles: ReadonlySet<string>,
  faults: Faults,
) => FolderMetadata | Promise<FolderMetadata>;

function misencodedLine(text: string): number | undefined {
  const index = text.indexOf('\uFFFD');
  return index < 0 ? undefined : (text.slice(0, index).match(/\r\n|\r|\n/g)?.length ?? 0) + 1;
}

/** The files of a folder that its metadata can name. */
export interface NamedFiles {
  /** In the order of page numbers. */
  readonly images: readonly string[];
  readonly jsonFiles: ReadonlySet<string>;
}

/** Parses a metadata file. */
export async function parseMetadata(
  form: Form,
  text: string,
  fileName: string,
  { images, jsonFiles }: NamedFiles,
): Promise<ReadMetadata> {
  const faults = new Faults(fileName);
  if (text.length > maxBytes) return { metadata: {}, faults: [{ file: fileName, line: 0, message: tooLong }] };
  const misencoded = misencodedLine(text);
  if (misencoded !== undefined)
    faults.add(misencoded, 'This line has characters that are not UTF-8; save the file with the encoding UTF-8.');
  const metadata = await form(text.replace(/^\uFEFF/, ''), await PageNames.of(images), jsonFiles, faults);
  return { metadata, faults: faults.list() };
}
