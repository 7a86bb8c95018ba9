/** The picture of a printed page: rendered by the server for the sheet, or else as the screen shows it. */
import { baseAddress, pageSettings } from '../../data/page-settings.ts';
import { largestDownload, pixelsOfRegion, scalerQuery } from '../../model/cite/picture-address.ts';
import { clipToImage } from '../../model/view/framing.ts';
import { boxOfRegion } from '../../model/view/print-frame.ts';
import type { Rect } from '../../model/view-state.ts';
import { facts } from '../../state/opened.ts';
import { frame, stage } from '../../state/stages.ts';
import { pictured } from '../../state/viewport.ts';

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

/** Loads the picture for the sheet; resolves in any case. */
export async function loadPrintPicture(): Promise<void> {
  const address = printAddress();
  if (address === undefined || loaded?.src === address) return;
  const image = new Image();
  image.src = address;
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), patienceMs));
  const isLoaded = await Promise.race([
    image.decode().then(
      () => true,
      () => false,
    ),
    late,
  ]);
  if (isLoaded) loaded = image;
}

/** The box of the stage that is printed, in its CSS pixels; undefined while there is no image. */
export function printedBox(): Rect | undefined {
  const now = frame.peek();
  if (now === undefined) return undefined;
  const state = pictured.peek();
  if (state.twoPages) return { x: 0, y: 0, ...now.window };
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

export interface PrintPicture {
  readonly element: HTMLElement;
  /** Its own pixels. */
  readonly width: number;
  readonly height: number;
}

/** The loaded picture where it is of the present view; else a copy of the screen. */
export function printPicture(box: Rect): PrintPicture {
  if (loaded !== undefined && loaded.src === printAddress())
    return { element: loaded, width: loaded.naturalWidth, height: loaded.naturalHeight };
  const element = copyOfScreen(box);
  return { element, width: element.width, height: element.height };
}
