/** Passes the pixels of JPEG 2000 files to libvips, which can't decode them itself. */
import type { Sharp } from 'sharp';
import type { Rect } from '../image/model/geometry.ts';
import type { Jpeg2000 } from '../image/model/jpeg2000.ts';
import { readRegion, readStoredBytes } from './jpeg2000/read-region.ts';
import { libvips } from './libvips.ts';
import { withWarnings } from './libvips-warnings.ts';
import type { OpenedRender } from './opened-file.ts';
import { fromPixels } from './source.ts';

/** The file's ICC profile; undefined where it has none, and for inks, which are converted without it. */
export function readJpeg2000Profile({ file }: OpenedRender, { color }: Jpeg2000): Promise<Buffer> | undefined {
  const { profile, colors } = color;
  return profile && colors.length < 4 ? readStoredBytes(file.handle, profile) : undefined;
}

/** The profile that libvips has to convert with, or to keep; with 16 bits the conversion comes after the scaling. */
async function embeddedProfile(plan: OpenedRender, jpeg2000: Jpeg2000) {
  const { profile: use, bits } = plan.samples;
  if (use !== 'keep' && (use !== 'convert' || bits > 8)) return undefined;
  const icc = await readJpeg2000Profile(plan, jpeg2000);
  return icc && { icc, use };
}

/** A pipeline that starts with a region of the plan’s level. Rejects as `readRegion`. */
export async function openJpeg2000(plan: OpenedRender, jpeg2000: Jpeg2000, region: Rect): Promise<Sharp> {
  const { file, location, samples } = plan;
  const profile = await embeddedProfile(plan, jpeg2000);
  const pixels = await readRegion({
    handle: file.handle,
    fileBytes: file.bytes,
    key: `${file.fingerprint} ${file.path}`,
    jpeg2000,
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
