/** The images of a folder, fetched in parts as they come into view. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { FolderListing, ImageCard } from '../../../../src/image/folder/folder-listing.ts';
import type { Problem } from '../../data/ask.ts';
import { askFolder } from '../../data/folder.ts';

/** How many images a part has. */
export const partSize = 100;

/** How many parts are fetched at once: others wait for the server too. */
const atOnce = 2;

type Part = 'asked' | 'failed' | readonly ImageCard[];

export interface FolderParts {
  /** What is said of the folder, once any part has come. */
  readonly about: ReadonlySignal<FolderListing | undefined>;
  /** Why nothing has come. */
  readonly problem: ReadonlySignal<Problem | undefined>;
  /** The image of a cell, from 0; undefined until it has come. Whoever reads it is drawn anew when more has come. */
  cardAt(cell: number): ImageCard | undefined;
  /** Whether an image was asked for in vain. */
  isMissing(cell: number): boolean;
  /** Fetches the parts of these cells that are not there, those first that were wanted last. */
  want(cells: Iterable<number>): void;
  /** Asks once more for what did not come. */
  retry(): void;
  close(): void;
}

const partOf = (cell: number): number => Math.floor(cell / partSize);

export function openFolderParts(folder: string, language: string): FolderParts {
  const about = signal<FolderListing | undefined>(undefined);
  const problem = signal<Problem | undefined>(undefined);
  const parts = signal<ReadonlyMap<number, Part>>(new Map());
  const ending = new AbortController();
  let waiting: readonly number[] = [];
  let running = 0;
  const setPart = (number: number, part: Part): void => {
    parts.value = new Map(parts.peek()).set(number, part);
  };
  const fetchPart = async (number: number): Promise<void> => {
    setPart(number, 'asked');
    const answer = await askFolder(folder, language, { from: number * partSize + 1, count: partSize }, ending.signal);
    if (ending.signal.aborted) return;
    setPart(number, answer.ok ? answer.value.images : 'failed');
    if (answer.ok) about.value ??= answer.value;
    problem.value = answer.ok ? undefined : answer.problem;
  };
  const begin = (): void => {
    while (running < atOnce && waiting.length > 0) {
      const [next, ...others] = waiting;
      waiting = others;
      if (next === undefined || parts.peek().has(next)) continue;
      running += 1;
      void fetchPart(next).finally(() => {
        running -= 1;
        begin();
      });
    }
  };
  const partAt = (cell: number): Part | undefined => parts.value.get(partOf(cell));
  return {
    about,
    problem,
    cardAt: (cell) => {
      const part = partAt(cell);
      return typeof part === 'object' ? part[cell % partSize] : undefined;
    },
    isMissing: (cell) => partAt(cell) === 'failed',
    want: (cells) => {
      const wanted = new Set<number>();
      for (const cell of cells) wanted.add(partOf(cell));
      waiting = [...new Set([...wanted, ...waiting])].filter((number) => !parts.peek().has(number));
      begin();
    },
    retry: () => {
      const failed = [...parts.peek()].filter(([, part]) => part === 'failed').map(([number]) => number);
      parts.value = new Map([...parts.peek()].filter(([, part]) => part !== 'failed'));
      problem.value = undefined;
      waiting = [...failed, ...waiting];
      begin();
    },
    close: () => ending.abort(),
  };
}
