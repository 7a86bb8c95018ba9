/** Starts programs under limits that the system enforces, which Node itself can’t set. */
import { existsSync } from 'node:fs';

const shell = '/bin/sh';

/** A program and its first arguments. */
export interface LimitedCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * A shell that sets limits, such as `-t 10` for 10 s of processor time (POSIX, `ulimit`), and is replaced by the program; further
 * arguments are the program’s. A system that has no such limit still starts it. Undefined on systems without a shell.
 */
export function limitedCommand(program: string, limits: readonly string[]): LimitedCommand | undefined {
  if (!existsSync(shell)) return undefined;
  const commands = limits.map((limit) => `ulimit ${limit} 2>/dev/null`);
  return { file: shell, args: ['-c', [...commands, 'exec "$0" "$@"'].join('; '), program] };
}
