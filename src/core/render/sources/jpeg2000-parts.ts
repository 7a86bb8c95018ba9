/** Reads the parts of a JPEG 2000 file that is on no disk that a rendering needs, so that not all of it has to be copied. */
import { type PartsLimits, PartsReader } from '@lectern/jpeg2000';
import type { Jpeg2000 } from '@lectern/jpeg2000/model';
import { LRUCache } from 'lru-cache';
import type { Render } from '../../image/plan/plan-types.ts';
import type { SourceHandle } from '../../storage/storage.ts';
import type { FilePart } from './opened-file.ts';

/** A storage reads files up to this length whole, in bytes, for any bytes of them. */
const wholeBytes = 512 * 1024;

/** What is read of longer ones for one rendering at most: less than half of the file, and fewer reads of short ones, of which a copy takes one. */
const maxBytes = 8 * 1024 * 1024;
const maxReads = 12;
const bytesForRead = 256 * 1024;

const limitsFor = (bytes: number): PartsLimits => ({
  bytes: Math.min(maxBytes, bytes / 2),
  reads: Math.min(maxReads, 4 + Math.floor(bytes / bytesForRead)),
});

/** A storage has the first bytes of a file at hand, and reads all that precedes its end with a few bytes there. */
const firstBytes = 64 * 1024;
const fewBytes = 16;

const reader = new PartsReader();

/** Bytes that were read of the last files in parts, by their version. */
const readBytes = new LRUCache<string, number>({ max: 10_000 });

/** Without the profile, where it is not used. */
function neededHeader({ samples }: Render, header: Jpeg2000): Jpeg2000 {
  const { profile: _, ...color } = header.color;
  const isUsed = (samples.profile === 'keep' || samples.profile === 'convert') && color.colors.length < 4;
  return isUsed ? header : { ...header, color };
}

/**
 * The parts that a plan needs of a JPEG 2000 file; undefined where it is or has to be copied: most of it is needed, nothing says where a region
 * is, or as much was read in parts before as the copy takes. Rejects as the storage does.
 */
export async function readJpeg2000Parts(
  plan: Render,
  header: Jpeg2000,
  source: SourceHandle,
): Promise<readonly FilePart[] | undefined> {
  const { file, location, level } = plan;
  if (file.bytes <= wholeBytes) return [{ at: 0, bytes: await source.readRange(0, file.bytes, 'directory') }];
  const key = `${file.fingerprint} ${file.path}`;
  if ((readBytes.get(key) ?? 0) >= file.bytes || (await source.hasLocalCopy())) return undefined;
  const read = async (at: number, bytes: number): Promise<Buffer> => {
    readBytes.set(key, (readBytes.get(key) ?? 0) + bytes);
    return source.readRange(at, bytes, at + bytes <= firstBytes || bytes <= fewBytes ? 'directory' : 'pixels');
  };
  return reader.readParts(
    { bytes: file.bytes, key, header: neededHeader(plan, header), read },
    {
      reduction: location.kind === 'reduction' ? location.reduction : 0,
      region: plan.read ?? { x: 0, y: 0, ...level },
    },
    limitsFor(file.bytes),
  );
}
