/** Reads the parts of a file that is on no disk that a rendering needs, so that not all of it has to be copied. */
import type { JpegTiles } from '../../image/model/image-set.ts';
import type { Render } from '../../image/plan/plan-types.ts';
import { readBytes } from '../../storage/read-steps.ts';
import type { SourceHandle } from '../../storage/storage.ts';
import { readJpeg2000Parts } from '../sources/jpeg2000-parts.ts';
import { type FilePart, recordingHandle } from '../sources/opened-file.ts';
import { bytesOf, maxTileBytes, maxTiles, placesOf, readTiles, tilesAround } from './read-tiles.ts';
import { areOtherPartsIntact, createChunks, damagedPyramid } from './tile-checksums.ts';

/** Whether bytes say where tiles lie or what they have in common, and are needed again; tiles are read once. */
const isOfDirectory = ({ offsets, lengths, tables, profile, checksums }: JpegTiles, at: number): boolean =>
  at === tables?.at ||
  at === profile?.at ||
  checksums?.otherParts.some((part) => at === part.at) ||
  [offsets, lengths, checksums?.tiles].some(
    (list) => list && at >= list.at && at < list.at + list.count * list.bytesEach,
  );

/** Whether libvips has to open the file for its profile. */
function needsFileForProfile({ samples }: Render, tiles: JpegTiles): boolean {
  const { profile, bits, range } = samples;
  if (profile === 'none' || profile === 'ignore') return false;
  return profile === 'keep' || bits === 16 || range !== undefined || tiles.profile === undefined;
}

/**
 * The parts that are read for a plan whose pixels are JPEG tiles, or code-blocks of JPEG 2000; undefined where it needs the whole file, and where that has a
 * path. Rejects as the storage does, and with ImageError `damaged` where checksums of the file say that.
 */
export async function readParts(plan: Render, source: SourceHandle): Promise<readonly FilePart[] | undefined> {
  const { tiles, tile, file, level, truncated, read } = plan;
  if (source.localPath !== undefined || truncated) return undefined;
  if (plan.jpeg2000) return readJpeg2000Parts(plan, plan.jpeg2000, source);
  if (tiles?.kind !== 'jpeg' || tile === undefined || needsFileForProfile(plan, tiles)) return undefined;
  const parts: FilePart[] = [];
  const handle = recordingHandle(
    async ({ at, bytes }) => {
      if (at + bytes > file.bytes) return undefined;
      return source.readRange(at, bytes, isOfDirectory(tiles, at) ? 'directory' : 'pixels');
    },
    (part) => parts.push(part),
  );
  // The process that renders verifies them too, so that they are among the parts.
  if (tiles.checksums && !(await areOtherPartsIntact(handle, tiles.checksums))) throw damagedPyramid();
  const opened = { ...file, handle, readPath: '', chunks: createChunks() };
  const places = await placesOf(opened, tiles, tilesAround(read ?? { x: 0, y: 0, ...level }, tile));
  if (places === undefined || places.length > maxTiles || bytesOf(places) > maxTileBytes) return undefined;
  await Promise.all([
    tiles.profile && readBytes(handle, tiles.profile),
    tiles.tables && readBytes(handle, tiles.tables),
    readTiles(opened, tiles, places),
  ]);
  return parts;
}
