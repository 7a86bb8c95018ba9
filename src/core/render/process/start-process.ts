/** Starts a render process under limits that the system enforces. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const shell = '/bin/sh';

/** A program and its first arguments. */
export interface LimitedCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * Linux’s class for what runs only where a processor is idle (`SCHED_IDLE`), for which Node has no call: other threads take its place at
 * once, and the system places them as if nothing ran there. With the highest `nice` value alone they wait behind each other meanwhile.
 */
const whereIdle = 'chrt -i 0 true 2>/dev/null && exec chrt -i 0 "$0" "$@"';

/**
 * A shell that sets limits, such as `-t 10` for 10 s of processor time (POSIX, `ulimit`), and is replaced by the program; further
 * arguments are the program’s. A system that has no such limit still starts it. Undefined on systems without a shell.
 */
export function limitedCommand(
  program: string,
  limits: readonly string[],
  { yields = false }: { readonly yields?: boolean | undefined } = {},
): LimitedCommand | undefined {
  if (!existsSync(shell)) return undefined;
  const commands = limits.map((limit) => `ulimit ${limit} 2>/dev/null`);
  const starts = yields ? [whereIdle] : [];
  return { file: shell, args: ['-c', [...commands, ...starts, 'exec "$0" "$@"'].join('; '), program] };
}

export interface ProcessStart {
  /** Path of the program. */
  readonly program: string;
  /** Maximum number of concurrent jobs. */
  readonly jobsEach: number;
  /** Bytes of memory that the process may have; absent for no limit. */
  readonly maxBytes?: number;
  /** Whether it gets only the processor time that all else leaves. */
  readonly yields?: boolean;
}

/** Threads beside those of the jobs, for files that are read whole. */
const spareThreads = 2;

/**
 * Bytes that V8 has mapped for code, used or not. They count as data where they are writable: 512 MiB in Node 24, which maps the whole
 * range at once, and few before. Zero on systems without `/proc`.
 */
function codeRangeBytes(): number {
  const maps = '/proc/self/maps';
  const ranges = existsSync(maps) ? readFileSync(maps, 'latin1').matchAll(/^(\w+)-(\w+) rwxp/gm) : [];
  return [...ranges].reduce((sum, [, from, to]) => sum + Number(`0x${to}`) - Number(`0x${from}`), 0);
}

/** Stacks of threads and memory that V8 reserves without using it, as measured; they count as data. */
const reservedBytes = 160 * 2 ** 20 + codeRangeBytes();

/** V8 collects garbage when the heap has twice the size of what is live; by default it may have four times that size. */
export const heapGrowth = '--heap-growing-percent=100';

/** Options of Node for a process with few objects, whose pictures lie outside of the heap; it collects garbage when it drops what it caches. */
const heapOptions = ['--max-semi-space-size=1', heapGrowth, '--expose-gc'];

/**
 * Options that start the program under RLIMIT_DATA. RLIMIT_AS would count what V8 reserves, some 100 GB, so it can't be used.
 */
export function limitedBy(maxBytes: number | undefined, yields = false): Pick<ForkOptions, 'execPath' | 'execArgv'> {
  const limits = maxBytes === undefined ? [] : [`-d ${Math.ceil((maxBytes + reservedBytes) / 1024)}`];
  const unlimited = { execArgv: [...heapOptions] };
  if (limits.length === 0 && !yields) return unlimited;
  const limited = limitedCommand(process.execPath, limits, { yields });
  return limited ? { execPath: limited.file, execArgv: [...limited.args, ...heapOptions] } : unlimited;
}

/**
 * Variables of glibc: most of what is freed is used again without page faults, which took a sixth of a rendering's processor time, and the
 * memory of large pictures goes back to the system.
 */
export const mallocSettings = {
  // More arenas would each keep memory that the others can't use.
  MALLOC_ARENA_MAX: '1',
  // Bytes from which a buffer is mapped for itself where no free memory has its size; where it is not set, glibc raises it for good.
  MALLOC_MMAP_THRESHOLD_: String(640 * 2 ** 10),
  // Free bytes at the end of its memory that glibc keeps; setting the threshold above alone would leave 128 KiB.
  MALLOC_TRIM_THRESHOLD_: String(8 * 2 ** 20),
} as const;

/** The `nice` value: below that of the server, which has to answer what costs little also while all processors render. */
const renderPriority = 5;

/** That of a process that yields, where the system has no class for idle processors: beside another one it gets a twentieth of one. */
const yieldingPriority = 19;

export function startProcess(start: ProcessStart): ChildProcess {
  const { program, jobsEach, maxBytes, yields } = start;
  const child = fork(program, [], {
    ...limitedBy(maxBytes, yields),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'] ?? '',
      UV_THREADPOOL_SIZE: String(jobsEach + spareThreads),
      ...mallocSettings,
    },
  });
  if (child.pid !== undefined) setPriority(child.pid, yields ? yieldingPriority : renderPriority);
  return child;
}
