/** Reads settings from a JSON file, in which relative paths are relative to the file. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { resolvePaths } from '../files/paths.ts';
import { plainSource, type Source } from './source.ts';
import { isTree } from './tree.ts';

const sourceWith = (problem: string): Source => plainSource({}, [problem]);

/** The settings of the file, without its `$schema`, which is for editors. */
export function readSettingsFile(file: string): Source {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof SyntaxError)) return sourceWith(`there is no configuration file ${file}`);
    return sourceWith(`${file} is not JSON: ${error.message}`);
  }
  if (!isTree(value))
    return sourceWith(`${file} must hold a JSON object, such as { "library": { "folders": ["/scans"] } }`);
  const { $schema: _schema, ...values } = value;
  return plainSource(resolvePaths(values, path.dirname(path.resolve(file))));
}
