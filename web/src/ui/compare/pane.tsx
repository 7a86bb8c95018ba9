/** One of the compared images: its stage, and what is drawn on it while it is not the active one. */
import { BookOpen, ChevronLeft, ChevronRight, ChevronsLeftRight, ExternalLink, X } from 'lucide';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import { pointsAt } from '../../model/address/comparison.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { toScreen } from '../../model/view/geometry.ts';
import type { Frame } from '../../stage/stage.ts';
import { isAligning, shownArrangement } from '../../state/notes/sketch.ts';
import { open, openedAt, openStates, type Step } from '../../state/opened.ts';
import { bookAt, labelsIn } from '../../state/pages.ts';
import { addressOfRoute } from '../../state/route.ts';
import { active, arrange, arrangement, flushViewport, setActive, stages, views } from '../../state/view.ts';
import { Icon, IconButton } from '../common/button.tsx';
import { useAfterPause } from '../common/elements.ts';
import { ProblemNotice } from '../common/loading.tsx';
import { QuietNotes } from '../overlay/quiet-notes.tsx';
import { MissingTiles, useMissingTiles } from '../view/stage-host.tsx';
import { goToPageOf, removeAt, stepOf, toggleOpening, unitsAt } from './compare-keys.ts';
import { type Overlaying, usePane } from './pane-effects.ts';

/** Makes an image the one that panels and keys act on. */
function activate(index: number): void {
  if (active.peek() === index) return;
  flushViewport();
  setActive(index);
}

interface PaneProps {
  readonly index: number;
  readonly area: string;
  /** Undefined where the images are side by side. */
  readonly overlaying: Overlaying | undefined;
}

function Head({ index }: { readonly index: number }): VNode {
  const opened = openedAt(index);
  const state = views.value[index];
  const book = bookAt(index);
  const label = book === undefined ? '' : labelsIn(book);
  const name = { number: index + 1 };
  return (
    <header class="pane-head row">
      <span class="pane-number" aria-hidden="true">
        {index + 1}
      </span>
      <h2 class="clip" title={state?.fn}>
        <span class="off-screen">{message('compare-image', name)} </span>
        {label || state?.fn}
        {opened?.folder.title && <small>{opened.folder.title}</small>}
      </h2>
      <BookBar index={index} />
      {state && (
        <a
          class="icon-button"
          href={addressOfRoute(viewRoute(state))}
          target="_blank"
          rel="noopener"
          aria-label={message('compare-alone', name)}
          title={message('compare-alone', name)}
        >
          <Icon of={ExternalLink} size={18} />
        </a>
      )}
      <IconButton icon={X} name={message('compare-remove', name)} onClick={() => removeAt(index)} />
    </header>
  );
}

/** Turns the pages of the book of an image, one by one or by openings, and goes to any of them. */
function BookBar({ index }: { readonly index: number }): VNode | null {
  const book = bookAt(index);
  const { units, at } = unitsAt(index);
  useAfterPause(() => book?.opened.images.need((units[at] ?? []).map((step) => step.at)), 60, [at, units.length]);
  if (book === undefined || (units.length < 2 && !book.twoPages)) return null;
  const number = index + 1;
  const [back, next] = [stepOf(index, -1), stepOf(index, 1)];
  const rightToLeft = book.direction === 'right-to-left';
  const go = (step: Step | undefined) => (): void => void goToPageOf(index, step);
  return (
    <div class={rightToLeft ? 'pane-book row right-to-left' : 'pane-book row'}>
      <IconButton
        icon={rightToLeft ? ChevronRight : ChevronLeft}
        name={`${message('previous-page')} (${number})`}
        disabled={back === undefined}
        onClick={go(back)}
      />
      <input
        type="range"
        min={1}
        max={units.length}
        value={at + 1}
        dir={rightToLeft ? 'rtl' : 'ltr'}
        aria-label={`${message('scrubber')} (${number})`}
        aria-valuetext={labelsIn(book)}
        onChange={({ currentTarget }) => go(units[currentTarget.valueAsNumber - 1]?.[0])()}
      />
      <IconButton
        icon={rightToLeft ? ChevronLeft : ChevronRight}
        name={`${message('next-page')} (${number})`}
        disabled={next === undefined}
        onClick={go(next)}
      />
      <IconButton
        icon={BookOpen}
        name={`${message('two-pages')} (${number})`}
        pressed={book.twoPages}
        onClick={() => toggleOpening(index)}
      />
    </div>
  );
}

export function Pane({ index, area, overlaying }: PaneProps): VNode {
  const element = useRef<HTMLDivElement>(null);
  const tiles = useMissingTiles(index);
  const { missing, retry } = tiles;
  usePane(element, index, tiles);
  const now = openStates.value[index];
  const isActive = active.value === index;
  const frame = stages.value[index]?.frame.value;
  const classes = ['pane', isActive ? 'active' : '', overlaying?.role ?? '', overlaying?.isPassed ? 'passed' : ''];
  return (
    <section
      class={classes.join(' ')}
      style={{ gridArea: area }}
      aria-label={message('compare-image', { number: index + 1 })}
      data-image={index + 1}
      // Before the stage gets the event, so that a tool acts on this image.
      onPointerDownCapture={() => activate(index)}
      onFocusCapture={() => activate(index)}
    >
      <Head index={index} />
      <div class="stage">
        <div class="stage-image cover" ref={element} style={overlaying?.image ?? {}} />
        {frame && !isActive && <QuietNotes index={index} frame={frame} style={overlaying?.notes ?? {}} />}
        {frame && <AlignmentMarks index={index} frame={frame} />}
        {now?.kind === 'problem' && <ProblemNotice problem={now.problem} onRetry={() => void open(index)} />}
        {now?.kind === 'opening' && (
          <p class="stage-note muted through" role="status">
            {message('loading')}
          </p>
        )}
        {missing.value && <MissingTiles reason={missing.value.reason} onRetry={() => void retry()} />}
      </div>
    </section>
  );
}

interface AlignmentMarksProps {
  readonly index: number;
  readonly frame: Frame;
}

/** The points by which an image is aligned, numbered as the reader set them, while they are set. */
const AlignmentMarks = ({ index, frame }: AlignmentMarksProps): VNode | null =>
  isAligning.value ? (
    <div class="alignment-marks cover through" aria-hidden="true">
      {pointsAt(arrangement.value, index).map((point, at) => {
        const { x, y } = toScreen(frame.matrix, point);
        return (
          <span key={at} style={{ left: `${x}px`, top: `${y}px` }}>
            {at + 1}
          </span>
        );
      })}
    </div>
  ) : null;

function moveTo(event: PointerEvent & { readonly currentTarget: HTMLElement }): void {
  const box = event.currentTarget.parentElement?.getBoundingClientRect();
  if (event.buttons === 0 || box === undefined || box.width === 0) return;
  arrange({ position: Math.min(Math.max((event.clientX - box.x) / box.width, 0), 1) });
}

/** The edge between two images that lie over each other, which the pointer drags; the slider below is for the keyboard. */
export const EdgeHandle = (): VNode => (
  <div
    class="edge-handle"
    aria-hidden="true"
    style={{ left: `${shownArrangement.value.position * 100}%` }}
    onPointerDown={(event) => {
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
    }}
    onPointerMove={moveTo}
  >
    <span>
      <Icon of={ChevronsLeftRight} />
    </span>
  </div>
);
