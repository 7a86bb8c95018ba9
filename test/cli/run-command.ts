/** Runs the command, or a program that runs it, as a child process, which is killed after its test; or in this process. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { onTestFinished, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';

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
  // Not by `afterEach` of this module, which files that share its process load once: only the first would have it.
  onTestFinished(() => {
    const { pid, exitCode, signalCode } = child;
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
  });
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

/** Thrown in place of the end of the process. */
class Exit extends Error {}

/**
 * Runs the command in this process, which saves the half second of processor time that its start takes; for commands that
 * end by themselves, one at a time.
 */
export async function runInProcess(
  args: readonly string[],
  { env = {}, cwd = root }: Pick<RunOptions, 'env' | 'cwd'> = {},
): Promise<CommandResult> {
  const output = { stdout: '', stderr: '' };
  const into =
    (name: keyof typeof output, end: string) =>
    (...parts: readonly unknown[]): true => {
      output[name] += format(...parts) + end;
      return true;
    };
  const before = { exitCode: process.exitCode, cwd: process.cwd() };
  let exitCode: number | undefined;
  const mocks = [
    vi.spyOn(console, 'log').mockImplementation(into('stdout', '\n')),
    vi.spyOn(console, 'error').mockImplementation(into('stderr', '\n')),
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => into('stdout', '')(String(text))),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => into('stderr', '')(String(text))),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      exitCode ??= Number(code ?? 0);
      throw new Exit();
    }),
  ];
  for (const name of Object.keys(process.env)) if (/^(?:PORT|HOST|LECTERN_.*)$/.test(name)) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  process.chdir(cwd);
  process.exitCode = undefined;
  try {
    await main([process.execPath, bin, ...args]);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  } finally {
    for (const mock of mocks) mock.mockRestore();
    vi.unstubAllEnvs();
    exitCode ??= Number(process.exitCode ?? 0);
    process.exitCode = before.exitCode;
    process.chdir(before.cwd);
  }
  return { code: exitCode, ...output };
}
