/** Other viewers as they are published, from a folder in which they are installed. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const folder = process.env['LECTERN_TEST_VIEWERS'];

/** How to install what these tests need. */
export const howToInstall =
  'These tests show notes in other viewers as they are published. Install them outside of the project, and name the folder:\n' +
  '  mkdir viewers && cd viewers && npm init -y && npm install --legacy-peer-deps mirador@4 openseadragon @annotorious/openseadragon\n' +
  '  LECTERN_TEST_VIEWERS=$PWD npm run test:viewers --prefix PROJECT';

/** A file of an installed package. */
export function packageFile(name: string, file: string): Buffer {
  if (folder === undefined) throw new Error(howToInstall);
  return readFileSync(path.join(folder, 'node_modules', name, file));
}

/** The version of an installed package. */
export const versionOf = (name: string): string =>
  (JSON.parse(packageFile(name, 'package.json').toString()) as { readonly version: string }).version;
