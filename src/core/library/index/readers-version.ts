/** The version of the code that reads headers: facts that other code has read are not reused. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);
const library = path.resolve(path.dirname(here), '..');
const extension = path.extname(here);

/** Where the code of the packages that read headers is, beside the sources or the compiled server. */
const codeOf = (name: string): string =>
  extension === '.ts' ? `../../../packages/${name}/src` : `../../packages/${name}`;

/** The names of the code in a folder of the library. */
async function codeIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(path.join(library, folder));
  return names.filter((name) => path.extname(name) === extension).map((name) => path.join(folder, name));
}

/** Changes with every change of the code that reads folders and headers, and of the format in which these are stored. */
export async function readersVersion(): Promise<string> {
  const folders = await Promise.all(['headers', codeOf('jpeg2000'), codeOf('tiff')].map(codeIn));
  const files = [
    ...folders.flat(),
    ...[
      'file-facts',
      'listings/listing',
      'listings/text-names',
      '../image/model/image-set',
      '../image/model/formats',
      '../image/model/media-formats',
    ].map((name) => name + extension),
    path.join('index', `block${extension}`),
  ].sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(await readFile(path.join(library, file)));
  return hash.digest('hex').slice(0, 16);
}
