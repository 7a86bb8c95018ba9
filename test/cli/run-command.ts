/** Runs the command, or a program that runs it, as a child process; what still runs after a test is killed. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const bin = fileURLToPath(new URL('../../bin/lectern.cjs', import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly child: ChildProcessWithoutNullStreams;
  /** The output so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<CommandResult>;
  /** Resolves to the address of the start page, which the command prints when it serves. */
  readonly started: Promise<string>;
}

export interface RunOptions {
  /** Variables in addition to those of this process, of which PORT, HOST and LECTERN_* are left out. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The text of the standard input. */
  readonly input?: string;
  /** The program and its first arguments. */
  readonly program?: readonly [string, ...string[]];
}

const running: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const { pid, exitCode, signalCode } of running.splice(0)) {
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
  }
});

export function runCommand(args: readonly string[], options: RunOptions = {}): RunningCommand {
  const { env, cwd = root, input = '', program = [process.execPath, bin] } = options;
  const [file, ...firstArgs] = program;
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:PORT|HOST|LECTERN_.*)$/.test(name));
  // In a process group of its own, which is killed as a whole: npx starts the command as its child.
  const child = spawn(file, [...firstArgs, ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...env },
    detached: true,
  });
  running.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<CommandResult>((resolve) => child.on('close', (code) => resolve({ code, ...output })));
  const started = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const address = /Start page +(\S+)/.exec(output.stdout)?.[1];
      if (address && output.stdout.includes('Ctrl-C')) resolve(address);
    });
    void ended.then(({ stderr }) => reject(new Error(`ended before it served: ${stderr}`)));
  });
  started.catch(() => undefined);
  return { child, ended, started, output };
}
