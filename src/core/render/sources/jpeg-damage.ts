/** Tells JPEG files that lack a part of their pixels from those of which only the header is unusual. */

import { readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  endsInHole,
  holeBytes,
  isWholeJpeg,
  lacksScans,
  mayHaveHole,
  mayLackData,
  sequentialDataAt,
  withPlainHeader,
  withZerosBehind,
} from '@lectern/jpeg';
import { LRUCache } from 'lru-cache';
import { cutShort } from '../../image/model/errors.ts';
import { collectWarnings, libvips, withWarnings } from './libvips.ts';
import { fromLibvips, readable } from './libvips-source.ts';
import { reachesEnd } from './open-region.ts';
import type { OpenedFile, OpenedRender } from './opened-file.ts';

/** What libvips says at the end of a JPEG that it has warned about; libjpeg fills what is missing with gray. */
const warnedOfJpeg = /^read gave \d+ warning/;

/** libjpeg's warnings about bytes that it skips or ignores without any effect on the pixels. */
const harmless =
  /extraneous bytes before marker|unknown JFIF revision|Unknown Adobe color transform|Invalid SOS parameters|^read gave/;

/** So many bytes that are skipped between scans must have been coded data: the pixels are other ones. */
const skippedData = /\d{3} extraneous bytes before marker/;

/** A longer file is not read into memory, and judged by the texts of the warnings. */
const maxWalkedBytes = 64 * 1024 * 1024;

type Level = Pick<OpenedRender, 'level'>;

/** The last call of `warningsOf`, for which the next one waits: no warning says which image it is of. */
let decoding: Promise<unknown> = Promise.resolve();

/** What libvips warns of when it decodes the whole image, and maybe images that are rendered beside it. */
function warningsOf(input: string | Buffer, { level: { width, height } }: Level): Promise<readonly string[]> {
  const warnings = decoding.then(async () => {
    const image = withWarnings(libvips()(input, { failOn: 'error', limitInputPixels: false, sequentialRead: true }));
    const corner = image.extract({ left: width - 1, top: height - 1, width: 1, height: 1 });
    return (await collectWarnings(() => fromLibvips(corner.raw().toBuffer()))).warnings;
  });
  decoding = warnings.catch(() => undefined);
  return warnings;
}

/** Images that are rendered beside one take or add warnings: a whole one decodes well once in so many times. */
const maxDecodings = 4;

/** Whether libvips warns of nothing but harmless oddities when it decodes the whole image. */
async function decodesWell(input: string | Buffer, plan: Level): Promise<boolean> {
  const isPlain = typeof input !== 'string';
  const isHarmless = (warning: string): boolean => harmless.test(warning) && !(isPlain && skippedData.test(warning));
  for (let times = 0; times < maxDecodings; times++) {
    const warnings = await warningsOf(input, plan);
    const texts = warnings.filter((warning) => !warnedOfJpeg.test(warning));
    if (texts.every(isHarmless) && (texts.length > 0 || warnings.length === 0)) return true;
  }
  return false;
}

/** The numbers of bytes that libjpeg did not need before an end marker. */
const leftBehind = /(\d+) extraneous bytes before marker 0xd9/g;

/** Other numbers of zeros each time, so that the number of those left is of this image. */
let countings = 0;
const zerosOfNext = (): number => 2 ** 16 + 2 ** 12 * (countings++ % 64);

/** Whether an image with arithmetic coding needs no more data than it has; undefined for one with Huffman codes. */
async function hasAllData(stream: Buffer, plan: Level): Promise<boolean | undefined> {
  for (let times = 0; times < maxDecodings; times++) {
    const extended = withZerosBehind(stream, zerosOfNext());
    if (extended === undefined) return undefined;
    const { least, most } = extended;
    const texts = (await warningsOf(extended.stream, plan)).join('\n');
    if ([...texts.matchAll(leftBehind)].some(([, left]) => Number(left) >= least && Number(left) <= most)) return true;
  }
  return false;
}

async function isWhole(plan: OpenedRender, isWarned: boolean): Promise<boolean> {
  const { file } = plan;
  const stream = file.bytes > maxWalkedBytes ? undefined : withPlainHeader(await readFile(file.readPath));
  if (stream === undefined) return !isWarned || decodesWell(await readable(file), plan);
  if (!isWarned && !mayLackData(stream)) return true;
  if (endsInHole(stream) || lacksScans(stream)) return false;
  const isWalkedWell = isWholeJpeg(stream);
  if (isWalkedWell !== undefined) return isWalkedWell;
  if ((await hasAllData(stream, plan)) === false) return false;
  return !isWarned || decodesWell(stream, plan);
}

/** Bytes that are read at once in search of holes: as many as stay in the processor's cache. */
const chunkBytes = 256 * 1024;

/**
 * Whether libjpeg may have missed nothing where it did not warn: the file has all of its data in one sequential scan with Huffman codes, and
 * no hole of zeros. It takes 0.2 ms for each MB, of a file of which libvips has just read most. Reads are synchronous, as of JPEG 2000.
 */
function isPlain({ handle: { fd }, bytes }: OpenedFile): boolean {
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, bytes));
  for (let at = 0; at < bytes; at += chunkBytes - holeBytes) {
    const chunk = buffer.subarray(0, readSync(fd, buffer, 0, Math.min(buffer.length, bytes - at), at));
    const from = at > 0 ? 0 : sequentialDataAt(chunk);
    if (from === undefined || mayHaveHole(chunk.subarray(from))) return false;
  }
  return true;
}

/** Whether libvips has decoded the image to its last row, so that it has warned where data are missing. */
const isReadToEnd = ({ read, level }: OpenedRender): boolean =>
  read === undefined || read.y + read.height >= level.height;

/** Whether a JPEG that libvips did not warn of has what lies below the part that it decoded. */
async function hasRest(plan: OpenedRender): Promise<boolean> {
  return isReadToEnd(plan) || ((await reachesEnd(plan)) ?? decodesWell(await readable(plan.file), plan));
}

/** Files that have all of their pixels, and plain ones, which have them unless libvips warns. */
const judged = new LRUCache<string, 'whole' | 'plain'>({ max: 1000 });

/**
 * The result of work that decodes the plan’s source. Throws ImageError `damaged` where a JPEG ends before its pixels, also
 * where an end marker or zeros follow, or lacks scans, or has zeros for the data of one: also below the part that is decoded.
 */
export async function requireWholeJpeg<T>(plan: OpenedRender, work: () => Promise<T>): Promise<T> {
  if (plan.sourceFormat !== 'jpeg' || plan.truncated) return work();
  const { result, warnings } = await collectWarnings(work);
  const isWarned = warnings.some((warning) => warnedOfJpeg.test(warning));
  const key = `${plan.file.fingerprint} ${plan.file.path}`;
  const known = judged.get(key);
  if (known === 'whole' || (known === 'plain' && !isWarned)) return result;
  const isKnownPlain = !isWarned && plan.file.bytes <= maxWalkedBytes && isPlain(plan.file);
  if (!isKnownPlain && !(await isWhole(plan, isWarned))) throw cutShort();
  if (!isWarned && !(await hasRest(plan))) throw cutShort();
  judged.set(key, isKnownPlain || !isWarned ? 'plain' : 'whole');
  return result;
}
