/** The sections of a scroll or an accordion book in a row without gaps; only those in sight are rendered, and the one in the middle is open. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { pixelsOf } from '../../data/images.ts';
import { message } from '../../messages/messages.ts';
import { indexAt, topsOf } from '../../model/contents/column.ts';
import { goToPage, type Opened, type Step } from '../../state/opened.ts';
import { bookUnits, readingDirection } from '../../state/pages.ts';
import { scrolledWidth } from '../../state/viewport.ts';
import { useAfterPause, useSize } from '../common/elements.ts';
import { BookPage } from './book-page.tsx';

/** The space above and below the row, and its least height, in CSS pixels. */
const around = 48;
const lowest = 80;

/** The widest picture that is asked for, in CSS pixels. */
const widest = 6000;

/** Until the reader has scrolled no more for this long, in ms, the section in the middle is not opened. */
const pauseMs = 250;

/** The width of a section at a height; of one that has not loaded, as if it were like the open one. */
function widthOf({ images, card }: Opened, { at }: Step, height: number): number {
  const known = images.cardAt(at);
  const size = (known && pixelsOf(known)) ?? pixelsOf(card) ?? { width: 3, height: 1 };
  return Math.round((size.width * height) / size.height);
}

/** What is in the middle of the window is the open section; one that is opened by other means is put there. */
function useMiddle(opened: Opened, starts: readonly number[], pages: readonly Step[]) {
  const element = useRef<HTMLElement>(null);
  const scrolled = useSignal(0);
  const middleOf = (): number => scrolled.peek() + (element.current?.clientWidth ?? 0) / 2;
  const current = pages.findIndex(({ at, inner }) => at === opened.at && inner === opened.inner);
  useLayoutEffect(() => {
    const area = element.current;
    const [start = 0, end = 0] = [starts[current], starts[current + 1]];
    if (area === null || end === 0 || indexAt(starts, middleOf()) === current) return;
    const distance = Math.max(0, (start + end - area.clientWidth) / 2);
    area.scrollLeft = readingDirection.peek() === 'right-to-left' ? -distance : distance;
    scrolled.value = distance;
  }, [current, starts.join()]);
  useAfterPause(
    () => {
      const middle = pages[indexAt(starts, middleOf())];
      if (scrolled.peek() > 0 && middle !== undefined && middle.at !== opened.at) void goToPage(middle, {}, 'pass');
    },
    pauseMs,
    [scrolled.value],
  );
  return { element, scrolled, current };
}

export function PageRow({ opened }: { readonly opened: Opened }): VNode {
  const pages = bookUnits.value.flat();
  const area = useSignal(0);
  const height = Math.round(Math.max(lowest, area.value - around) * scrolledWidth.value);
  const starts = topsOf(
    pages.map((page) => widthOf(opened, page, height)),
    0,
  );
  const { element, scrolled, current } = useMiddle(opened, starts, pages);
  const size = useSize(element).value;
  useLayoutEffect(() => {
    area.value = size.height;
  }, [size.height]);
  const first = Math.max(0, indexAt(starts, scrolled.value) - 1);
  const last = indexAt(starts, scrolled.value + size.width) + 1;
  const seen = size.height > 0 ? pages.slice(first, last + 1) : [];
  useAfterPause(() => opened.images.need(seen.map(({ at }) => at)), 80, [opened.images, first, last]);
  return (
    <section
      class="whole-book in-row"
      aria-label={message('layout-scroll')}
      dir={readingDirection.value === 'right-to-left' ? 'rtl' : 'ltr'}
      tabIndex={-1}
      ref={element}
      onScroll={({ currentTarget }) => {
        scrolled.value = Math.abs(currentTarget.scrollLeft);
      }}
    >
      <ol style={{ height: `${height}px`, width: `${starts.at(-1) ?? 0}px` }}>
        {seen.map((page, index) => {
          const start = starts[first + index] ?? 0;
          const width = (starts[first + index + 1] ?? start) - start;
          const scale = Math.min(1, widest / Math.max(1, width));
          const box = { width: Math.round(width * scale), height: Math.round(height * scale) };
          return (
            <li
              key={`${page.at};${page.inner}`}
              style={{ insetInlineStart: `${start}px`, width: `${width}px`, height: `${height}px` }}
            >
              <BookPage opened={opened} page={page} isOpen={first + index === current} box={box} fills />
            </li>
          );
        })}
      </ol>
    </section>
  );
}
