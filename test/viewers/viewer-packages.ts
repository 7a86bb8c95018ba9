/** Other viewers as they are published, from a folder in which they are installed. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = process.env['LECTERN_TEST_VIEWERS'];

/** How to install what these tests need. */
export const howToInstall =
  'These tests show notes and hits of a search in other viewers as they are published. Install them outside of the project, and name the folder:\n' +
  '  mkdir viewers && cd viewers && npm init -y && npm install --legacy-peer-deps mirador@4 universalviewer@4 openseadragon @annotorious/openseadragon\n' +
  '  LECTERN_TEST_VIEWERS=$PWD npm run test:viewers --prefix PROJECT';

function pathIn(name: string, file: string): string {
  if (folder === undefined) throw new Error(howToInstall);
  return path.join(folder, 'node_modules', name, file);
}

/** A file of an installed package. */
export const packageFile = (name: string, file: string): Buffer => readFileSync(pathIn(name, file));

/** The names of the files in a folder of an installed package. */
export const packageFileNames = (name: string, inside: string): readonly string[] => readdirSync(pathIn(name, inside));

/** The version of an installed package. */
export const versionOf = (name: string): string =>
  (JSON.parse(packageFile(name, 'package.json').toString()) as { readonly version: string }).version;
