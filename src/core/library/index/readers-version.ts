/** The version of the code that reads headers: facts that other code has read are not reused. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);
const library = path.resolve(path.dirname(here), '..');
const extension = path.extname(here);

/** Changes with every change of the code that reads folders and headers, and of the format in which these are stored. */
export async function readersVersion(): Promise<string> {
  const headers = await readdir(path.join(library, 'headers'));
  const files = [
    ...headers.filter((name) => path.extname(name) === extension).map((name) => path.join('headers', name)),
    ...[
      'facts/probe',
      'listings/listing',
      'listings/read-entries',
      '../../features/texts/formats/text-names',
      '../image/model/decoding',
      '../image/model/formats',
      '../image/model/jpeg2000',
    ].map((name) => name + extension),
    path.join('index', `record${extension}`),
  ].sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(await readFile(path.join(library, file)));
  return hash.digest('hex').slice(0, 16);
}
