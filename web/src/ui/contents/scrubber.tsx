/** A slider through the whole book, with marks where chapters begin and where something was found. */
import { useSignal } from '@preact/signals';
import { LayoutGrid, Rows3, TextInitial } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/messages.ts';
import { chapterAt } from '../../model/contents/chapters.ts';
import type { PageLayout } from '../../model/view-state.ts';
import { chapters } from '../../state/contents.ts';
import { goToPage, type Opened } from '../../state/opened.ts';
import { readingDirection, toggleLayout } from '../../state/pages.ts';
import { hitsByPage } from '../../state/text/book-hits.ts';
import { hasText } from '../../state/tools.ts';
import { view } from '../../state/view.ts';
import { IconButton } from '../common/button.tsx';
import { formatCount } from '../common/words.ts';

/** Lines at the positions of pages, each a unit apart; `from` and `to` are their ends from the top, 0 to 1. */
const linesAt = (positions: Iterable<number>, from: number, to: number): string =>
  [...positions].map((at) => `M${at - 1} ${from}V${to}`).join('');

function Ticks({ total }: { readonly total: number }): VNode {
  const outer = chapters.value.filter(({ way }) => way.length === 1).map(({ at }) => at);
  const inner = chapters.value.filter(({ way }) => way.length > 1).map(({ at }) => at);
  return (
    <svg viewBox={`0 0 ${Math.max(1, total - 1)} 1`} preserveAspectRatio="none" aria-hidden="true">
      <path class="inner" d={linesAt(new Set(inner), 0.35, 0.65)} />
      <path class="outer" d={linesAt(new Set(outer), 0.2, 0.8)} />
      <path class="hits" d={linesAt(hitsByPage.value.keys(), 0, 0.4)} />
    </svg>
  );
}

/** The page at a position, with its chapter. */
function nameAt({ images }: Opened, at: number): string {
  const page = message('page-named', { at: formatCount(at), label: images.cardAt(at)?.label ?? '' });
  const chapter = chapterAt(chapters.value, { at, inner: Number.POSITIVE_INFINITY });
  return chapter === undefined ? page : `${page} · ${chapter.entry.label}`;
}

const layouts = [
  ['gallery', LayoutGrid, 'Shift+G'],
  ['scroll', Rows3, 'Shift+S'],
  ['text', TextInitial, 'Shift+E'],
] as const;

const isOffered = (layout: PageLayout): boolean => layout !== 'text' || hasText.value || view.value.layout === 'text';

/** All pages as small pictures, one below the other, or their texts alone. */
const LayoutButtons = (): VNode => (
  <>
    {layouts
      .filter(([layout]) => isOffered(layout))
      .map(([layout, icon, shortcut]) => (
        <IconButton
          key={layout}
          icon={icon}
          name={message(`layout-${layout}`)}
          shortcut={shortcut}
          pressed={view.value.layout === layout}
          onClick={() => toggleLayout(layout)}
        />
      ))}
  </>
);

/** The slider, and the buttons for all pages at its end. */
export const StripHead = ({ opened }: { readonly opened: Opened }): VNode => (
  <section class="strip-head row" aria-label={message('scrubber')}>
    <Scrubber opened={opened} />
    <LayoutButtons />
  </section>
);

function Scrubber({ opened }: { readonly opened: Opened }): VNode {
  const { images, at } = opened;
  /** The position under the thumb while it is dragged. */
  const dragged = useSignal<number | undefined>(undefined);
  const position = dragged.value ?? at;
  return (
    <div class="scrubber" dir={readingDirection.value === 'right-to-left' ? 'rtl' : 'ltr'}>
      <Ticks total={images.total} />
      <input
        type="range"
        min={1}
        max={images.total}
        value={position}
        aria-label={message('scrubber')}
        aria-valuetext={nameAt(opened, position)}
        onInput={({ currentTarget }) => {
          dragged.value = currentTarget.valueAsNumber;
          images.need([currentTarget.valueAsNumber]);
        }}
        onChange={({ currentTarget }) => {
          void goToPage({ at: currentTarget.valueAsNumber, inner: 1 }).then(() => {
            dragged.value = undefined;
          });
        }}
      />
      {dragged.value !== undefined && (
        <output style={{ '--at': (dragged.value - 1) / Math.max(1, images.total - 1) }}>
          {nameAt(opened, dragged.value)}
        </output>
      )}
    </div>
  );
}
