/** Opens the pixels that a plan reads, whatever decodes them. */
import type { Sharp } from 'sharp';
import type { Rect } from '../../image/model/geometry.ts';
import { openJpegPart } from './jpeg-source.ts';
import { openJpeg2000, readJpeg2000Profile } from './jpeg2000-source.ts';
import { openLevel, type Profile, readMetadata } from './libvips-source.ts';
import type { OpenedRender } from './opened-file.ts';
import { openTiles } from './tiled-source.ts';

/** A pipeline that starts with a region of the plan’s level, or with all of it. */
export async function openRegion(plan: OpenedRender, region: Rect | undefined): Promise<Sharp> {
  const { jpeg2000, samples, level } = plan;
  const pixels = region ?? { x: 0, y: 0, ...level };
  if (jpeg2000) return openJpeg2000(plan, jpeg2000, pixels);
  const part = (await openTiles(plan, pixels)) ?? (await openJpegPart(plan, pixels));
  const source = part?.image ?? (await openLevel(plan, samples.profile === 'ignore'));
  const image = samples.profile === 'keep' ? source.keepIccProfile() : source;
  if (region === undefined && !part) return image;
  const { width, height } = pixels;
  return image.extract({ left: pixels.x - (part?.x ?? 0), top: pixels.y - (part?.y ?? 0), width, height });
}

/** The profile that has to be handled here; undefined where there is none, or where libvips converts the colors. */
export async function readProfile(plan: OpenedRender): Promise<Profile | undefined> {
  const { profile: use, bits, range } = plan.samples;
  if (use === 'none' || use === 'ignore' || (use === 'convert' && bits !== 16 && !range)) return undefined;
  const icc = plan.jpeg2000
    ? await readJpeg2000Profile(plan, plan.jpeg2000)
    : (await readMetadata(await openLevel(plan))).icc;
  return icc && { icc, use };
}
