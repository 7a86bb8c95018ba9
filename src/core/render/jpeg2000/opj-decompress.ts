/** Decodes code-streams with opj_decompress, where it is installed: OpenJPEG as the machine’s own program. */
import { type ChildProcess, execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { limitedCommand } from '../limited-command.ts';
import { CodeStreamDamage } from './damage.ts';
import { folderPrefixOf } from './program-folders.ts';

/** The programs that this process has started and that run, and the folders of their files. */
const running = new Set<ChildProcess>();
const folders = new Set<string>();

// A render process that exits by itself, since its server is gone, leaves neither programs nor files.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), folderPrefixOf(process.pid)));
  folders.add(folder);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    folders.delete(folder);
  }
}

export interface OpjDecode {
  readonly program: string;
  readonly stream: Uint8Array;
  /** Samples of each component, which all have the same number of bits. */
  readonly count: number;
  readonly components: number;
  readonly bits: number;
}

/** What the system lets the program have, however its render process ends. */
export interface ProgramLimits {
  /** Of processor time. */
  readonly seconds: number;
  /** Of memory. */
  readonly bytes: number;
}

const mebibyte = 2 ** 20;

/**
 * Several times what OpenJPEG takes, as measured: 0.25 s for a megabyte of code-blocks and 0.06 s to transform a million samples; 9 bytes
 * of memory for a sample, and twice the code-stream.
 */
export const programLimits = ({ stream, count, components }: Omit<OpjDecode, 'program' | 'bits'>): ProgramLimits => ({
  seconds: Math.ceil(1 + stream.length / mebibyte + (count * components) / 4e6),
  bytes: 64 * mebibyte + 4 * stream.length + count * components * 16,
});

/** The threads that the program may start are its own affair; one is as much as a rendering has. */
const environment = { PATH: process.env['PATH'] ?? '', OPJ_NUM_THREADS: '1', MALLOC_ARENA_MAX: '1' };

/** Runs the program to its end. Rejects where it fails. */
function run(decode: OpjDecode, files: readonly string[]): Promise<void> {
  const limits = programLimits(decode);
  const { file, args } = limitedCommand(decode.program, [
    `-t ${limits.seconds}`,
    `-v ${Math.ceil(limits.bytes / 1024)}`,
  ]) ?? { file: decode.program, args: [] };
  return new Promise((resolve, reject) => {
    // A program that waits spends no processor time, so it is given an end by the clock too.
    const options = { env: environment, timeout: 3000 * limits.seconds, killSignal: 'SIGKILL' } as const;
    const child = execFile(file, [...args, ...files], options, (error) => {
      running.delete(child);
      if (error) reject(error);
      else resolve();
    });
    running.add(child);
  });
}

/** The samples of the components, one after the other. Rejects with CodeStreamDamage where the program fails. */
export async function decodeWithProgram(decode: OpjDecode): Promise<readonly (Uint8Array | Uint16Array)[]> {
  const { stream, count, components, bits } = decode;
  const bytes = await withFolder(async (folder) => {
    const [input, output] = [path.join(folder, 'part.j2k'), path.join(folder, 'part.rawl')];
    await writeFile(input, stream);
    try {
      await run(decode, ['-i', input, '-o', output]);
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
