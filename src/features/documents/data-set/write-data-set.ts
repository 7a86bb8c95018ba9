/** Writes a ZIP file of entries as they come; the package for it is loaded with the first one. */
import type { Readable } from 'node:stream';
import yazl from 'yazl';
import { addEntry } from '../archive.ts';
import type { Entry } from './data-set-entries.ts';

export async function* writeDataSet(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  const archive = new yazl.ZipFile();
  const output = archive.outputStream as Readable;
  archive.on('error', (error: Error) => output.destroy(error));
  const fill = async (): Promise<void> => {
    for await (const { name, content, modifiedMs, isCompressed: compress } of entries)
      await addEntry(archive, name, content, { compress, mtime: new Date(modifiedMs) });
    archive.end();
  };
  fill().catch((error: Error) => output.destroy(error));
  yield* output;
}
