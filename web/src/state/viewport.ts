/** Which part of the image the stage shows, at which scale and how it is turned: from the view to the stage and back. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Size } from '../../../src/core/image/model/geometry.ts';
import type { ImageFacts } from '../data/image-info.ts';
import { language } from '../messages/messages.ts';
import { normalizedDegrees } from '../model/address/view-query.ts';
import {
  clipToImage,
  extentShown,
  fitRegion,
  keepOnImage,
  maxScale,
  pixelScale,
  type Resolution,
  regionAtScale,
  regionShown,
  trueScale,
  zoomSteps,
} from '../model/view/framing.ts';
import { around, centerOf, cornersOf, matrixOf, type Placement, toScreen } from '../model/view/geometry.ts';
import { type Point, type Rect, type ScaleMode, type ViewState, wholeImage } from '../model/view-state.ts';
import type { Frame, Stage } from '../stage/stage.ts';
import { facts, openedNow } from './opened.ts';
import { displayDensity } from './stored-preferences.ts';
import { stepLetters } from './text/letters.ts';
import { changeView, flushViewport, frame, stage, view } from './view.ts';

/** CSS pixels per inch that browsers assume of every display. */
const assumedDensity = 96;

/** CSS pixels per inch of this display: the reader's own calibration, or what browsers assume. */
export const density: ReadonlySignal<number> = computed(() => displayDensity.value || assumedDensity);

/** Pixels of the image per inch; undefined where its file does not say. */
export const resolutionOf = (now: ImageFacts | undefined): Resolution | undefined =>
  now && now.dpiX > 0 && now.dpiY > 0 ? { x: now.dpiX, y: now.dpiY } : undefined;

/** The same of the active image. */
export const resolution: ReadonlySignal<Resolution | undefined> = computed(() => resolutionOf(facts.value));

/**
 * CSS pixels per pixel of the image in a mode that fixes them; undefined in other modes, and without the resolution of
 * the image (by default, of the active one).
 */
export function fixedScale(mode: ScaleMode, of: Resolution | undefined = resolution.value): number | undefined {
  if (mode === 'pixels') return pixelScale(devicePixelRatio);
  return mode === 'true-size' && of ? trueScale(density.value, of) : undefined;
}

const isWhole = ({ x, y, width, height }: Rect): boolean => x === 0 && y === 0 && width === 1 && height === 1;

/** Whether the view shows the whole image, or both of two pages. */
export const showsWhole = ({ mode, region }: ViewState): boolean => mode === 'fit' && isWhole(region);

/** Whether the window shows all of the image, or of both pages, with a tolerance of a CSS pixel. */
export function seesWhole(): boolean {
  const on = stage.peek();
  const image = on?.image?.info;
  if (on === undefined || image === undefined) return showsWhole(view.peek());
  const matrix = matrixOf(placementOf(view.peek(), on, image), image, on.window);
  const { width, height } = on.window;
  return cornersOf(on.spread)
    .map((corner) => toScreen(matrix, corner))
    .every(({ x, y }) => x >= -1 && x <= width + 1 && y >= -1 && y <= height + 1);
}

/** The region to show: the part on the page, of an image as the Scaler takes it; the whole of two pages is both. */
function regionOf({ twoPages, region }: ViewState, on: Stage): Rect {
  if (!isWhole(region)) return clipToImage(region, on.extent);
  return twoPages ? on.spread : on.extent;
}

/** The placement of an image on the stage that a view asks for. */
export function placementOf(state: ViewState, on: Stage, image: Size): Placement {
  const { window } = on;
  const scale = fixedScale(state.mode);
  if (scale === undefined) {
    const fitted = fitRegion({ ...state, region: regionOf(state, on) }, image, window);
    return { ...fitted, scale: Math.min(fitted.scale, maxScale) };
  }
  const center = centerOf(keepOnImage(regionAtScale(state, scale, image, window)));
  return { center, scale, rotation: state.rotation, mirror: state.mirror };
}

export function placeImage(how: 'at-once' | 'moving'): void {
  const on = stage.peek();
  if (on?.image !== undefined) on.place(placementOf(view.peek(), on, on.image.info), how);
}

/** The view that the stage was last placed by, or that was taken from it. */
let shown = view.peek();

/** Places the image of the stage where the view says, unless it is there. */
export function followView(): void {
  const now = view.value;
  const was = shown;
  shown = now;
  const turned = now.rotation !== was.rotation || now.mirror !== was.mirror;
  // A movement shows where only the region or the scale changes.
  if (turned || now.fn !== was.fn) placeImage('at-once');
  else if (now.region !== was.region || now.mode !== was.mode) placeImage('moving');
}

export function takePlacement(placement: Placement): void {
  const on = stage.peek();
  const image = on?.image?.info;
  if (on === undefined || image === undefined) return;
  const state = view.peek();
  const fixed = fixedScale(state.mode);
  const isFixed = fixed !== undefined && Math.abs(placement.scale / fixed - 1) < 0.001;
  const before = regionOf(state, on);
  const region = regionShown(placement, image, on.window, isFixed ? undefined : before);
  const { rotation, mirror } = placement;
  const orientation = { rotation, mirror };
  if (isFixed) changeView({ ...orientation, region: { ...wholeImage, x: region.x, y: region.y } });
  else {
    const taken = region === before ? state.region : clipToImage(region, on.extent);
    changeView({ ...orientation, region: taken, mode: 'fit' });
  }
  shown = view.peek();
}

/** Shows a region; also one that the view has, from where the reader has moved the image beyond its edges. */
export const showRegion = (region: Rect): void => changeView({ region: { ...region }, mode: 'fit' });

/** The margin around a rectangle in fractions of it, so that its whole outline is visible. */
const margin = 0.06;

export function showRectangle({ x, y, width, height }: Rect): void {
  const [left, top] = [width * margin, height * margin];
  showRegion({ x: x - left, y: y - top, width: width + 2 * left, height: height + 2 * top });
}

export const showWhole = (): void => showRegion(wholeImage);

/** Shows the whole width of the page, around the current center. */
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

/** Shows the current center at the scale that a mode fixes. */
export function showMode(mode: ScaleMode): void {
  const now = frame.peek();
  const scale = fixedScale(mode);
  if (now === undefined || scale === undefined) showWhole();
  else showAtScale(mode, scale, now.placement.center, now);
}

/** Moves the visible part to a point of the image, or as near as the image reaches, at the same scale. */
export function showAround(center: Point): void {
  const now = frame.peek();
  if (now === undefined) return;
  const { mode, region } = view.peek();
  const scale = fixedScale(mode);
  if (scale === undefined) showRegion(keepOnImage(around(center, region)));
  else showAtScale(mode, scale, center, now);
}

type Move = (on: Stage) => void;

/** Movements that wait until the stage shows the image that they are for. */
let waiting: { readonly path: string; readonly moves: readonly Move[] } = { path: '', moves: [] };

/** Moves the active image: at once, or as soon as the stage shows it and not the image before. */
function moveImage(move: Move): void {
  const on = stage.peek();
  const path = view.peek().fn;
  if (on !== undefined && on.image?.path === path) move(on);
  else waiting = { path, moves: waiting.path === path ? [...waiting.moves, move] : [move] };
}

/** Executes the movements that have waited for the image that a stage shows now; those for another image are dropped. */
export function moveAsWaited(on: Stage): void {
  if (on !== stage.peek()) return;
  const { path, moves } = waiting;
  waiting = { path: '', moves: [] };
  if (on.image?.path === path) for (const move of moves) move(on);
}

/** The width of pages that are scrolled through, as a fraction of the width that fits. */
export const scrolledWidth = signal(1);

/** Enlarges the image, the pages that are scrolled through, or the letters where the text alone is shown. */
function zoomBy(factor: number): void {
  const { layout } = view.peek();
  if (layout === 'text') stepLetters(factor > 1 ? 1 : -1);
  else if (layout !== 'scroll') moveImage((on) => on.zoomBy(factor));
  else scrolledWidth.value = Math.min(Math.max(scrolledWidth.peek() * factor, 0.25), 4);
}

export const zoomIn = (): void => zoomBy(zoomSteps.in);
export const zoomOut = (): void => zoomBy(zoomSteps.out);
export const panBy = (x: number, y: number): void => moveImage((on) => on.panBy(x, y));

type Orientation = Pick<ViewState, 'rotation' | 'mirror'>;

/** A whole image stays whole, at the scale at which it fits. */
function orient(change: Partial<Orientation>): void {
  flushViewport();
  const { rotation, mirror } = { ...view.peek(), ...change };
  const placement = showsWhole(view.peek()) ? undefined : stage.peek()?.turn({ rotation, mirror });
  if (placement === undefined) changeView({ rotation, mirror });
  else takePlacement(placement);
}

export const turnTo = (degrees: number): void => orient({ rotation: normalizedDegrees(degrees) });

export const turnBy = (degrees: number): void => turnTo(view.peek().rotation + degrees);

/** Mirrors the image as it stands on the screen, left to right or top to bottom, also where it is rotated. */
export function mirrorOnScreen(direction: 'horizontal' | 'vertical'): void {
  const { mirror, rotation } = view.peek();
  orient({ mirror: { ...mirror, [direction]: !mirror[direction] }, rotation: normalizedDegrees(-rotation) });
}

/** The view by the file name of its image, which stays valid when page numbers shift. */
export const namedView: ReadonlySignal<ViewState> = computed(() => ({
  ...view.value,
  fn: openedNow()?.path ?? view.value.fn,
  pn: 1,
  layout: 'page',
  // What is cited, kept or printed is the view, wherever it was met.
  tour: undefined,
}));

/** The same with the visible region also where the size of the window determines it; for pictures. */
export const pictured: ReadonlySignal<ViewState> = computed(() => {
  const state = namedView.value;
  const now = frame.value;
  const scale = fixedScale(state.mode);
  if (now === undefined || scale === undefined) return state;
  return { ...state, region: keepOnImage(regionAtScale(state, scale, now.image, now.window)) };
});

/** Device pixels per pixel of the image. */
export const scaleOnScreen: ReadonlySignal<number> = computed(
  () => (frame.value?.placement.scale ?? 1) * devicePixelRatio,
);

/** The same in percent, in the reader's language; empty while there is no image. */
export const currentPercent: ReadonlySignal<string> = computed(() => {
  if (frame.value === undefined) return '';
  const scale = scaleOnScreen.value;
  return scale.toLocaleString(language.value, { style: 'percent', maximumFractionDigits: scale < 0.1 ? 1 : 0 });
});
