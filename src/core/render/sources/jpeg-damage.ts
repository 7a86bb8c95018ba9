/** Tells JPEG files that lack a part of their pixels from those of which only the header is unusual. */

import { readFile } from 'node:fs/promises';
import { isWholeJpeg, withPlainHeader } from '@lectern/jpeg';
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

/** A longer file is not read into memory, and judged by the texts of the warnings. */
const maxWalkedBytes = 64 * 1024 * 1024;

/** Whether libvips warns of nothing but harmless oddities when it decodes the whole image. */
async function decodesWell(input: string | Buffer, { level: { width, height } }: OpenedRender): Promise<boolean> {
  const image = withWarnings(libvips()(input, { failOn: 'error', limitInputPixels: false, sequentialRead: true }));
  const corner = image.extract({ left: width - 1, top: height - 1, width: 1, height: 1 });
  const { warnings } = await collectWarnings(() => corner.raw().toBuffer());
  return warnings.every((warning) => harmless.test(warning));
}

const zeros = Buffer.alloc(1024);

/**
 * Whether a file ends in zeros, as a copy does that reserved its space first and was not finished. libjpeg decodes them without
 * a warning, since a zero is a valid code. Cameras write zeros too, behind the end marker.
 */
async function endsInZeros({ handle, bytes }: OpenedFile): Promise<boolean> {
  const tail = Buffer.alloc(zeros.length);
  const { bytesRead } = await handle.read(tail, 0, tail.length, Math.max(0, bytes - tail.length));
  return bytesRead === zeros.length && tail.equals(zeros);
}

/** Stands in no coded data, where a 0 follows each 255. */
const endOfImage = Buffer.of(0xff, 0xd9);

async function isWhole(plan: OpenedRender, mayEndInZeros: boolean): Promise<boolean> {
  const { file } = plan;
  const stream = file.bytes > maxWalkedBytes ? undefined : withPlainHeader(await readFile(file.readPath));
  if (stream === undefined) return decodesWell(await readable(file), plan);
  if (mayEndInZeros && !stream.includes(endOfImage)) return false;
  return isWholeJpeg(stream) ?? decodesWell(stream, plan);
}

/** Files about which libvips warned or that end in zeros, and which have all of their pixels. */
const wholeFiles = new LRUCache<string, true>({ max: 1000 });

/**
 * The result of work that decodes the plan’s source. Throws ImageError `damaged` where a JPEG ends before its pixels, also
 * where an end marker or zeros follow, as far as it was decoded.
 */
export async function requireWholeJpeg<T>(plan: OpenedRender, work: () => Promise<T>): Promise<T> {
  if (plan.sourceFormat !== 'jpeg' || plan.truncated) return work();
  const { result, warnings } = await collectWarnings(work);
  const isPadded = await endsInZeros(plan.file);
  if (!isPadded && !warnings.some((warning) => warnedOfJpeg.test(warning))) return result;
  const key = `${plan.file.fingerprint} ${plan.file.path}`;
  if (wholeFiles.has(key)) return result;
  if (!(await isWhole(plan, isPadded))) throw cutShort();
  wholeFiles.set(key, true);
  return result;
}
