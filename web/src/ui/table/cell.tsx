/** One image on a light table. */
import { Check } from 'lucide';
import type { VNode } from 'preact';
import type { ImageCard } from '../../../../src/image/folder/folder-listing.ts';
import type { Size } from '../../../../src/image/model/geometry.ts';
import { type Operations, pixelsOf } from '../../data/picture.ts';
import { message } from '../../messages/message.ts';
import { formatCount } from '../common/counts.ts';
import { Icon } from '../common/icon.tsx';
import { Picture } from '../common/picture.tsx';
import type { TableLayout } from './layout.ts';

/** What a cell has around its picture, in CSS pixels. */
const [around, below] = [28, 56];

/** Pictures come in few sizes, so that the slider does not ask for each anew at every step. */
const pictureSteps = [96, 160, 256, 400, 640];

const roundUp = (length: number): number => pictureSteps.find((step) => step >= length) ?? 960;

interface PictureSizes {
  /** What the picture has on the screen. */
  readonly shown: Size;
  /** What the server is asked for. */
  readonly requested: Size;
}

export function pictureSizes({ cellWidth, cellHeight }: TableLayout): PictureSizes {
  const shown = { width: Math.max(16, cellWidth - around), height: Math.max(16, cellHeight - below) };
  return { shown, requested: { width: roundUp(shown.width), height: roundUp(shown.height) } };
}

interface CellPictureProps {
  readonly card: ImageCard;
  readonly room: PictureSizes;
  readonly operations: Operations;
}

function CellPicture({ card, room, operations }: CellPictureProps): VNode {
  // What turns or cuts a picture gives it a shape that only the server knows.
  const image = operations.length === 0 ? pixelsOf(card) : undefined;
  const path = card.width === null ? null : card.path;
  return (
    <Picture
      path={path}
      image={image}
      box={room.requested}
      shownIn={room.shown}
      alt=""
      absent="unreadable"
      operations={operations}
    />
  );
}

export interface CellProps {
  readonly id: string;
  readonly cell: number;
  readonly total: number;
  readonly layout: TableLayout;
  readonly card: ImageCard | undefined;
  readonly isMissing: boolean;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly operations: Operations;
}

export function Cell({ id, cell, total, layout, card, isMissing, isSelected, isActive, operations }: CellProps): VNode {
  const { columns, cellWidth, cellHeight } = layout;
  const label = card?.label ?? (isMissing ? message('part-missing') : formatCount(cell + 1));
  const place = { left: (cell % columns) * cellWidth, top: Math.floor(cell / columns) * cellHeight };
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names the active option.
    <div
      role="option"
      id={id}
      class={isActive ? 'cell active' : 'cell'}
      aria-selected={isSelected}
      aria-posinset={cell + 1}
      aria-setsize={total}
      data-cell={cell}
      style={{
        transform: `translate(${place.left}px, ${place.top}px)`,
        width: `${cellWidth}px`,
        height: `${cellHeight}px`,
      }}
    >
      <span class="cell-picture">
        {card && <CellPicture card={card} room={pictureSizes(layout)} operations={operations} />}
      </span>
      <span class="cell-label">{label}</span>
      <span class="cell-check">
        <Icon of={Check} size={15} />
      </span>
    </div>
  );
}
