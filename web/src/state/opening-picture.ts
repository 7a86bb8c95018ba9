/** Makes one picture of both pages of an opening, from pictures by the server in the colors of the view. */
import { baseAddress, pageSettings } from '../data/page-settings.ts';
import { drawnPart, type OpeningPage, type OpeningPlan, planBox } from '../model/cite/opening-plan.ts';
import { largestDownload, scalerQuery } from '../model/cite/picture-address.ts';
import type { Matrix } from '../model/view/geometry.ts';
import { rectBeside } from '../model/view/page-order.ts';
import { type Rect, type ViewState, wholeImage } from '../model/view-state.ts';
import type { Opened } from './opened.ts';
import { companionOf, stageImage } from './stage-images.ts';

/** The pages of the opening, the main one first; undefined where they can't be loaded. */
export async function pagesOfOpening(opened: Opened): Promise<readonly OpeningPage[] | undefined> {
  const [main, beside] = await Promise.all([stageImage(opened.path), companionOf(opened)]);
  if (main === undefined) return undefined;
  const first = { path: main.path, size: main.info, part: wholeImage };
  if (beside === undefined) return [first];
  return [first, { path: beside.path, size: beside.info, part: rectBeside(main.info, beside.info, beside.side) }];
}

/** The address of the part of a page that is drawn, upright, in the colors of the view. */
function partAddress(
  page: OpeningPage,
  { region, size }: Pick<NonNullable<Part>, 'region' | 'size'>,
  state: ViewState,
): string {
  const upright = {
    ...state,
    fn: page.path,
    pn: 1,
    region,
    rotation: 0,
    mirror: { horizontal: false, vertical: false },
  };
  const largest = largestDownload(upright, page.size, pageSettings, 'jpg');
  const width = Math.min(size.width, largest.width);
  const height = Math.min(size.height, largest.height);
  return `${baseAddress()}Scaler?${scalerQuery(upright, { width, height, format: 'jpg' })}`;
}

type Part = ReturnType<typeof drawnPart>;

async function loadPicture(address: string, signal: AbortSignal): Promise<ImageBitmap> {
  const answer = await fetch(address, { signal });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  return createImageBitmap(await answer.blob());
}

/** Rejects where a picture can't be loaded, or the signal is aborted. */
export async function drawOpening(
  pages: readonly OpeningPage[],
  plan: OpeningPlan,
  state: ViewState,
  signal: AbortSignal,
): Promise<HTMLCanvasElement> {
  const canvas = Object.assign(document.createElement('canvas'), plan.size);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser draws nothing.');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  const drawn = pages.flatMap((page) => {
    const part = drawnPart(page, plan);
    return part === undefined ? [] : [{ part, picture: loadPicture(partAddress(page, part, state), signal) }];
  });
  for (const { part, picture } of drawn) {
    const { x, y, width, height } = part.region;
    const bitmap = await picture;
    context.setTransform(...part.matrix);
    context.drawImage(bitmap, x, y, width, height);
    bitmap.close();
  }
  return canvas;
}

interface SeenBox {
  /** Maps fractions of the main page to CSS pixels of the stage, of which the box is a part. */
  readonly matrix: Matrix;
  readonly box: Rect;
  /** Pixels of the picture per CSS pixel. */
  readonly scale: number;
  readonly state: ViewState;
}

/** A part of the stage with what is seen of both pages there; undefined where they can't be loaded. */
export async function drawBox(
  opened: Opened,
  { matrix, box, scale, state }: SeenBox,
  signal: AbortSignal,
): Promise<HTMLCanvasElement | undefined> {
  const pages = await pagesOfOpening(opened);
  return pages && drawOpening(pages, planBox(matrix, box, scale), state, signal);
}
