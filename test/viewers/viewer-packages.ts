/** Other viewers as they are published, from a folder in which they are installed. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = process.env['LECTERN_TEST_VIEWERS'];

const howToInstall =
  'These tests need other viewers as they are published: `npm run test:viewers` installs them outside of the project.';

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
