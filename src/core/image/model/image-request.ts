/** A request for a picture of an image, in every dialect: framing, turning, color, format. */
import type { ColorSteps } from './color.ts';
import type { OutputFormat } from './formats.ts';
import type { Dpi, Rect, Size } from './geometry.ts';

/** The area of a digilib request (digilib.md, section 1: wx, wy, ww, wh; section 2: pxarea, sqarea). */
export type Area =
  | (Rect & {
      /** Fractions of the image, or pixels of the highest resolution. */
      readonly unit: 'fraction' | 'pixel';
    })
  | { readonly unit: 'square' };

/** digilib's scaling rules (digilib.md, section 2). */
export type Mode =
  | { readonly name: 'fit'; readonly refine: 'none' | 'crop' | 'fill' }
  | { readonly name: 'squeeze' }
  | { readonly name: 'clip' }
  /** `display` is the resolution of the client's screen in dpi; 0 where it was not given. */
  | { readonly name: 'osize'; readonly display: Dpi }
  | { readonly name: 'ascale'; readonly scale: number };

/** digilib's framing: an area, a mode, and the destination's size in pixels (0 = not given). */
export interface AreaFraming {
  readonly by: 'area';
  readonly area: Area;
  readonly mode: Mode;
  readonly destination: Size;
  /** Which resolution is read: the smallest that suffices, the highest, or the largest that is not bigger. */
  readonly choice: 'sufficient' | 'highest' | 'lower';
  readonly denyUpscale: boolean;
}

/** IIIF's region parameter; pixels of the full image, or percent of it. */
export type Region =
  | { readonly kind: 'full' }
  | { readonly kind: 'square' }
  | (Rect & { readonly kind: 'pixels' | 'percent' });

/** IIIF's size parameter, in pixels or percent of the region. */
export type RequestedSize =
  /** As large as the region, within the limits; `enlarge` as large as the limits allow. */
  | { readonly kind: 'max'; readonly enlarge: boolean }
  | { readonly kind: 'width'; readonly width: number }
  | { readonly kind: 'height'; readonly height: number }
  | { readonly kind: 'percent'; readonly percent: number }
  | (Size & { readonly kind: 'exact' | 'confined' });

/** IIIF's framing: a region of the full image and its size in the picture. */
export interface RegionFraming {
  readonly by: 'region';
  readonly region: Region;
  readonly size: RequestedSize;
  /** Whether a size larger than the region is an error (3.0 without `^`). */
  readonly upscaling: 'deny' | 'allow';
}

/** How a resampled pixel is computed from its neighbors. */
export type Kernel = 'nearest' | 'linear' | 'cubic' | 'lanczos3';

/** A request for a picture of one image. */
export interface ImageRequest {
  readonly framing: AreaFraming | RegionFraming;
  readonly mirror: { readonly horizontal: boolean; readonly vertical: boolean };
  /** Degrees clockwise, applied after mirroring. */
  readonly rotation: number;
  /** The color of the corners that other rotations than by 90° leave in formats without transparency; black where absent. */
  readonly corners?: 'white';
  readonly color: ColorSteps;
  /** `source`: the default for the source's own format (digilib.md, section 2). */
  readonly format: OutputFormat | 'source';
  readonly kernel: Kernel;
  /** `picture`: a derivative; `file`: the original's bytes; `attachment`: the same as a download. */
  readonly delivery: 'picture' | 'file' | 'attachment';
}
