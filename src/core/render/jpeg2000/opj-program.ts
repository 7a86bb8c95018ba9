/** Finds opj_decompress, OpenJPEG as a program of the machine: at the start of a server, for all of its render processes. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const opjDecompress = 'opj_decompress';

/** The environment variable with the path of the program that a process may use; absent or empty for none. */
export const opjVariable = 'LECTERN_OPJ_DECOMPRESS';

/** The path of a program in the folders of PATH; undefined where none has it. */
export function findProgram(name: string, folders = process.env['PATH'] ?? ''): string | undefined {
  return folders
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** The path of opj_decompress where the settings allow it and PATH has it. */
export const findOpjDecompress = (isAllowed: boolean): string | undefined =>
  isAllowed ? findProgram(opjDecompress) : undefined;
