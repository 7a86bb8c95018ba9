/** All pages of the open book as small pictures, in openings where two pages are shown; only those in sight are rendered. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import { chapters } from '../../state/contents.ts';
import type { Opened, Step } from '../../state/opened.ts';
import { bookUnits, pagesShown, readingDirection, unitIndex } from '../../state/pages.ts';
import { view } from '../../state/view.ts';
import { moveByArrows, useAfterPause, useOneStop, useSize } from '../common/elements.ts';
import { BookPage, labelOf } from './book-page.tsx';

/** The size of a page’s picture, and what lies beside it in a cell; CSS pixels, as the style sheet has them. */
const picture = { width: 136, height: 176 };
const beside = 28;

/** What lies above and below the pictures, with two lines of text, so that it grows with the letters. */
const aboveAndBelow = (): number => 4 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** Number of rows that are rendered beyond the top and the bottom. */
const margin = 2;

/** The chapters that begin on a page. */
const beginning = ({ at, inner }: Step): string =>
  chapters.value
    .filter((chapter) => chapter.at === at && chapter.inner === inner)
    .map(({ entry }) => entry.label)
    .join(' › ');

interface CellProps {
  readonly opened: Opened;
  readonly unit: readonly Step[];
  readonly style: Readonly<Record<string, string>>;
}

function Cell({ opened, unit, style }: CellProps): VNode {
  const shown = pagesShown(opened);
  const isOpen = ({ at, inner }: Step): boolean => shown.some((page) => page.at === at && page.inner === inner);
  const chapter = unit.map(beginning).find((label) => label !== '');
  return (
    <li style={style}>
      <div class="gallery-pages">
        {unit.map((page) => (
          <BookPage key={`${page.at};${page.inner}`} opened={opened} page={page} isOpen={isOpen(page)} box={picture} />
        ))}
      </div>
      <p class="tabular clip">{unit.map((page) => labelOf(opened, page)).join(' – ')}</p>
      {chapter !== undefined && (
        <p class="gallery-chapter clip" title={chapter}>
          {chapter}
        </p>
      )}
    </li>
  );
}

/** How many cells stand beside each other, and how large each is. */
function gridOf(width: number, pagesInCell: number) {
  const cell = { width: picture.width * pagesInCell + beside, height: picture.height + aboveAndBelow() };
  const columns = Math.max(1, Math.floor(width / cell.width));
  return { ...cell, columns, left: Math.max(0, (width - columns * cell.width) / 2) };
}

export function Gallery({ opened }: { readonly opened: Opened }): VNode {
  const element = useRef<HTMLElement>(null);
  useOneStop(element);
  const scrolled = useSignal(0);
  const { width, height } = useSize(element).value;
  const units = bookUnits.value;
  const rightToLeft = readingDirection.value === 'right-to-left';
  const grid = gridOf(width, view.value.twoPages === true ? 2 : 1);
  const current = unitIndex.value;

  useLayoutEffect(() => {
    const area = element.current;
    if (area === null || width === 0) return;
    area.scrollTop = Math.floor(current / grid.columns) * grid.height - (area.clientHeight - grid.height) / 2;
    scrolled.value = area.scrollTop;
    if (document.activeElement === document.body) area.focus({ preventScroll: true });
  }, [width > 0, current, grid.columns]);

  const first = Math.max(0, Math.floor(scrolled.value / grid.height) - margin) * grid.columns;
  const last = (Math.ceil((scrolled.value + height) / grid.height) + margin) * grid.columns;
  const seen = width === 0 ? [] : units.slice(first, last);
  // Delayed, since quick scrolling passes many positions.
  useAfterPause(() => opened.images.need(seen.flat().map(({ at }) => at)), 80, [opened.images, first, last, width > 0]);

  return (
    <section
      class="whole-book gallery"
      aria-label={message('layout-gallery')}
      tabIndex={-1}
      ref={element}
      onKeyDown={moveByArrows}
      onScroll={({ currentTarget }) => {
        scrolled.value = currentTarget.scrollTop;
      }}
    >
      <ol
        style={{ height: `${Math.ceil(units.length / grid.columns) * grid.height}px` }}
        dir={rightToLeft ? 'rtl' : 'ltr'}
      >
        {seen.map((unit, index) => {
          const at = first + index;
          const x = grid.left + (at % grid.columns) * grid.width;
          return (
            <Cell
              key={at}
              opened={opened}
              unit={unit}
              style={{
                [rightToLeft ? 'right' : 'left']: `${x}px`,
                top: `${Math.floor(at / grid.columns) * grid.height}px`,
                width: `${grid.width}px`,
                height: `${grid.height}px`,
              }}
            />
          );
        })}
      </ol>
    </section>
  );
}
