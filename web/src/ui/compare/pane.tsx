/** One of the compared images: its stage, and what is drawn on it while it is not the active one. */
import { ChevronLeft, ChevronRight, ExternalLink, X } from 'lucide';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { open, openedAt, openStates } from '../../state/opened.ts';
import { addressOfRoute } from '../../state/route.ts';
import { flushViewport, stages } from '../../state/stages.ts';
import { active, setActive, views } from '../../state/view.ts';
import { IconButton } from '../common/button.tsx';
import { Icon } from '../common/icon.tsx';
import { ProblemNotice } from '../common/problem.tsx';
import { QuietNotes } from '../overlay/quiet-notes.tsx';
import { MissingTiles } from '../view/missing-tiles.tsx';
import { useMissingTiles } from '../view/stage-effects.ts';
import { AlignmentMarks } from './alignment-marks.tsx';
import { goToPageOf, hasPage, removeAt } from './image-edits.ts';
import type { Overlaying } from './overlaying.ts';
import { usePaneColors, usePaneImage, usePaneLabel, usePaneStage } from './pane-effects.ts';

/** Makes an image the one that panels and keys act on. */
export function activate(index: number): void {
  if (active.peek() === index) return;
  flushViewport();
  setActive(index);
}

interface PaneProps {
  readonly index: number;
  /** The grid area of the pane. */
  readonly area: string;
  /** Undefined where the images are side by side. */
  readonly overlaying: Overlaying | undefined;
}

function Head({ index }: { readonly index: number }): VNode {
  const opened = openedAt(index);
  const state = views.value[index];
  const label = opened?.card.label ?? '';
  const name = { number: index + 1 };
  return (
    <header class="pane-head">
      <span class="pane-number" aria-hidden="true">
        {index + 1}
      </span>
      <h2 title={state?.fn}>
        <span class="off-screen">{message('compare-image', name)} </span>
        {label || state?.fn}
        {opened?.folder.title && <small>{opened.folder.title}</small>}
      </h2>
      {hasPage(index, -1) || hasPage(index, 1) ? (
        <>
          <IconButton
            icon={ChevronLeft}
            name={`${message('previous-page')} (${index + 1})`}
            disabled={!hasPage(index, -1)}
            onClick={() => void goToPageOf(index, -1)}
          />
          <IconButton
            icon={ChevronRight}
            name={`${message('next-page')} (${index + 1})`}
            disabled={!hasPage(index, 1)}
            onClick={() => void goToPageOf(index, 1)}
          />
        </>
      ) : null}
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

export function Pane({ index, area, overlaying }: PaneProps): VNode {
  const element = useRef<HTMLDivElement>(null);
  const { missing, attempt, onTileFailed, retry } = useMissingTiles(index);
  usePaneStage(element, index, onTileFailed);
  usePaneImage(index, attempt, missing);
  usePaneColors(index);
  usePaneLabel(index);
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
        <div class="stage-image" ref={element} style={overlaying?.image ?? {}} />
        {frame && !isActive && <QuietNotes index={index} frame={frame} style={overlaying?.notes ?? {}} />}
        {frame && <AlignmentMarks index={index} frame={frame} />}
        {now?.kind === 'problem' && <ProblemNotice problem={now.problem} onRetry={() => void open(index)} />}
        {now?.kind === 'opening' && (
          <p class="stage-note" role="status">
            {message('loading')}
          </p>
        )}
        {missing.value && <MissingTiles reason={missing.value.reason} onRetry={() => void retry()} />}
      </div>
    </section>
  );
}
