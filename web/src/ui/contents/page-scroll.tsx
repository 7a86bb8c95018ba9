/** The pages of the open book one below the other; only those in sight are rendered, and the one in the middle is the open page. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { pixelsOf } from '../../data/images.ts';
import { message } from '../../messages/messages.ts';
import { type ColumnPlace, distanceOf, heightOf, indexAt, placeAt, topsOf } from '../../model/contents/column.ts';
import { goToPage, type Opened, type Step } from '../../state/opened.ts';
import { bookUnits, readingDirection, unitIndex } from '../../state/pages.ts';
import { scrolledWidth } from '../../state/viewport.ts';
import { useAfterPause, useSize } from '../common/elements.ts';
import { BookPage } from './book-page.tsx';

/** The space beside the column, and its greatest width before it is enlarged, in CSS pixels. */
const beside = 48;
const widest = 1000;

/** Pictures are asked for in steps of this width, so that a resized window needs no new ones. */
const step = 200;

/** Until the reader has scrolled no more for this long, in ms, the page in the middle is not opened. */
const pauseMs = 250;

/** The height of a page that is as wide as the column; of one that has not loaded, as if it were like the open one. */
const sizeOf = ({ images, card }: Opened, { at }: Step): Size => {
  const known = images.cardAt(at);
  return (known && pixelsOf(known)) ?? pixelsOf(card) ?? { width: 3, height: 4 };
};

interface UnitProps {
  readonly opened: Opened;
  readonly unit: readonly Step[];
  readonly isOpen: boolean;
  readonly top: number;
  readonly height: number;
}

function Unit({ opened, unit, isOpen, top, height }: UnitProps): VNode {
  const boxes = unit.map((page) => {
    const { width, height: full } = sizeOf(opened, page);
    return { width: Math.round((width * height) / full), height };
  });
  return (
    <li
      style={{ top: `${top}px`, height: `${height}px` }}
      dir={readingDirection.value === 'right-to-left' ? 'rtl' : 'ltr'}
    >
      {unit.map((page, index) => {
        const box = boxes[index] ?? { width: height, height };
        const scale = (Math.ceil(box.width / step) * step) / box.width;
        const asked = { width: Math.round(box.width * scale), height: Math.round(box.height * scale) };
        return (
          <span key={`${page.at};${page.inner}`} style={{ width: `${box.width}px`, height: `${height}px` }}>
            <BookPage opened={opened} page={page} isOpen={isOpen} box={asked} fills />
          </span>
        );
      })}
    </li>
  );
}

/** Keeps what is in the middle there when heights change, and goes to a page that was opened by other means. */
function useScroll(tops: readonly number[], isMeasured: boolean) {
  const element = useRef<HTMLElement>(null);
  const place = useRef<ColumnPlace>({ index: unitIndex.peek(), fraction: 0 });
  const scrolled = useSignal(0);
  const current = unitIndex.value;
  const put = (distance: number): void => {
    const area = element.current;
    if (area === null) return;
    area.scrollTop = distance;
    scrolled.value = area.scrollTop;
  };
  const half = (): number => (element.current?.clientHeight ?? 0) / 2;
  /** The top of a page that is higher than the window, and the middle of a lower one. */
  const putStart = (index: number): void => {
    const [top = 0, next = top] = [tops[index], tops[index + 1]];
    put(Math.min(top, (top + next) / 2 - half()));
  };
  useLayoutEffect(() => {
    if (!isMeasured || current === place.current.index) return;
    place.current = { index: current, fraction: 0 };
    putStart(current);
  }, [current]);
  useLayoutEffect(() => {
    if (!isMeasured) return;
    const { index, fraction } = place.current;
    if (fraction === 0) putStart(index);
    else put(distanceOf(tops, place.current) - half());
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true });
  }, [tops, isMeasured]);
  const onScroll = (): void => {
    const area = element.current;
    // Where a page was put there, it is the open one, whatever is in the middle.
    if (area === null || area.scrollTop === scrolled.peek()) return;
    scrolled.value = area.scrollTop;
    const isAtEnd = area.scrollTop + area.clientHeight >= area.scrollHeight - 1;
    if (area.scrollTop <= 0) place.current = { index: 0, fraction: 0 };
    else if (isAtEnd) place.current = { index: tops.length - 2, fraction: 0 };
    else place.current = placeAt(tops, area.scrollTop + half());
  };
  useAfterPause(
    () => {
      const unit = bookUnits.peek()[place.current.index];
      if (isMeasured && unit?.[0] !== undefined && place.current.index !== unitIndex.peek())
        void goToPage(unit[0], {}, 'pass');
    },
    pauseMs,
    [scrolled.value],
  );
  return { element, scrolled, onScroll };
}

export function PageScroll({ opened }: { readonly opened: Opened }): VNode {
  const units = bookUnits.value;
  const area = useSignal(0);
  const width = Math.round(Math.min(Math.max(1, area.value - beside), widest) * scrolledWidth.value);
  const known = units
    .map((unit) =>
      heightOf(
        unit.map((page) => sizeOf(opened, page)),
        width,
      ),
    )
    .join();
  const tops = useMemo(() => topsOf(known.split(',').map(Number)), [known]);
  const { element, scrolled, onScroll } = useScroll(tops, area.value > 0);
  const size = useSize(element).value;
  useLayoutEffect(() => {
    area.value = size.width;
  }, [size.width]);
  const first = Math.max(0, indexAt(tops, scrolled.value) - 1);
  const last = indexAt(tops, scrolled.value + size.height) + 1;
  const seen = units.slice(first, last + 1);
  useAfterPause(() => opened.images.need(seen.flat().map(({ at }) => at)), 80, [opened.images, first, last]);
  return (
    <section
      class="whole-book scroll"
      aria-label={message('layout-scroll')}
      tabIndex={-1}
      ref={element}
      onScroll={onScroll}
    >
      <ol style={{ height: `${tops.at(-1) ?? 0}px`, width: `${width}px` }}>
        {size.width > 0 &&
          seen.map((unit, index) => {
            const at = first + index;
            const top = tops[at] ?? 0;
            return (
              <Unit
                key={at}
                opened={opened}
                unit={unit}
                isOpen={at === unitIndex.value}
                top={top}
                height={heightOf(
                  unit.map((page) => sizeOf(opened, page)),
                  width,
                )}
              />
            );
          })}
      </ol>
    </section>
  );
}
