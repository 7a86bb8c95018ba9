/** Guided views as they are played: a card with title and text beside the image, and the keys that go on and back. */
import { useSignal } from '@preact/signals';
import { ChevronLeft, ChevronRight, Maximize, RotateCcw, X } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Tour } from '../../../../src/core/image/tour/tour.ts';
import { tourMessage } from '../../messages/tour-messages.ts';
import { shortcutsOn } from '../../state/stored-preferences.ts';
import { endTour, followTour, playing, showStep, stepIndex } from '../../state/tour/playing.ts';
import { focusStage, view } from '../../state/view.ts';
import { Button, IconButton } from '../common/button.tsx';
import { fields, keyTarget } from '../common/elements.ts';
import { leaveFullScreen, toggleFullScreen } from './tour-screen.ts';
import { chosenText, problemKey } from './words.ts';

type Move = 'next' | 'previous' | 'first' | 'last' | 'close' | 'full-screen';

const moves: Readonly<Record<string, Move>> = {
  ArrowRight: 'next',
  PageDown: 'next',
  n: 'next',
  ' ': 'next',
  ArrowLeft: 'previous',
  PageUp: 'previous',
  p: 'previous',
  Home: 'first',
  End: 'last',
  Escape: 'close',
  f: 'full-screen',
};

/** Keys of the viewer that do the same while guided views are played; those that open panels do nothing. */
const passed: ReadonlySet<string> = new Set(['+', '=', '-', '0', '?']);

/** Whether the focused element uses the key itself. */
function isUsed(event: KeyboardEvent): boolean {
  const target = keyTarget(event);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest(`dialog, ${fields}`)) return true;
  return event.key === ' ' && target.closest('button, a') !== null;
}

function press(event: KeyboardEvent, act: (move: Move) => void): void {
  // Once it has ended, the viewer has its keys back before this is taken off the page.
  if (view.peek().tour === undefined || isUsed(event)) return;
  const { key } = event;
  const isCharacter = key.length === 1;
  if (isCharacter && passed.has(key)) return;
  const move = isCharacter && !shortcutsOn.peek() ? undefined : moves[isCharacter ? key.toLowerCase() : key];
  if (!isCharacter && move === undefined) return;
  event.stopPropagation();
  if (move === undefined) return;
  event.preventDefault();
  act(move);
}

/** Takes keys before the viewer gets them: from the moment on in which the card is seen. */
function useMoves(act: (move: Move) => void): void {
  const now = useRef(act);
  now.current = act;
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent): void => press(event, now.current);
    addEventListener('keydown', listener, true);
    return () => removeEventListener('keydown', listener, true);
  }, []);
}

function close(): void {
  leaveFullScreen();
  endTour();
  focusStage();
}

interface CardProps {
  readonly tour: Tour;
  readonly isOver: boolean;
  readonly act: (move: Move) => void;
}

function Words({ tour, isOver }: Pick<CardProps, 'tour' | 'isOver'>): VNode {
  const step = tour.steps[stepIndex.value];
  const whole = chosenText(tour.title);
  const title = chosenText(step?.title ?? {});
  const text = chosenText(step?.text ?? {});
  const box = useRef<HTMLDivElement>(null);
  const at = stepIndex.value;
  useEffect(() => box.current?.scrollTo(0, 0), [at, isOver]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by the keyboard.
    <div class="tour-words" ref={box} tabIndex={0} aria-live="polite" aria-atomic="true">
      {whole.words !== '' && (
        <p class="tour-whole" lang={whole.lang}>
          {whole.words}
        </p>
      )}
      {isOver ? (
        <p class="tour-text">{tourMessage('tour-end')}</p>
      ) : (
        <>
          {title.words !== '' && <h2 lang={title.lang}>{title.words}</h2>}
          {text.words !== '' && (
            <p class="tour-text" lang={text.lang}>
              {text.words}
            </p>
          )}
        </>
      )}
    </div>
  );
}

function Controls({ tour, isOver, act }: CardProps): VNode {
  const total = tour.steps.length;
  const number = stepIndex.value + 1;
  return (
    <div class="tour-controls row">
      <IconButton
        icon={ChevronLeft}
        name={tourMessage('tour-previous')}
        shortcut="ArrowLeft"
        disabled={number === 1 && !isOver}
        onClick={() => act('previous')}
      />
      <span class="tour-count tabular" aria-hidden="true">
        {number} / {total}
      </span>
      {isOver ? (
        <Button icon={RotateCcw} primary onClick={() => act('first')}>
          {tourMessage('tour-again')}
        </Button>
      ) : (
        <IconButton
          icon={ChevronRight}
          name={tourMessage('tour-next')}
          shortcut="ArrowRight"
          onClick={() => act('next')}
        />
      )}
      <span class="tour-space" />
      {document.fullscreenEnabled && (
        <IconButton icon={Maximize} name={tourMessage('tour-full-screen')} shortcut="F" onClick={toggleFullScreen} />
      )}
      <IconButton icon={X} name={tourMessage('tour-close')} shortcut="Escape" onClick={close} />
    </div>
  );
}

/** The focus of the keyboard is in the card while it is there. */
function useCardFocus() {
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    card.current?.focus({ preventScroll: true });
  }, []);
  return card;
}

function Card({ tour }: { readonly tour: Tour }): VNode {
  const isOver = useSignal(false);
  const card = useCardFocus();
  const total = tour.steps.length;
  const act = (move: Move): void => {
    const at = stepIndex.peek();
    const wasOver = isOver.peek();
    isOver.value = false;
    if (move === 'close') close();
    else if (move === 'full-screen') toggleFullScreen();
    else if (move === 'first') showStep(0);
    else if (move === 'last') showStep(total - 1);
    else if (move === 'previous') showStep(wasOver ? at : Math.max(0, at - 1));
    else if (at + 1 < total) showStep(at + 1);
    else isOver.value = true;
  };
  useMoves(act);
  const done = isOver.value ? total : stepIndex.value + 1;
  return (
    <section class="tour-card floating" aria-label={tourMessage('tour-heading')} tabIndex={-1} ref={card}>
      <progress
        max={total}
        value={done}
        aria-label={tourMessage('tour-progress', { number: stepIndex.value + 1, total })}
      />
      <Words tour={tour} isOver={isOver.value} />
      <Controls tour={tour} isOver={isOver.value} act={act} />
    </section>
  );
}

const Notice = ({ text }: { readonly text: string }): VNode => (
  <section class="tour-card notice floating" aria-label={tourMessage('tour-heading')}>
    <p role="alert">{text}</p>
    <div class="tour-controls row">
      <Button onClick={close}>{tourMessage('tour-close')}</Button>
    </div>
  </section>
);

export function TourPlayer(): VNode | null {
  useEffect(followTour, []);
  const now = playing.value;
  if (now.state === 'loading') return null;
  return now.found.ok ? <Card tour={now.found.tour} /> : <Notice text={tourMessage(problemKey(now.found.problem))} />;
}
