/** Reads the tiles or strips that a rendering needs of a TIFF file that is on no disk, as a small TIFF which libvips decodes. */
import {
  type Area,
  type BlockGrid,
  countBlocks,
  type Place,
  planExcerpt,
  readBlockGrid,
  readDirectoryAt,
  type TiffBytes,
  TiffError,
  writeExcerpt,
} from '@lectern/tiff';
import { LRUCache } from 'lru-cache';
import type { StoredDirectory } from '../../image/model/image-set.ts';
import type { Excerpt, Render } from '../../image/plan/plan-types.ts';
import type { SourceHandle } from '../../storage/storage.ts';
import { maxTileBytes, maxTiles } from './read-tiles.ts';

/** More requests than these for one picture are left to a copy of the whole file. */
const maxRuns = 32;

/** Strips can have a row each. */
const maxStrips = 8192;

/** Blocks that lie so near to each other, in bytes, are read at once: some writers put lengths between tiles. */
const maxGapBytes = 4096;

/** A copy is not more than twice as long as what is read, and serves all further requests. */
const copiedShare = 1 / 2;

/** Places that are read at once. */
interface Run extends Place {
  readonly places: readonly Place[];
}

function runsOf(places: readonly Place[]): readonly Run[] {
  const runs: [Place, ...Place[]][] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const place of places) {
    const gap = place.at - end;
    if (gap >= 0 && gap <= maxGapBytes) runs.at(-1)?.push(place);
    else runs.push([place]);
    end = place.at + place.bytes;
  }
  return runs.map((run) => {
    const [{ at }] = run;
    const last = run.at(-1) ?? run[0];
    return { at, bytes: last.at + last.bytes - at, places: run };
  });
}

interface Limits {
  readonly tiles: number;
  readonly bytes: number;
}

const limits: Limits = { tiles: maxTiles, bytes: maxTileBytes };

/** libvips decodes no tiles of single planes. */
const isAllowed = (grid: BlockGrid, pixels: Area, { tiles }: Limits): boolean =>
  grid.kind === 'tiles'
    ? grid.planes === 1 && countBlocks(grid, pixels) <= tiles
    : countBlocks(grid, pixels) <= maxStrips;

async function readRun(source: SourceHandle, { at, bytes, places }: Run): Promise<readonly Buffer[]> {
  const all = await source.readRange(at, bytes, 'pixels');
  return places.map((place) => all.subarray(place.at - at, place.at - at + place.bytes));
}

/** An excerpt of a level with these pixels; undefined where a copy of the file is better, or excerpts can’t be made of it. */
async function excerptOf(
  source: SourceHandle,
  { bytes: fileBytes }: Render['file'],
  { at, ...form }: StoredDirectory,
  pixels: Area,
  most: Limits,
): Promise<Excerpt | undefined> {
  const read = (from: number, length: number) => source.readRange(from, length, 'directory');
  const file: TiffBytes = { ...form, source: { size: fileBytes, read } };
  const directory = await readDirectoryAt(file, at);
  const grid = await readBlockGrid(file, directory);
  if (grid === undefined || !isAllowed(grid, pixels, most)) return undefined;
  const planned = await planExcerpt(file, grid, pixels);
  if (planned === undefined) return undefined;
  const runs = runsOf(planned.places);
  const total = runs.reduce((sum, { bytes }) => sum + bytes, 0);
  if (runs.length > maxRuns || total > Math.min(most.bytes, fileBytes * copiedShare)) return undefined;
  const blocks = (await Promise.all(runs.map((run) => readRun(source, run)))).flat();
  const bytes = await writeExcerpt(file, directory, grid, planned, blocks);
  return bytes && { bytes, x: planned.area.x, y: planned.area.y };
}

/** The files of which it is known how samples of 16 bits and more are scaled. */
const maxScales = 1000;

export interface ExcerptReader {
  /**
   * The plan with an excerpt of its file; undefined where it needs the whole, where that has a path, and where there is a copy of it. Rejects
   * as the storage does.
   */
  read(plan: Render, source: SourceHandle): Promise<Render | undefined>;
  keepScale(plan: Render, scale: Scale): void;
}

type Scale = NonNullable<Render['scale']>;

const scaleKey = ({ file, samples }: Render): string =>
  `${JSON.stringify(samples.range?.location)} ${file.fingerprint} ${file.path}`;

/** What the range of samples is measured on is all of a level, which is read once. */
const measuredLimits = { tiles: 256, bytes: 32 * 2 ** 20 } as const;

export function createExcerptReader(): ExcerptReader {
  const scales = new LRUCache<string, Scale>({ max: maxScales });

  /** What is needed to scale samples of an unknown range. */
  async function readScale(
    plan: Render,
    source: SourceHandle,
  ): Promise<Pick<Render, 'scale' | 'measured'> | undefined> {
    const { samples, rangeDirectory, file } = plan;
    if (samples.range === undefined) return {};
    const scale = scales.get(scaleKey(plan));
    if (scale !== undefined) return { scale };
    const all = { x: 0, y: 0, ...samples.range.size };
    const measured = rangeDirectory && (await excerptOf(source, file, rangeDirectory, all, measuredLimits));
    return measured && { measured };
  }

  async function read(plan: Render, source: SourceHandle): Promise<Render | undefined> {
    const { tiles: _, ...others } = plan;
    const { directory, file, level } = plan;
    if (directory === undefined) return undefined;
    const scale = await readScale(plan, source);
    if (scale === undefined) return undefined;
    const isMeasured = plan.rangeDirectory?.at === directory.at;
    const excerpt =
      (isMeasured && scale.measured) ||
      (await excerptOf(source, file, directory, plan.read ?? { x: 0, y: 0, ...level }, limits));
    return excerpt && { ...others, ...scale, excerpt };
  }

  return {
    async read(plan, source) {
      const { sourceFormat, truncated, tiles } = plan;
      // Checksums are verified where the tiles are read.
      if (source.localPath !== undefined || sourceFormat !== 'tiff' || truncated || tiles?.checksums) return undefined;
      if (await source.hasLocalCopy()) return undefined;
      try {
        return await read(plan, source);
      } catch (error) {
        if (error instanceof TiffError) return undefined;
        throw error;
      }
    },
    keepScale: (plan, scale) => void scales.set(scaleKey(plan), scale),
  };
}
