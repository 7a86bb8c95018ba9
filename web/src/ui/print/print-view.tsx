/** A view on paper: the picture in the resolution of a printer, its notes, its citation. */
import { render, type VNode } from 'preact';
import { baseAddress, pageSettings } from '../../data/page-settings.ts';
import { language, message } from '../../messages/messages.ts';
import { isForeign } from '../../model/address/address-text.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { largestDownload, pixelsOfRegion, scalerQuery } from '../../model/cite/picture-address.ts';
import { formatLength } from '../../model/measure/units.ts';
import { boxOfRegion, clipToImage, matrixInBox, scaleBarWithin } from '../../model/view/framing.ts';
import { boxAround, cornersOf, type Matrix, toImage, toScreen } from '../../model/view/geometry.ts';
import type { Rect } from '../../model/view-state.ts';
import type { Frame } from '../../stage/stage.ts';
import { imageScale, notesShown, unitFor } from '../../state/notes/notes.ts';
import { facts, openedNow } from '../../state/opened.ts';
import { shownLabel } from '../../state/pages.ts';
import { addressOfRoute } from '../../state/route.ts';
import { frame, stage, view } from '../../state/view.ts';
import { namedView, pictured } from '../../state/viewport.ts';
import { citationOf } from '../common/citations.ts';
import { rightsLine } from '../common/rights-note.tsx';
import { PrintedNotes, PrintedTexts } from './print-notes.tsx';

/** Renders the sheet into an element while the browser prints; the returned function ends this. */
export function renderWhilePrinting(host: HTMLElement): () => void {
  // Printing begins when the listeners of this event have returned: nothing can be waited for.
  const show = (): void => render(<PrintSheet />, host);
  const hide = (): void => render(null, host);
  addEventListener('beforeprint', show);
  addEventListener('afterprint', hide);
  return () => {
    removeEventListener('beforeprint', show);
    removeEventListener('afterprint', hide);
    hide();
  };
}

/** Loads the picture, then opens the browser's dialog. */
export async function printView(): Promise<void> {
  await loadPrintPicture();
  window.print();
}

/** Units across the picture in which notes are drawn: the CSS pixels across a sheet, so that lines have their usual width. */
const sheetWidth = 720;

/** The longest scale bar, as a share of the picture's width. */
const longestBar = 0.3;

/** Meters of the object across the picture; undefined without a scale. */
function metersAcross({ image }: Frame, matrix: Matrix): number | undefined {
  const scale = imageScale.value;
  if (scale === undefined) return undefined;
  const [from, to] = [toImage(matrix, { x: 0, y: 0 }), toImage(matrix, { x: sheetWidth, y: 0 })];
  return Math.hypot(((to.x - from.x) * image.width) / scale.x, ((to.y - from.y) * image.height) / scale.y);
}

function ScaleBar({ now, matrix }: { readonly now: Frame; readonly matrix: Matrix }): VNode | null {
  const meters = metersAcross(now, matrix);
  if (meters === undefined) return null;
  const unit = unitFor(meters * longestBar);
  const bar = scaleBarWithin(meters * longestBar, unit.meters);
  if (bar === undefined) return null;
  return (
    <div class="scale-bar" style={{ width: `${bar.share * longestBar * 100}%` }}>
      {formatLength(bar.meters, unit, language.value)}
    </div>
  );
}

/** In its own pixels inside of a drawing that is enlarged: Chromium prints a canvas up to a percent narrower than its box. */
const PictureImage = ({ element, width, height, outline }: PrintPicture & { readonly outline: string }): VNode => (
  <svg class="print-image" viewBox={`0 0 ${width} ${height}`} style={{ clipPath: outline }} aria-hidden="true">
    <foreignObject width={width} height={height} ref={(host) => host?.replaceChildren(element)} />
  </svg>
);

/** The region as a CSS polygon in the picture, whose corners beside a rotated region stay white. */
function outlineOf(matrix: Matrix, height: number): string {
  if (view.value.twoPages) return 'none';
  const corners = cornersOf(clipToImage(pictured.value.region)).map((corner) => toScreen(matrix, corner));
  const percent = (part: number, of: number): string => `${((part / of) * 100).toFixed(3)}%`;
  return `polygon(${corners.map(({ x, y }) => `${percent(x, sheetWidth)} ${percent(y, height)}`).join(', ')})`;
}

function Picture({ now, box }: { readonly now: Frame; readonly box: Rect }): VNode {
  const height = (box.height * sheetWidth) / box.width;
  const matrix = matrixInBox(now.matrix, box, sheetWidth);
  return (
    <div class="print-picture" style={{ '--ratio': `${box.width / box.height}` }}>
      <PictureImage {...printPicture(box)} outline={outlineOf(matrix, height)} />
      {notesShown.value && <PrintedNotes now={now} matrix={matrix} size={{ width: sheetWidth, height }} />}
      <ScaleBar now={now} matrix={matrix} />
    </div>
  );
}

/** A printed view: heading, picture with notes, scale bar, citation with address, and the texts of the notes. */
function PrintSheet(): VNode | null {
  const opened = openedNow();
  const [now, box] = [frame.value, printedBox()];
  if (opened === undefined || now === undefined || box === undefined) return null;
  const address = addressOfRoute(viewRoute(namedView.value));
  const citation = citationOf(opened, address);
  return (
    <>
      <header>
        <h1>{shownLabel()}</h1>
        <p>{opened.folder.title || message('library')}</p>
      </header>
      <Picture now={now} box={box} />
      <p class="print-citation">{citation}</p>
      {!citation.includes(address) && <p class="print-citation">{address}</p>}
      {rightsLine(opened.folder) !== '' && <p class="print-citation print-rights">{rightsLine(opened.folder)}</p>}
      {notesShown.value && <PrintedTexts image={now.image} />}
    </>
  );
}

/** Pixels along the longer side: an A4 sheet at 300 dpi. */
const printedPixels = 3300;

/** How long the picture may take, in ms; after that the screen's is printed. */
const patienceMs = 20_000;

/** The Scaler's address of the visible region; undefined for two pages, of which it shows one. */
function printAddress(): string | undefined {
  const state = pictured.peek();
  const image = facts.peek();
  if (image === undefined || state.twoPages) return undefined;
  const largest = largestDownload(state, image, pageSettings, 'jpg');
  const own = pixelsOfRegion(state.region, image);
  const factor = Math.min(1, printedPixels / Math.max(own.width, own.height));
  const width = Math.min(largest.width, own.width * factor);
  const height = Math.min(largest.height, own.height * factor);
  return `${baseAddress()}Scaler?${scalerQuery(state, { width, height, format: 'jpg' })}`;
}

/** The picture that was loaded last. */
let loaded: HTMLImageElement | undefined;

/** The picture of both pages that was made last, with what it is of. */
let opening: { readonly key: string; readonly element: HTMLCanvasElement } | undefined;

/** What the picture of an opening depends on. */
const openingKey = (box: Rect): string => {
  const { color, quality, options } = pictured.peek();
  return JSON.stringify([openedNow()?.path, frame.peek()?.matrix, box, color, quality, options]);
};

/** Both pages as far as they are seen, in the pixels of a sheet; nothing where they can't be loaded, as of other hosts. */
async function makeOpening(signal: AbortSignal): Promise<void> {
  const [opened, now] = [openedNow(), frame.peek()];
  const box = now && boxOfOpening(now);
  if (opened === undefined || now === undefined || box === undefined || isForeign(opened.path)) return;
  const key = openingKey(box);
  if (opening?.key === key) return;
  // No more pixels than the pages have.
  const scale = Math.min(printedPixels / Math.max(box.width, box.height), 1 / now.placement.scale);
  const { drawBox } = await import('../../state/opening-picture.ts');
  const element = await drawBox(opened, { matrix: now.matrix, box, scale, state: pictured.peek() }, signal);
  if (element !== undefined) opening = { key, element };
}

async function loadImage(address: string): Promise<void> {
  const image = new Image();
  image.src = address;
  await image.decode();
  loaded = image;
}

/** Loads the picture for the sheet; resolves in any case. */
async function loadPrintPicture(): Promise<void> {
  const address = printAddress();
  if (address !== undefined && loaded?.src === address) return;
  const signal = AbortSignal.timeout(patienceMs);
  const loading = address === undefined ? makeOpening(signal) : loadImage(address);
  const late = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  await Promise.race([loading.catch(() => undefined), late]);
}

/** What is seen of both pages. */
function boxOfOpening({ matrix, window }: Frame): Rect | undefined {
  const spread = stage.peek()?.spread;
  const box = spread && boxAround(cornersOf(spread).map((corner) => toScreen(matrix, corner)));
  if (box === undefined) return undefined;
  const [x, y] = [Math.max(0, box.x), Math.max(0, box.y)];
  const [right, bottom] = [Math.min(window.width, box.x + box.width), Math.min(window.height, box.y + box.height)];
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : undefined;
}

/** The box of the stage that is printed, in its CSS pixels; undefined while there is no image. */
function printedBox(): Rect | undefined {
  const now = frame.peek();
  if (now === undefined) return undefined;
  const state = pictured.peek();
  if (state.twoPages) return boxOfOpening(now);
  const shown = { ...state, region: clipToImage(state.region) };
  return boxOfRegion(shown, now.image, now.placement.scale, now.matrix);
}

/** What the screen shows of a box, in device pixels. */
function copyOfScreen(box: Rect): HTMLCanvasElement {
  const copy = document.createElement('canvas');
  copy.width = Math.max(1, Math.round(box.width * devicePixelRatio));
  copy.height = Math.max(1, Math.round(box.height * devicePixelRatio));
  const source = stage.peek()?.canvas;
  const context = copy.getContext('2d');
  if (source === undefined || context === null) return copy;
  const ratio = source.width / (stage.peek()?.window.width ?? source.width);
  context.drawImage(
    source,
    box.x * ratio,
    box.y * ratio,
    box.width * ratio,
    box.height * ratio,
    0,
    0,
    copy.width,
    copy.height,
  );
  return copy;
}

/** The picture of a printed page: rendered by the server for the sheet, or else as the screen shows it. */
interface PrintPicture {
  readonly element: HTMLElement;
  /** Its own pixels. */
  readonly width: number;
  readonly height: number;
}

/** The loaded picture where it is of the present view; else a copy of the screen. */
function printPicture(box: Rect): PrintPicture {
  if (loaded !== undefined && loaded.src === printAddress())
    return { element: loaded, width: loaded.naturalWidth, height: loaded.naturalHeight };
  if (opening !== undefined && pictured.peek().twoPages && opening.key === openingKey(box))
    return { element: opening.element, width: opening.element.width, height: opening.element.height };
  const element = copyOfScreen(box);
  return { element, width: element.width, height: element.height };
}
