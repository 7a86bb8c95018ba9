/** Parses long YAML in a thread of its own: its parser reads a file in one turn, for which all requests would wait. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import type { NamedFiles, ReadMetadata } from './parse-metadata.ts';

/** What the thread is given. */
export interface YamlJob extends NamedFiles {
  readonly text: string;
  readonly fileName: string;
}

/** Shorter files take some milliseconds, and a thread some hundredths of a second to start. */
const shortLength = 64 * 1024;

/** The memory of a thread: a file of 5 MiB takes half of it. */
const maxHeapMegabytes = 1024;

/** The compiled program, also where the server runs from its sources, as in tests. */
const program = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../../../dist/core/library/metadata/yaml-worker.js' : './yaml-worker.js',
    import.meta.url,
  ),
);

/** One after the other: each takes memory. */
const queue = new PQueue({ concurrency: 1 });

const run = (job: YamlJob): Promise<ReadMetadata> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(program, {
      workerData: job,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that parses YAML ended')));
  });

/** Undefined for a file that is to be parsed here. Rejects where the thread fails. */
export async function parseInThread(
  text: string,
  fileName: string,
  { images, jsonFiles }: NamedFiles,
): Promise<ReadMetadata | undefined> {
  if (text.length < shortLength || fileName === 'metadata.csv' || !existsSync(program)) return undefined;
  return queue.add(() => run({ text, fileName, images, jsonFiles }));
}
