/** The text of the book alone, set for reading: from the open page on, page after page. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import '../../messages/text-messages.ts';
import '../../styles/reading.css';
import { viewRoute } from '../../model/address/routes.ts';
import { type PageText, type TextLine, wholeWordsOf } from '../../model/text/page-text.ts';
import { goToPage, type Opened } from '../../state/opened.ts';
import { bookUnits, unitIndex } from '../../state/pages.ts';
import { letters } from '../../state/text/letters.ts';
import { followPageTexts, isLine, pageTexts, spokenNow } from '../../state/text/page-texts.ts';
import { type ReadPage, useReadPages } from '../../state/text/read-pages.ts';
import { view } from '../../state/view.ts';
import { Button, RouteLink } from '../common/button.tsx';
import { useAfterPause } from '../common/elements.ts';
import { keepsLines, ReadingBar } from './reading-bar.tsx';

interface LineProps {
  readonly path: string;
  readonly text: PageText;
  readonly at: number;
}

function Line({ path, text, at }: LineProps): VNode | null {
  const element = useRef<HTMLSpanElement>(null);
  const isSpoken = isLine(spokenNow.value, path, at);
  useEffect(() => {
    if (isSpoken) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isSpoken]);
  const line = text.lines[at];
  if (line === undefined) return null;
  return (
    <span ref={element} class={isSpoken ? 'line spoken' : 'line'} lang={line.language}>
      {`${wholeWordsOf(text, line)} `}
    </span>
  );
}

/** The lines of each paragraph, by their indices. */
function paragraphsOf({ lines }: PageText): readonly (readonly (TextLine & { readonly at: number })[])[] {
  const paragraphs: (TextLine & { readonly at: number })[][] = [];
  for (const [at, line] of lines.entries()) {
    const last = paragraphs.at(-1);
    if (last?.[0]?.block === line.block) last.push({ ...line, at });
    else paragraphs.push([{ ...line, at }]);
  }
  return paragraphs;
}

/** A page with its label, which leads to its image. */
function PageOfText({ page: { path, label, text } }: { readonly page: ReadPage }): VNode {
  return (
    <section class="reading-page" data-text-of={path} aria-label={message('text-of-page', { label })}>
      <h2>
        <RouteLink
          to={viewRoute({ ...view.value, fn: path, pn: 1, layout: 'page' })}
          aria-label={message('text-alone-image', { label })}
        >
          {label}
        </RouteLink>
      </h2>
      {text === undefined || text.lines.length === 0 ? (
        <p class="soft none">{message('text-alone-none')}</p>
      ) : (
        paragraphsOf(text).map((lines) => (
          <p key={lines[0]?.at} lang={lines[0]?.language} dir={lines[0]?.direction === 'rtl' ? 'rtl' : 'ltr'}>
            {lines.map(({ at }) => (
              <Line key={at} path={path} text={text} at={at} />
            ))}
          </p>
        ))
      )}
    </section>
  );
}

/** Until the reader has scrolled no more for this long, in ms, the page in sight is not opened. */
const pauseMs = 250;

/** The unit of the book in the upper third of the window. */
function unitInSight(area: HTMLElement): number | undefined {
  const { top, height } = area.getBoundingClientRect();
  const units = [...area.querySelectorAll<HTMLElement>('[data-unit]')];
  const seen = units.findLast((unit) => unit.getBoundingClientRect().top <= top + height / 3) ?? units[0];
  return seen === undefined ? undefined : Number(seen.dataset['unit']);
}

/** Opens the page in sight when the scrolling ends, and shows one that was opened by other means. */
function usePlace(shown: readonly number[], begin: (unit: number) => void) {
  const area = useRef<HTMLElement>(null);
  const scrolled = useSignal(0);
  /** The unit that the scrolling has opened. */
  const seen = useRef(unitIndex.peek());
  const current = unitIndex.value;
  useLayoutEffect(() => {
    if (current === seen.current) return;
    seen.current = current;
    const element = area.current?.querySelector<HTMLElement>(`[data-unit="${current}"]`);
    if (element) element.scrollIntoView({ block: 'start' });
    else {
      begin(current);
      if (area.current !== null) area.current.scrollTop = 0;
    }
  }, [current, shown]);
  useAfterPause(
    () => {
      const unit = scrolled.peek() === 0 || area.current === null ? undefined : unitInSight(area.current);
      const step = unit === undefined ? undefined : bookUnits.peek()[unit]?.[0];
      if (unit === undefined || step === undefined || unit === unitIndex.peek()) return;
      seen.current = unit;
      void goToPage(step, {}, 'pass');
    },
    pauseMs,
    [scrolled.value],
  );
  const onScroll = (): void => {
    scrolled.value += 1;
  };
  return { area, onScroll };
}

/** Calls `act` when the element comes near the window. */
function useNear(act: () => void, inputs: readonly unknown[]) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && act(), {
      rootMargin: '0px 0px 60% 0px',
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, inputs);
  return element;
}

export function ReadingPage({ opened }: { readonly opened: Opened }): VNode {
  // The voice reads the texts of the open pages.
  useEffect(followPageTexts, []);
  const { units, isLoading, begin, addBefore, addAfter } = useReadPages(opened);
  const { area, onScroll } = usePlace(
    units.map(({ unit }) => unit),
    begin,
  );
  const [first, last] = [units[0]?.unit ?? 0, units.at(-1)?.unit ?? 0];
  const hasMore = units.length > 0 && last + 1 < bookUnits.value.length;
  const end = useNear(addAfter, [last, hasMore, isLoading]);
  useLayoutEffect(() => {
    if (document.activeElement === document.body) area.current?.focus({ preventScroll: true });
  }, []);
  // What is added above moves nothing in sight.
  const height = useRef(0);
  useLayoutEffect(() => {
    const element = area.current;
    if (element !== null && height.current > 0) element.scrollTop += element.scrollHeight - height.current;
    height.current = 0;
  }, [first]);
  const showBefore = async (): Promise<void> => {
    await addBefore(() => {
      height.current = area.current?.scrollHeight ?? 0;
    });
  };
  return (
    <>
      <section
        class={`whole-book reading ${keepsLines.value ? 'keeps-lines' : ''}`}
        aria-label={message('layout-text')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
        tabIndex={0}
        ref={area}
        onScroll={onScroll}
        style={{ '--letters': letters.value / 100 }}
      >
        <div class="reading-column">
          {first > 0 && units.length > 0 && (
            <p>
              <Button onClick={() => void showBefore()}>{message('text-alone-earlier')}</Button>
            </p>
          )}
          {units.map(({ unit, pages }) => (
            <div key={unit} data-unit={unit}>
              {pages.map((page) => (
                <PageOfText key={page.path} page={page} />
              ))}
            </div>
          ))}
          <div ref={end} class="reading-end">
            {hasMore && <Button onClick={addAfter}>{message('text-alone-later')}</Button>}
            <p role="status">{isLoading && message('loading')}</p>
          </div>
        </div>
      </section>
      <ReadingBar pages={units.flatMap(({ pages }) => pages)} isReadable={pageTexts.value.pages.length > 0} />
    </>
  );
}
