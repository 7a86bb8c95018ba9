/** Render processes: a decoder that crashes, hangs or eats memory takes one of them along, and no other request. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Tinypool } from 'tinypool';
import { ImageError } from '../image/errors.ts';
import type { Render } from '../image/plan.ts';
import { type Derivative, execute } from './execute.ts';
import type { Rendered } from './render-process.ts';

/** Renders plans, each to its end or its deadline. */
export interface Executor {
  /** Throws ImageError `not-found` for a damaged source, `too-slow` past the deadline, `failed` where a process died. */
  execute(plan: Render): Promise<Derivative>;
  /** Ends the processes. */
  close(): Promise<void>;
}

export interface ProcessesOptions {
  /** How many processes there are. */
  readonly count: number;
  /** After so many ms a rendering is given up, and its process is ended. */
  readonly deadlineMs: number;
}

/** The compiled program, also for a server that runs from its sources, as in tests. */
const program = import.meta.url.endsWith('.ts') ? '../../dist/render/render-process.js' : './render-process.js';
const file = fileURLToPath(new URL(program, import.meta.url));

/** Renders in the server's own process: nothing can be given up there. */
export const inThisProcess: Executor = { execute, close: async () => undefined };

const tooSlow = (deadlineMs: number, cause: unknown): ImageError =>
  new ImageError('too-slow', `The picture was not ready within ${Math.ceil(deadlineMs / 1000)} s.`, { cause });

function derivativeOf(rendered: Rendered): Derivative {
  if (rendered.kind === 'failed') {
    throw new ImageError(rendered.code, rendered.message, rendered.cause ? { cause: rendered.cause } : {});
  }
  const { bytes, width, height } = rendered;
  // Between processes a Buffer arrives as what it is made of.
  return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), width, height };
}

/** Starts the processes, each of which loads libvips once. */
export function createProcesses({ count, deadlineMs }: ProcessesOptions): Executor {
  if (!existsSync(file)) throw new Error('The render processes run the compiled program; it has to be built first.');
  const pool = new Tinypool({
    filename: file,
    runtime: 'child_process',
    serialization: 'advanced',
    minThreads: count,
    maxThreads: count,
    concurrentTasksPerWorker: 1,
    // A job takes one thread; glibc's arenas would keep memory for each of many.
    env: { PATH: process.env['PATH'] ?? '', UV_THREADPOOL_SIZE: '4', MALLOC_ARENA_MAX: '2' },
  });
  // An idle process that ends is replaced; there is nobody to tell.
  pool.on('error', () => undefined);
  return {
    async execute(plan) {
      const deadline = AbortSignal.timeout(deadlineMs);
      try {
        return derivativeOf((await pool.run(plan, { signal: deadline })) as Rendered);
      } catch (cause) {
        if (cause instanceof ImageError) throw cause;
        if (deadline.aborted) throw tooSlow(deadlineMs, cause);
        throw new ImageError('failed', 'The picture could not be made: its decoder failed.', { cause });
      }
    },
    close: () => pool.destroy(),
  };
}
