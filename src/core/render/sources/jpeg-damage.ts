/** Tells JPEG files that lack a part of their pixels from those of which only the header is unusual. */

import { readFile } from 'node:fs/promises';
import {
  endsInHole,
  holeBytes,
  isWholeJpeg,
  lacksScans,
  mayHaveHole,
  sequentialDataAt,
  withPlainHeader,
  withZerosBehind,
  type ZerosBehind,
} from '@lectern/jpeg';
import { LRUCache } from 'lru-cache';
import { cutShort } from '../../image/model/errors.ts';
import { collectWarnings, libvips, withWarnings } from './libvips.ts';
import { readable } from './libvips-source.ts';
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

/** The last pixel, up to which libvips decodes the whole image. */
function cornerOf(input: string | Buffer, { level: { width, height } }: Level, failOn: 'error' | 'warning') {
  const image = withWarnings(libvips()(input, { failOn, limitInputPixels: false, sequentialRead: true }));
  return image.extract({ left: width - 1, top: height - 1, width: 1, height: 1 }).raw();
}

/** What libvips warns of when it decodes the whole image, and maybe images beside it. */
const warningsOf = async (input: string | Buffer, plan: Level): Promise<readonly string[]> =>
  (await collectWarnings(() => cornerOf(input, plan, 'error').toBuffer())).warnings;

/** Whether libvips warns of nothing when it decodes the whole image, whatever it says of images beside it. */
const decodesWithoutWarning = (input: Buffer, plan: Level): Promise<boolean> =>
  cornerOf(input, plan, 'warning')
    .toBuffer()
    .then(
      () => true,
      () => false,
    );

/** Whether libvips warns of nothing but harmless oddities when it decodes the whole image. */
async function decodesWell(input: string | Buffer, plan: Level): Promise<boolean> {
  const isPlain = typeof input !== 'string';
  if (isPlain && (await decodesWithoutWarning(input, plan))) return true;
  const warnings = await warningsOf(input, plan);
  return warnings.every((warning) => harmless.test(warning) && !(isPlain && skippedData.test(warning)));
}

/** The numbers of bytes that libjpeg did not need before an end marker. */
const leftBehind = /(\d+) extraneous bytes before marker 0xd9/g;

/** The last call of `hasAllData`, for which the next one waits: which image a warning is of, it does not say. */
let counting: Promise<unknown> = Promise.resolve();

/** Whether an image with arithmetic coding needs no more data than it has. */
function hasAllData({ stream, least, most }: ZerosBehind, plan: Level): Promise<boolean> {
  const counted = counting.then(async () => {
    const warnings = (await warningsOf(stream, plan)).join('\n');
    // Images beside this one can have some bytes before their end marker too.
    return [...warnings.matchAll(leftBehind)].some(([, left]) => Number(left) >= least && Number(left) <= most);
  });
  counting = counted.catch(() => undefined);
  return counted;
}

async function isWhole(plan: OpenedRender, isWarned: boolean): Promise<boolean> {
  const { file } = plan;
  const stream = file.bytes > maxWalkedBytes ? undefined : withPlainHeader(await readFile(file.readPath));
  if (stream === undefined) return !isWarned || decodesWell(await readable(file), plan);
  if (endsInHole(stream) || lacksScans(stream)) return false;
  const isWalkedWell = isWholeJpeg(stream);
  if (isWalkedWell !== undefined) return isWalkedWell;
  const extended = withZerosBehind(stream);
  if (extended && !(await hasAllData(extended, plan))) return false;
  return !isWarned || decodesWell(stream, plan);
}

/** Bytes that are read at once in search of holes. */
const chunkBytes = 1024 * 1024;

/**
 * Whether libjpeg may have missed nothing where it did not warn: the file has all of its data in one sequential scan with Huffman codes, and
 * no hole of zeros. It takes 0.2 ms for each MB, of a file of which libvips has just read most.
 */
async function isPlain({ handle, bytes }: OpenedFile): Promise<boolean> {
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, bytes));
  for (let at = 0; at < bytes; at += chunkBytes - holeBytes) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, bytes - at), at);
    const chunk = buffer.subarray(0, bytesRead);
    const from = at > 0 ? 0 : sequentialDataAt(chunk);
    if (from === undefined || mayHaveHole(chunk.subarray(from))) return false;
  }
  return true;
}

/** Files that have all of their pixels, and plain ones, which have them unless libvips warns. */
const judged = new LRUCache<string, 'whole' | 'plain'>({ max: 1000 });

/**
 * The result of work that decodes the plan’s source. Throws ImageError `damaged` where a JPEG ends before its pixels, also
 * where an end marker or zeros follow, as far as it was decoded; and wherever scans are missing, or data of a scan are zeros.
 */
export async function requireWholeJpeg<T>(plan: OpenedRender, work: () => Promise<T>): Promise<T> {
  if (plan.sourceFormat !== 'jpeg' || plan.truncated) return work();
  const { result, warnings } = await collectWarnings(work);
  const isWarned = warnings.some((warning) => warnedOfJpeg.test(warning));
  const key = `${plan.file.fingerprint} ${plan.file.path}`;
  const known = judged.get(key);
  if (known === 'whole' || (known === 'plain' && !isWarned)) return result;
  const isKnownPlain = !isWarned && plan.file.bytes <= maxWalkedBytes && (await isPlain(plan.file));
  if (!isKnownPlain && !(await isWhole(plan, isWarned))) throw cutShort();
  judged.set(key, isKnownPlain || !isWarned ? 'plain' : 'whole');
  return result;
}
