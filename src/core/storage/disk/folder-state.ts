/** Finds a folder at start without waiting for a disk that hangs. */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FolderState } from '../storage.ts';
import { followLocally } from './mount-table.ts';

const deadlineMs = 2000;

/** For this time in ms, a disk that did not answer is not asked again. */
const rememberedMs = 10_000;

/** By mount point, when a disk did not answer, on the clock of `performance.now()`. */
const hungAtMs = new Map<string, number>();

const sleepSync = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Prints the path without links where it is a folder, then the mark of the end. */
const program = 'cd -P -- "$1" 2>/dev/null && pwd -P; printf .';

/**
 * Asks in a process of its own: a thread that waits for a disk that hangs can’t be ended, and would keep this process from
 * ending. Undefined where there is no answer within the deadline.
 */
function askElsewhere(folder: string): FolderState | undefined {
  const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-start-'));
  const file = path.join(scratch, 'answer');
  const output = openSync(file, 'w');
  try {
    const child = spawn('/bin/sh', ['-c', program, 'sh', folder], { stdio: ['ignore', output, 'ignore'], cwd: '/' });
    child.on('error', () => undefined).unref();
    for (const endMs = performance.now() + deadlineMs; performance.now() < endMs; sleepSync(2)) {
      const text = readFileSync(file, 'utf8');
      if (text === '.') return { kind: 'none' };
      if (text.endsWith('\n.')) return { kind: 'folder', real: text.slice(0, -2) };
    }
    child.kill('SIGKILL');
    return undefined;
  } finally {
    closeSync(output);
    rmSync(scratch, { recursive: true, force: true });
  }
}

function stateHere(folder: string): FolderState {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? { kind: 'folder', real: realpathSync(folder) } : { kind: 'none' };
}

/** The state of an absolute path, within 2 s. Throws where a local disk fails. */
export function folderStateOf(folder: string): FolderState {
  const { path: real, remote } = followLocally(folder);
  if (remote === undefined || process.platform === 'win32') return stateHere(folder);
  const hanging = { kind: 'hanging', real } as const;
  if (performance.now() - (hungAtMs.get(remote.point) ?? Number.NEGATIVE_INFINITY) < rememberedMs) return hanging;
  const state = askElsewhere(folder);
  if (state === undefined) hungAtMs.set(remote.point, performance.now());
  return state ?? hanging;
}
