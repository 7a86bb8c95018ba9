/** One image of a light table. */
import { Check } from 'lucide';
import type { VNode } from 'preact';
import type { ImageCard } from '../../../../src/core/image/folder/folder-listing.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { type Operations, pixelsOf } from '../../data/images.ts';
import { message } from '../../messages/message.ts';
import { formatCount } from '../common/counts.ts';
import { Icon } from '../common/icon.tsx';
import { Picture } from '../common/picture.tsx';
import type { TableLayout } from './layout.ts';

/** Horizontal and vertical margin of the picture in a cell, in CSS pixels. */
const [marginX, marginY] = [28, 56];

/** Pictures are requested in few sizes, so that not every step of the slider requests them again. */
const pictureSteps = [96, 160, 256, 400, 640];

const roundUp = (length: number): number => pictureSteps.find((step) => step >= length) ?? 960;

interface PictureSizes {
  /** The size on the screen, in CSS pixels. */
  readonly shown: Size;
  /** The size of the requested picture. */
  readonly requested: Size;
}

function pictureSizes({ cellWidth, cellHeight }: TableLayout): PictureSizes {
  const shown = { width: Math.max(16, cellWidth - marginX), height: Math.max(16, cellHeight - marginY) };
  return { shown, requested: { width: roundUp(shown.width), height: roundUp(shown.height) } };
}

interface CellPictureProps {
  readonly card: ImageCard;
  readonly sizes: PictureSizes;
  readonly operations: Operations;
}

function CellPicture({ card, sizes, operations }: CellPictureProps): VNode {
  // Operations can change the aspect ratio of the picture.
  const image = operations.length === 0 ? pixelsOf(card) : undefined;
  return (
    <Picture
      path={card.width === null ? null : card.path}
      image={image}
      box={sizes.requested}
      shownIn={sizes.shown}
      alt=""
      absent="unreadable"
      operations={operations}
    />
  );
}

interface CellProps {
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
  const position = { left: (cell % columns) * cellWidth, top: Math.floor(cell / columns) * cellHeight };
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and refers to the active option.
    <div
      role="option"
      id={id}
      class={isActive ? 'cell active' : 'cell'}
      aria-selected={isSelected}
      aria-posinset={cell + 1}
      aria-setsize={total}
      data-cell={cell}
      style={{
        transform: `translate(${position.left}px, ${position.top}px)`,
        width: `${cellWidth}px`,
        height: `${cellHeight}px`,
      }}
    >
      <span class="cell-picture">
        {card && <CellPicture card={card} sizes={pictureSizes(layout)} operations={operations} />}
      </span>
      <span class="cell-label">{label}</span>
      <span class="cell-check">
        <Icon of={Check} size={15} />
      </span>
    </div>
  );
}
