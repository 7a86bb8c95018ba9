/** Render processes: a decoder that crashes, hangs or eats memory takes one of them along, and no other request. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Render } from '../image/plan/plan-types.ts';
import type { Derivative } from './execute.ts';
import { decoderFailed, type Job, type Lost, ProcessSlot } from './process-slot.ts';

/** Renders plans, each to its end or its deadline. */
export interface Executor {
  /** Throws ImageError as `execute` does, also `too-slow` past the deadline, and `failed` where a process died. */
  execute(plan: Render): Promise<Derivative>;
  /** Ends the processes. */
  close(): Promise<void>;
}

export interface ProcessesOptions {
  /** How many processes there are. */
  readonly count: number;
  /** How many renderings each has under way at once: a decoder leaves its core idle at times. */
  readonly jobsEach: number;
  /** After so many ms a rendering is given up, and its process is ended. */
  readonly deadlineMs: number;
  /** What each keeps of decoded tiles, in bytes. */
  readonly decodedBytes: number;
  /** The program that they run, where it is not the one that renders. */
  readonly program?: string;
}

/** The compiled program, also for a server that runs from its sources, as in tests. */
const compiled = import.meta.url.endsWith('.ts') ? '../../dist/render/render-process.js' : './render-process.js';
const renderProgram = fileURLToPath(new URL(compiled, import.meta.url));

/** Renders in the server's own process, which loads libvips for it: nothing can be given up there. */
export function createInThisProcess({ decodedBytes }: Pick<ProcessesOptions, 'decodedBytes'>): Executor {
  const load = async () => {
    const [{ execute }, { DecodedTiles }] = await Promise.all([import('./execute.ts'), import('./decoded-tiles.ts')]);
    const tiles = new DecodedTiles(decodedBytes);
    return (plan: Render) => execute(plan, tiles);
  };
  let loading: ReturnType<typeof load> | undefined;
  return {
    async execute(plan) {
      loading ??= load();
      return (await loading)(plan);
    },
    close: async () => undefined,
  };
}

/** Renderings of one place of a scan share what was decoded for them; in pixels of the level. */
const homeSize = 2048;

/** Equal for plans that may read the same tiles. */
function homeOf({ file, location, read }: Render): string {
  const { x, y, width, height } = read ?? { x: 0, y: 0, width: 0, height: 0 };
  const [column, row] = [Math.floor((x + width / 2) / homeSize), Math.floor((y + height / 2) / homeSize)];
  return `${file.path} ${JSON.stringify(location)} ${column} ${row}`;
}

/** A process may have so many more jobs than another before what it knows of a scan counts for less. */
const affinityLead = 1;

/** A number from 0 to 2^32 that equal texts share (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  return hash >>> 0;
}

/** Starts the processes, each of which loads libvips once. */
export function createProcesses(options: ProcessesOptions): Executor {
  const { count, jobsEach: jobs, deadlineMs, decodedBytes, program: file = renderProgram } = options;
  if (!existsSync(file)) throw new Error('The render processes run the compiled program; it has to be built first.');
  const slots = Array.from(
    { length: count },
    () => new ProcessSlot({ file, deadlineMs, decodedBytes, jobs, onFree: dispatch, onLost: runAgain }),
  );
  const waiting: Job[] = [];
  /** What was under way in a process that died: one of them killed it, and would do so again. */
  const suspects: Job[] = [];

  function runAgain({ jobs, culprit }: Lost): void {
    const [only] = jobs;
    if (culprit === 'known') waiting.unshift(...jobs);
    else if (jobs.length === 1 && only !== undefined) only.reject(decoderFailed());
    else suspects.push(...jobs);
    dispatch();
  }

  const leastBusy = (among: readonly ProcessSlot[]): ProcessSlot | undefined =>
    among.reduce<ProcessSlot | undefined>((best, slot) => (best && best.load <= slot.load ? best : slot), undefined);

  /** The process that may have decoded what the job reads, unless another has much less to do. */
  function slotFor(job: Job, free: readonly ProcessSlot[]): ProcessSlot | undefined {
    const least = leastBusy(free);
    const home = slots[hashOf(homeOf(job.plan)) % slots.length];
    return home && least && free.includes(home) && home.load <= least.load + affinityLead ? home : least;
  }

  /** The process that is emptied for a suspect, which runs alone. */
  function dispatchSuspect(): ProcessSlot | undefined {
    const [suspect] = suspects;
    const emptied = suspect && leastBusy(slots.filter(({ isAlone }) => !isAlone));
    if (suspect === undefined || emptied === undefined || emptied.load > 0) return emptied;
    suspects.shift();
    emptied.run(suspect, 'alone');
    return emptied;
  }

  function dispatch(): void {
    const emptied = dispatchSuspect();
    for (let [job] = waiting; job !== undefined; [job] = waiting) {
      const slot = slotFor(
        job,
        slots.filter((each) => each !== emptied && each.hasRoom),
      );
      if (slot === undefined) return;
      waiting.shift();
      slot.run(job, 'beside-others');
    }
  }

  return {
    execute: (plan) =>
      new Promise<Derivative>((resolve, reject) => {
        waiting.push({ plan, resolve, reject });
        dispatch();
      }),
    close: async () => {
      await Promise.all(slots.map((slot) => slot.close()));
    },
  };
}
