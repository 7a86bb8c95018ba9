/** Tells JPEG files that lack a part of their pixels from those of which only the header is unusual. */
import { readFile } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import { cutShort } from '../image/model/errors.ts';
import { collectWarnings, withWarnings } from './libvips-warnings.ts';
import type { OpenedRender } from './opened-file.ts';
import { readable } from './source.ts';
import { isWholeJpeg, withPlainHeader } from './tiles/jpeg-whole.ts';

/** What libvips says at the end of a JPEG that it has warned about; libjpeg fills what is missing with gray. */
const warnedOfJpeg = /^read gave \d+ warning/;

/** libjpeg's warnings about bytes that it skips or ignores without any effect on the pixels. */
const harmless =
  /extraneous bytes before marker|unknown JFIF revision|Unknown Adobe color transform|Invalid SOS parameters|^read gave/;

/** A longer file is not read into memory, and judged by the texts of the warnings. */
const maxWalkedBytes = 64 * 1024 * 1024;

/** Whether libvips warns of nothing but harmless oddities when it decodes the whole image. */
async function decodesWell(input: string | Buffer, { level: { width, height } }: OpenedRender): Promise<boolean> {
  const image = withWarnings(sharp(input, { failOn: 'error', limitInputPixels: false, sequentialRead: true }));
  const corner = image.extract({ left: width - 1, top: height - 1, width: 1, height: 1 });
  const { warnings } = await collectWarnings(() => corner.raw().toBuffer());
  return warnings.every((warning) => harmless.test(warning));
}

async function isWhole(plan: OpenedRender): Promise<boolean> {
  const { file } = plan;
  const stream = file.bytes > maxWalkedBytes ? undefined : withPlainHeader(await readFile(file.readPath));
  if (stream === undefined) return decodesWell(await readable(file), plan);
  return isWholeJpeg(stream) ?? decodesWell(stream, plan);
}

/** Files about which libvips warned, and which have all of their pixels. */
const wholeFiles = new LRUCache<string, true>({ max: 1000 });

/**
 * The result of work that decodes the plan’s source. Throws ImageError `damaged` where a JPEG ends before its pixels, also
 * where an end marker follows, as far as it was decoded.
 */
export async function requireWholeJpeg<T>(plan: OpenedRender, work: () => Promise<T>): Promise<T> {
  if (plan.sourceFormat !== 'jpeg' || plan.truncated) return work();
  const { result, warnings } = await collectWarnings(work);
  if (!warnings.some((warning) => warnedOfJpeg.test(warning))) return result;
  const key = `${plan.file.fingerprint} ${plan.file.path}`;
  if (wholeFiles.has(key)) return result;
  if (!(await isWhole(plan))) throw cutShort();
  wholeFiles.set(key, true);
  return result;
}
