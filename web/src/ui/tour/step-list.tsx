/** The steps of guided views that are made: in their order, with their texts, to be moved, changed and deleted. */
import { type Signal, useSignal } from '@preact/signals';
import { ArrowDown, ArrowUp, ImageOff, Pencil, Trash2 } from 'lucide';
import type { RefObject, VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Tour, TourStep } from '../../../../src/core/image/tour/tour.ts';
import { tourMessage } from '../../messages/tour-messages.ts';
import { textIn, withMovedStep, withoutStep, withStep, withText } from '../../model/tour/draft.ts';
import { changeTour, editedLanguage, viewNow } from '../../state/tour/drafts.ts';
import { Button, Icon, IconButton } from '../common/button.tsx';
import { useBroken } from '../common/picture.tsx';
import { stepPicture } from './step-picture.ts';
import { chosenText } from './words.ts';

const box = { width: 72, height: 72 };

export function StepThumbnail({ step }: { readonly step: TourStep }): VNode {
  const address = stepPicture(step, box);
  const { isBroken, onError } = useBroken(address ?? '');
  if (address === undefined || isBroken) return <Icon of={ImageOff} size={22} />;
  return <img src={address} alt="" loading="lazy" decoding="async" onError={onError} />;
}

interface StepFieldsProps {
  readonly step: TourStep;
  readonly at: number;
  readonly says: (text: string) => void;
}

function StepFields({ step, at, says }: StepFieldsProps): VNode {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const language = editedLanguage.value;
  useLayoutEffect(() => field.current?.focus(), []);
  const set = (name: 'title' | 'text', words: string): void =>
    changeTour((tour) => withStep(tour, at, { [name]: withText(tour.steps[at]?.[name] ?? {}, language, words) }));
  const lang = language === 'none' ? undefined : language;
  return (
    <div class="tour-fields">
      <label for={`${id}-title`}>{tourMessage('tour-step-title')}</label>
      <input
        id={`${id}-title`}
        ref={field}
        lang={lang}
        maxLength={500}
        placeholder={chosenText(step.title).words}
        value={textIn(step.title, language)}
        onInput={({ currentTarget }) => set('title', currentTarget.value)}
      />
      <label for={`${id}-text`}>{tourMessage('tour-step-text')}</label>
      <textarea
        id={`${id}-text`}
        rows={5}
        lang={lang}
        maxLength={20_000}
        placeholder={chosenText(step.text).words}
        value={textIn(step.text, language)}
        onInput={({ currentTarget }) => set('text', currentTarget.value)}
      />
      <Button
        onClick={() => {
          const now = viewNow();
          changeTour((tour) => withStep(tour, at, now));
          says(tourMessage('tour-retaken', { number: at + 1 }));
        }}
      >
        {tourMessage('tour-retake')}
      </Button>
    </div>
  );
}

/** The button that gets the focus once the list has changed, since the one that was pressed is elsewhere, or gone. */
interface NextFocus {
  readonly at: number;
  readonly button: 'up' | 'down' | 'remove' | 'undo';
}

interface StepRowProps extends StepFieldsProps {
  readonly next: RefObject<NextFocus | undefined>;
  readonly total: number;
  /** Of the step whose fields are open; undefined for none. */
  readonly edited: Signal<number | undefined>;
  readonly onShow: (step: TourStep) => void;
}

function StepButtons({ at, total, edited, says, next }: Omit<StepRowProps, 'step' | 'onShow'>): VNode {
  const number = at + 1;
  const move = (by: 1 | -1): void => {
    edited.value = undefined;
    next.current = { at: at + by, button: by === 1 ? 'down' : 'up' };
    changeTour((tour) => withMovedStep(tour, at, by));
    says(tourMessage('tour-moved', { number: number + by }));
  };
  return (
    <div class="tour-step-buttons row">
      <IconButton
        icon={Pencil}
        name={tourMessage('tour-edit', { number })}
        pressed={edited.value === at}
        onClick={() => {
          edited.value = edited.peek() === at ? undefined : at;
        }}
      />
      <IconButton
        class="up"
        icon={ArrowUp}
        name={tourMessage('tour-up', { number })}
        disabled={at === 0}
        onClick={() => move(-1)}
      />
      <IconButton
        class="down"
        icon={ArrowDown}
        name={tourMessage('tour-down', { number })}
        disabled={number === total}
        onClick={() => move(1)}
      />
      <IconButton
        class="remove"
        icon={Trash2}
        name={tourMessage('tour-remove', { number })}
        onClick={() => {
          edited.value = undefined;
          next.current = { at, button: 'undo' };
          changeTour((tour) => withoutStep(tour, at));
          says(tourMessage('tour-removed', { number }));
        }}
      />
    </div>
  );
}

function StepRow(props: StepRowProps): VNode {
  const { step, at, edited, onShow } = props;
  const title = chosenText(step.title);
  const text = chosenText(step.text);
  return (
    <li class={edited.value === at ? 'tour-step edited' : 'tour-step'}>
      <button
        type="button"
        class="tour-step-picture"
        aria-label={tourMessage('tour-show', { number: at + 1 })}
        title={tourMessage('tour-show', { number: at + 1 })}
        onClick={() => onShow(step)}
      >
        <StepThumbnail step={step} />
      </button>
      <div class="tour-step-words">
        <strong lang={title.lang}>{title.words || tourMessage('tour-step', { number: at + 1 })}</strong>
        {text.words !== '' && (
          <p class="soft tour-step-text" lang={text.lang}>
            {text.words}
          </p>
        )}
      </div>
      <StepButtons {...props} />
      {edited.value === at && <StepFields {...props} />}
    </li>
  );
}

interface StepListProps {
  readonly tour: Tour;
  readonly edited: Signal<number | undefined>;
  readonly says: (text: string) => void;
  readonly onShow: (step: TourStep) => void;
}

interface Deleted {
  readonly step: TourStep;
  readonly at: number;
}

/** The step that was deleted last, until others are added or deleted. */
function useDeleted(tour: Tour) {
  const deleted = useSignal<Deleted | undefined>(undefined);
  const last = useRef(tour.steps);
  useLayoutEffect(() => {
    const [before, now] = [last.current, tour.steps];
    last.current = now;
    if (now.length === before.length) return;
    // What was stored was read again, so that the same step is another object.
    const at = before.findIndex((step, index) => JSON.stringify(step) !== JSON.stringify(now[index]));
    const step = before[at];
    deleted.value = step !== undefined && now.length === before.length - 1 ? { step, at } : undefined;
  }, [tour]);
  return deleted;
}

function useNextFocus(...changes: readonly unknown[]) {
  const next = useRef<NextFocus | undefined>(undefined);
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (next.current === undefined) return;
    const { at, button } = next.current;
    const selector = button === 'undo' ? '.tour-undo button' : `li:nth-child(${at + 1}) .${button}`;
    const found = list.current?.querySelector<HTMLElement>(selector);
    if (!found) return;
    next.current = undefined;
    found.focus();
  }, changes);
  return { next, list };
}

export function StepList({ tour, ...rest }: StepListProps): VNode {
  const deleted = useDeleted(tour);
  const { next, list } = useNextFocus(tour, deleted.value);
  return (
    <div ref={list}>
      {tour.steps.length > 0 && (
        <ol class="tour-steps list">
          {tour.steps.map((step, at) => (
            <StepRow key={at} step={step} at={at} total={tour.steps.length} next={next} {...rest} />
          ))}
        </ol>
      )}
      {deleted.value && (
        <p class="tour-undo">
          <Button
            onClick={() => {
              const { step, at = 0 } = deleted.peek() ?? {};
              next.current = { at, button: 'remove' };
              if (step) changeTour((now) => ({ ...now, steps: now.steps.toSpliced(at, 0, step) }));
            }}
          >
            {tourMessage('tour-restore')}
          </Button>
        </p>
      )}
    </div>
  );
}
