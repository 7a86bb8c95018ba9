/** A plan as plain data, and what the steps of planning hand to each other. */

import type { Jpeg2000 } from '@lectern/jpeg2000/model';
import type { Limits } from '../model/answer-limits.ts';
import type { ColorSteps } from '../model/color.ts';
import type { Mark } from '../model/covers.ts';
import type { OutputFormat, SourceFormat } from '../model/formats.ts';
import type { Rect, Size, Turn } from '../model/geometry.ts';
import type { Kernel } from '../model/image-request.ts';
import type {
  Decoding,
  DeflateTiles,
  JpegTiles,
  Level,
  LevelLocation,
  Resolution,
  SourceFile,
  StoredColor,
  StoredDirectory,
} from '../model/image-set.ts';
import type { Profiles, SampleScale, StoredSamples } from '../model/stored-samples.ts';
import type { ImageCovers } from './covers/image-covers.ts';

/** Send the file's bytes as they are. */
export interface SendFile {
  readonly kind: 'send-file';
  readonly file: SourceFile;
  readonly mediaType: string;
  /** Whether the browser is to save it instead of showing it. */
  readonly attachment: boolean;
  /**
   * Where the file is sent in place of a picture: a rendering of its last pixel, which fails where any before it can't be
   * decoded. Absent where the original itself was asked for.
   */
  readonly check?: Render;
}

/** A part that begins or ends within pixels, which libvips can't cut: its pixels are computed from those around their places. */
export interface Resample {
  /** The size to which what was read is scaled first; absent for none. */
  readonly before?: Size;
  /** Present where other parts are soon made of what was scaled, too (./overview.ts). */
  readonly isOverview?: true;
  /** In pixels of what was read, or scaled, with fractions; may reach beyond them by less than a pixel. */
  readonly from: Rect;
  /** The number of pixels that are computed. */
  readonly to: Size;
}

/** A TIFF file of some tiles or strips of a level, as they are stored. */
export interface Excerpt {
  readonly bytes: Uint8Array;
  /** The first pixel of the level that it has. */
  readonly x: number;
  readonly y: number;
}

/** What is black whatever is below (./covers/redaction.ts). */
export interface Redaction {
  /** The size to which what was read is averaged first; absent for none. */
  readonly before?: Size;
  /** Black before anything else is done, in pixels of what was read, or averaged. */
  readonly read: readonly Rect[];
  /** Black when all else but `rotation` is done, in pixels of the turned picture. */
  readonly shown: readonly Rect[];
  /** The size of the turned picture. */
  readonly picture: Size;
}

/** A watermark on a picture (./covers/watermark.ts). */
export interface DrawnMark {
  readonly mark: Mark;
  /** From 0, not seen, to 1. */
  readonly opacity: number;
  /** The size in pixels in which the mark is made, upright: that of a copy, or less. */
  readonly made: Size;
  /** Each copy in pixels of the turned picture, before `rotation`; may reach beyond it. */
  readonly copies: readonly Rect[];
  /** How the copies are mirrored and turned. */
  readonly turn: Turn;
}

/** What lies on a picture: at least one of the two. */
export interface DrawnCovers {
  /** That of all that lies on the image. */
  readonly key: string;
  readonly redaction?: Redaction;
  readonly mark?: DrawnMark;
}

/** Decode a part of one stored level and make a picture of it; every member is plain data. */
export interface Render {
  readonly kind: 'render';
  readonly file: SourceFile;
  /** Parts of the file by their place in it, which are all that is read, where the file is on no disk of this machine. */
  readonly parts?: readonly { readonly at: number; readonly bytes: Uint8Array }[];
  /** The tiles or strips that are read, where the file is on no disk of this machine and these have to be decoded by libvips. */
  readonly excerpt?: Excerpt;
  /** The whole of the level on which the range of the samples is measured, likewise. */
  readonly measured?: Excerpt;
  /** What was measured before, where that is known; `none` where the samples use all of their range. */
  readonly scale?: SampleScale | 'none';
  readonly sourceFormat: SourceFormat;
  readonly sourceColor: StoredColor;
  readonly samples: StoredSamples;
  readonly location: LevelLocation;
  /** Of TIFF files: where the level is described. */
  readonly directory?: StoredDirectory;
  /** The same of the level on which the range of samples is measured. */
  readonly rangeDirectory?: StoredDirectory;
  /** The level's size in pixels as stored. */
  readonly level: Size;
  /** Present where pixels of the file are missing, and a picture of the others was asked for. */
  readonly truncated?: true;
  /** The size of the tiles that the level is stored in; absent where it has none. */
  readonly tile?: Size;
  readonly decoding: Decoding;
  /** Of JPEG 2000 files: what is needed to decode them. */
  readonly jpeg2000?: Jpeg2000;
  /** Where the level's tiles lie; absent where it has none, or only libvips can decode them. */
  readonly tiles?: JpegTiles | DeflateTiles;
  /** Pixels of the level as stored; absent for all of them (which lets the decoder shrink while it loads). */
  readonly read?: Rect;
  /** Present where the decoder may shrink only by half of what it could: more would leave out too much of the edge. */
  readonly shrink?: 'less';
  /** Present where the part begins or ends within pixels of the level. */
  readonly resample?: Resample;
  /** The size that what was read, or resampled, is scaled to, in the stored orientation. */
  readonly scaled: Size;
  /** The part of the scaled and turned pixels that is kept, where neighbors were read for the sake of the edges. */
  readonly keep?: Rect;
  readonly kernel: Kernel;
  /** Mirroring and quarter turns: the source's orientation, then those of the request. */
  readonly turn: Turn;
  /** The size to which the turned pixels are scaled then, where they are as many as may be seen of the image, and no more may be. */
  readonly rescaled?: Size;
  /** Degrees clockwise that quarter turns can't do; 0 for none. */
  readonly rotation: number;
  /** The color of the corners after it, in formats without transparency; black where absent. */
  readonly corners?: 'white';
  readonly color: ColorSteps;
  /** What lies on the picture; absent where nothing does. */
  readonly covers?: DrawnCovers;
  readonly format: OutputFormat;
  /** The derivative's size in pixels; an odd rotation can end 1 pixel off. */
  readonly size: Size;
}

/** Send a stored tile without decoding it, with a header before it that makes it a JPEG file, or several that lie beside each other as one. */
export interface SendTile {
  readonly kind: 'send-tile';
  readonly file: SourceFile;
  readonly location: LevelLocation;
  readonly tiles: JpegTiles;
  /** The tile's size in pixels as stored, with the padding that it has at the right and bottom edge of its level. */
  readonly tile: Size;
  /** Column and row of the first tile in the level's grid, from 0. */
  readonly column: number;
  readonly row: number;
  /** The derivative's size in pixels: that of the tiles, or smaller where padding is cut off. */
  readonly size: Size;
  /** Whether the level's ICC profile goes into the header. */
  readonly profile: 'none' | 'keep';
  /** How the same picture is made where the tile turns out to be missing or damaged. */
  readonly fallback: Render;
}

export type Plan = SendFile | SendTile | Render;

/** Why something is not done, as the end of a sentence. */
export interface WhyNot {
  readonly reason: string;
}

/** A way to answer that was considered before the plan, and why it was not taken. */
export interface PassedOver extends WhyNot {
  readonly kind: 'send-file' | 'send-tile' | 'use-pyramid';
}

/** IIIF's region and size in pixels. */
export interface ResolvedRegion {
  /** The size of the full image. */
  readonly full: Size;
  /** Whole pixels of the full image. */
  readonly region: Rect;
  /** The size of the picture before rotation. */
  readonly output: Size;
  /** What the size `max` gives this region. */
  readonly largest: Size;
}

/** The plan, and what was passed over for it, in order. */
export interface Decision {
  readonly plan: Plan;
  readonly passedOver: readonly PassedOver[];
  /** Where the plan reads the derived pyramid: what was passed over there. */
  readonly inPyramid?: readonly PassedOver[];
  /** Of requests that frame by region, as all of IIIF do. */
  readonly resolved?: ResolvedRegion;
}

/** What the plan may use beside the request and the image. */
export interface PlanningRules {
  readonly limits: Limits;
  /** Whether original files may be sent when a request asks for them. */
  readonly sendFile: boolean;
  /** What becomes of ICC profiles; converted to sRGB by default. */
  readonly profiles?: Profiles;
  /** What becomes of files of which a part is missing; refused by default. */
  readonly truncated?: 'refuse' | 'show';
}

/** Which upright pixels of a resolution become a picture of which size. */
export interface Frame {
  readonly resolution: Resolution;
  /** In upright pixels of the resolution; may have fractions, and reach beyond the right and bottom edge. */
  readonly source: Rect;
  /** The picture's size in pixels before rotation. */
  readonly output: Size;
}

/** What happens to the framed pixels. */
export interface Finish {
  /** Mirroring and quarter turns that were requested. */
  readonly turn: Turn;
  /** Degrees clockwise that quarter turns can't do; 0 for none. */
  readonly rotation: number;
  /** The color of the corners after it, in formats without transparency; black where absent. */
  readonly corners?: 'white';
  readonly color: ColorSteps;
  readonly kernel: Kernel;
  readonly format: OutputFormat;
  readonly profiles: Profiles;
  /** What lies on the image; absent where nothing does. */
  readonly covers?: ImageCovers;
}

/** A request as it applies to one image. */
export interface FramedRequest {
  readonly frame: Frame;
  /** The same picture framed on the highest resolution, as pyramids show it; absent where a prescaled version was requested. */
  readonly onHighest?: Frame;
  readonly finish: Finish;
  readonly resolved?: ResolvedRegion;
}

/** A rendering, and what it reads. */
export interface PlannedRender {
  readonly render: Render;
  readonly resolution: Resolution;
  readonly level: Level;
}
