/** Passes the pixels of JPEG 2000 files to libvips, which can't decode them itself. */
import { readSync } from 'node:fs';
import type { ReadAt } from '@lectern/jpeg2000';
import { RegionReader, readStored } from '@lectern/jpeg2000';
import type { Jpeg2000 } from '@lectern/jpeg2000/model';
import type { Sharp } from 'sharp';
import type { Rect } from '../../image/model/geometry.ts';
import { dropWhenIdle } from '../process/drop-when-idle.ts';
import { libvips } from './libvips.ts';
import { fromPixels } from './libvips-source.ts';
import { withWarnings } from './libvips-warnings.ts';
import type { OpenedFile, OpenedRender } from './opened-file.ts';

const reader = new RegionReader();
const noteUse = dropWhenIdle(() => reader.clear());

/** Reads are synchronous: a render process does nothing else meanwhile, and is ended at its deadline where a disk does not answer. */
const readerOf =
  ({ handle }: OpenedFile): ReadAt =>
  (buffer, position) => {
    let done = 0;
    while (done < buffer.length) {
      const count = readSync(handle.fd, buffer, done, buffer.length - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  };

/** The file's ICC profile; undefined where it has none, and for inks, which are converted without it. */
export function readJpeg2000Profile({ file }: OpenedRender, { color }: Jpeg2000): Buffer | undefined {
  const { profile, colors } = color;
  return profile && colors.length < 4 ? Buffer.from(readStored(readerOf(file), profile).buffer) : undefined;
}

/** The profile that libvips has to convert with, or to keep; with 16 bits the conversion comes after the scaling. */
function embeddedProfile(plan: OpenedRender, jpeg2000: Jpeg2000) {
  const { profile: use, bits } = plan.samples;
  if (use !== 'keep' && (use !== 'convert' || bits > 8)) return undefined;
  const icc = readJpeg2000Profile(plan, jpeg2000);
  return icc && { icc, use };
}

/** A pipeline that starts with a region of the plan’s level. Rejects with Jpeg2000Error, and the errors of the disk. */
export async function openJpeg2000(plan: OpenedRender, header: Jpeg2000, region: Rect): Promise<Sharp> {
  noteUse();
  const { file, location, samples } = plan;
  const profile = embeddedProfile(plan, header);
  const opened = { readAt: readerOf(file), bytes: file.bytes, key: `${file.fingerprint} ${file.path}`, header };
  const pixels = await reader.readRegion(opened, {
    reduction: location.kind === 'reduction' ? location.reduction : 0,
    region,
    lenient: plan.truncated === true,
    // libvips takes samples with their profile in 8 bits only.
    bits: samples.bits > 8 && !profile ? 16 : 8,
  });
  const { width, height, channels } = pixels;
  if (pixels.samples instanceof Uint8Array) {
    const { buffer, byteOffset, length } = pixels.samples;
    return fromPixels(Buffer.from(buffer, byteOffset, length), { width, height, channels }, profile);
  }
  return withWarnings(libvips()(pixels.samples, { raw: { width, height, channels }, limitInputPixels: false }));
}
