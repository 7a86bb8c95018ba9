/** Decodes code-streams with opj_decompress, where it is installed: OpenJPEG as the machine’s own program. */
import { execFile } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CodeStreamDamage } from './damage.ts';

const run = promisify(execFile);

export const opjDecompress = 'opj_decompress';

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

const folderPrefix = 'lectern-opj-';

/** Whether a process of this machine runs. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Removes the folders of render processes that were ended at their deadline, and so could not do it themselves. */
export async function removeAbandonedFolders(parent = tmpdir()): Promise<void> {
  const names = readdirSync(parent).filter((name) => name.startsWith(folderPrefix));
  const abandoned = names.filter((name) => !isRunning(Number.parseInt(name.slice(folderPrefix.length), 10)));
  await Promise.all(abandoned.map((name) => rm(path.join(parent, name), { recursive: true, force: true })));
}

let removed: Promise<void> | undefined;

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  removed ??= removeAbandonedFolders().catch(() => undefined);
  await removed;
  const folder = await mkdtemp(path.join(tmpdir(), `${folderPrefix}${process.pid}-`));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The program ends itself where a render process that is ended at its deadline leaves it behind, in ms. */
const deadlineMs = 60_000;

export interface OpjDecode {
  readonly program: string;
  readonly stream: Uint8Array;
  /** Samples of each component, which all have the same number of bits. */
  readonly count: number;
  readonly components: number;
  readonly bits: number;
}

/** The samples of the components, one after the other. Rejects with CodeStreamDamage where the program fails. */
export async function decodeWithProgram(decode: OpjDecode): Promise<readonly (Uint8Array | Uint16Array)[]> {
  const { program, stream, count, components, bits } = decode;
  const bytes = await withFolder(async (folder) => {
    const [input, output] = [path.join(folder, 'part.j2k'), path.join(folder, 'part.rawl')];
    await writeFile(input, stream);
    try {
      await run(program, ['-i', input, '-o', output], { timeout: deadlineMs, killSignal: 'SIGKILL' });
      return await readFile(output);
    } catch (cause) {
      throw new CodeStreamDamage('opj_decompress fails', { cause });
    }
  });
  const sampleBytes = bits > 8 ? 2 : 1;
  if (bytes.length !== count * components * sampleBytes)
    throw new CodeStreamDamage('opj_decompress yields other samples');
  // Samples of two bytes begin at an even position in a buffer of their own.
  const aligned = new Uint8Array(bytes).buffer;
  return Array.from({ length: components }, (_, component) =>
    bits > 8
      ? new Uint16Array(aligned, component * count * 2, count)
      : new Uint8Array(aligned, component * count, count),
  );
}
