/** A printed view: heading, picture with notes, scale bar, citation with address, and the texts of the notes. */
import type { VNode } from 'preact';
import { language, message } from '../../messages/message.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { formatLength } from '../../model/measure/units.ts';
import { clipToImage } from '../../model/view/framing.ts';
import { cornersOf, type Matrix, toImage, toScreen } from '../../model/view/geometry.ts';
import { matrixInBox, scaleBarWithin } from '../../model/view/print-frame.ts';
import type { Rect } from '../../model/view-state.ts';
import type { Frame } from '../../stage/stage.ts';
import { notesShown } from '../../state/notes/notes.ts';
import { imageScale, unitFor } from '../../state/notes/scale.ts';
import { openedNow } from '../../state/opened.ts';
import { addressOfRoute } from '../../state/route.ts';
import { frame } from '../../state/stages.ts';
import { view } from '../../state/view.ts';
import { namedView, pictured } from '../../state/viewport.ts';
import { citationOf } from '../common/citations.ts';
import { PrintedNotes, PrintedTexts } from './print-notes.tsx';
import { type PrintPicture, printedBox, printPicture } from './print-picture.ts';

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

export function PrintSheet(): VNode | null {
  const opened = openedNow();
  const [now, box] = [frame.value, printedBox()];
  if (opened === undefined || now === undefined || box === undefined) return null;
  const address = addressOfRoute(viewRoute(namedView.value));
  const citation = citationOf(opened, address);
  return (
    <>
      <header>
        <h1>{opened.card.label}</h1>
        <p>{opened.folder.title || message('library')}</p>
      </header>
      <Picture now={now} box={box} />
      <p class="print-citation">{citation}</p>
      {!citation.includes(address) && <p class="print-citation">{address}</p>}
      {notesShown.value && <PrintedTexts image={now.image} />}
    </>
  );
}
