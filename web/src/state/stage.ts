/** The stage as the tools use it, and the placement that the view asks of it. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Size } from '../../../src/image/model/geometry.ts';
import {
  around,
  clipToImage,
  extentShown,
  fitRegion,
  keepOnImage,
  pixelScale,
  type Resolution,
  regionAtScale,
  regionShown,
  trueScale,
  zoomSteps,
} from '../model/framing.ts';
import type { Placement } from '../model/geometry.ts';
import { type Point, type Rect, type ScaleMode, type ViewState, wholeImage } from '../model/view-state.ts';
import type { Frame, Stage } from '../stage/stage.ts';
import { facts } from './opened.ts';
import { displayDensity } from './preferences.ts';
import { changeView, view } from './view.ts';

/** The stage; undefined until it has an image. */
export const stage = signal<Stage | undefined>(undefined);

/** The path of the image whose tiles have all come; undefined before the first. */
export const sharpImage = signal<string | undefined>(undefined);

/** Where the image is on the stage, from frame to frame. */
export const frame: ReadonlySignal<Frame | undefined> = computed(() => stage.value?.frame.value);

/** CSS pixels per inch that browsers assume of every display. */
const assumedDensity = 96;

/** CSS pixels per inch of this display: the reader's own calibration, or what browsers assume. */
export const density: ReadonlySignal<number> = computed(() => displayDensity.value || assumedDensity);

/** Pixels of the image per inch; undefined where its file does not say. */
export const resolution: ReadonlySignal<Resolution | undefined> = computed(() => {
  const known = facts.value;
  return known && known.dpiX > 0 && known.dpiY > 0 ? { x: known.dpiX, y: known.dpiY } : undefined;
});

/** CSS pixels for a pixel of the image in a mode that fixes them; undefined where the window says, or nobody can. */
export function fixedScale(mode: ScaleMode): number | undefined {
  if (mode === 'pixels') return pixelScale(devicePixelRatio);
  const known = resolution.value;
  return mode === 'true-size' && known ? trueScale(density.value, known) : undefined;
}

/** The region on the stage: what lies on the image, as the Scaler takes it; the whole of two pages is both. */
function shownOf({ twoPages, region }: ViewState, on: Stage): Rect {
  const isWhole = region.x === 0 && region.y === 0 && region.width === 1 && region.height === 1;
  return twoPages && isWhole ? { ...wholeImage, ...on.spread } : clipToImage(region);
}

/** How the image must lie for the view. */
export function placementOf(state: ViewState, on: Stage, image: Size): Placement {
  const { window } = on;
  const scale = fixedScale(state.mode);
  if (scale === undefined) return fitRegion({ ...state, region: shownOf(state, on) }, image, window);
  const { x, y, width, height } = keepOnImage(regionAtScale(state, scale, image, window));
  return {
    center: { x: x + width / 2, y: y + height / 2 },
    scale,
    rotation: state.rotation,
    mirror: state.mirror,
  };
}

/** Where the reader has moved the image becomes what the view says. */
export function takePlacement(placement: Placement, on: Stage, image: Size): void {
  const state = view.peek();
  const fixed = fixedScale(state.mode);
  const isFixed = fixed !== undefined && Math.abs(placement.scale / fixed - 1) < 0.001;
  const asked = shownOf(state, on);
  const region = regionShown(placement, image, on.window, isFixed ? undefined : asked);
  if (isFixed) changeView({ region: { ...wholeImage, x: region.x, y: region.y } });
  else changeView({ region: region === asked ? state.region : clipToImage(region), mode: 'fit' });
}

/** Shows a region. */
export const showRegion = (region: Rect): void => changeView({ region, mode: 'fit' });

/** The margin around a rectangle in fractions of it, so that its whole outline is visible. */
const margin = 0.06;

/** Shows a rectangle with a margin around it. */
export function showRectangle({ x, y, width, height }: Rect): void {
  const [left, top] = [width * margin, height * margin];
  showRegion({ x: x - left, y: y - top, width: width + 2 * left, height: height + 2 * top });
}

export const showWhole = (): void => showRegion(wholeImage);

/** The whole width of the page, from where the reader is. */
export function showPageWidth(): void {
  const now = frame.peek();
  if (now === undefined) return;
  const { window, image, placement } = now;
  const height = Math.min(1, (image.width * window.height) / window.width / image.height);
  showRegion(keepOnImage({ x: 0, y: placement.center.y - height / 2, width: 1, height }));
}

/** Shows a point of the image in the middle of the window, in a mode that fixes the scale. */
function showAtScale(mode: ScaleMode, scale: number, center: Point, { placement, image, window }: Frame): void {
  const extent = extentShown(scale, placement.rotation, image, window);
  const { x, y } = keepOnImage(around(center, extent));
  changeView({ mode, region: { ...wholeImage, x, y } });
}

/** Shows the middle of what is seen at a scale that the mode fixes. */
export function showMode(mode: ScaleMode): void {
  const now = frame.peek();
  const scale = fixedScale(mode);
  if (now === undefined || scale === undefined) showWhole();
  else showAtScale(mode, scale, now.placement.center, now);
}

/** Moves what is seen so that its middle is at a point of the image, or as near as the image reaches; as large as it is. */
export function showAround(center: Point): void {
  const now = frame.peek();
  if (now === undefined) return;
  const { mode, region } = view.peek();
  const scale = fixedScale(mode);
  if (scale === undefined) showRegion(keepOnImage(around(center, region)));
  else showAtScale(mode, scale, center, now);
}

export const zoomIn = (at?: Point): void => stage.peek()?.zoomBy(zoomSteps.in, at);
export const zoomOut = (at?: Point): void => stage.peek()?.zoomBy(zoomSteps.out, at);
