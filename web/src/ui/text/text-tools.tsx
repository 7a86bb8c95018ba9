/** What can be done with the text of the pages and with its chosen line: read aloud, copied with its source, corrected. */
import { type Signal, useSignal } from '@preact/signals';
import { BookOpenText, Pause, PenLine, Play, SkipBack, SkipForward, Square, Volume2 } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import '../../messages/text-messages.ts';
import '../../styles/reading.css';
import { correctionOf } from '../../model/text/line-correction.ts';
import { around, copiedText, wholeWords } from '../../model/text/page-text.ts';
import { boxInFractions } from '../../model/view/geometry.ts';
import { type Rect, wholeImage } from '../../model/view-state.ts';
import { addRectangle } from '../../state/notes/sketch.ts';
import { openedNow } from '../../state/opened.ts';
import { chosenLine, type LineOfPage, pageTexts, spokenNow, type TextPage } from '../../state/text/page-texts.ts';
import {
  canReadAloud,
  rates,
  readingRate,
  setRate,
  stepReading,
  stopReading,
  toggleReading,
} from '../../state/text/read-aloud.ts';
import { showTextAlone } from '../../state/tools.ts';
import { Button, IconButton } from '../common/button.tsx';
import { wordsWithSource } from '../common/citations.ts';
import { CopyButton } from '../common/take-along.tsx';
import { formatPercent } from '../common/words.ts';

const icon = { idle: Volume2, speaking: Pause, paused: Play } as const;

const names = { idle: 'read-aloud', speaking: 'read-aloud-pause', paused: 'read-aloud-resume' } as const;

/** The buttons of the voice; nothing where the browser has none. */
export function VoiceButtons(): VNode | null {
  if (!canReadAloud()) return null;
  const spoken = spokenNow.value;
  const state = spoken === undefined ? 'idle' : spoken.isPaused ? 'paused' : 'speaking';
  return (
    <fieldset class="voice row wrap" aria-label={message('read-aloud')}>
      <Button icon={icon[state]} onClick={toggleReading}>
        {message(names[state])}
      </Button>
      {spoken !== undefined && (
        <>
          <IconButton icon={SkipBack} name={message('read-aloud-previous')} onClick={() => stepReading(-1)} />
          <IconButton icon={SkipForward} name={message('read-aloud-next')} onClick={() => stepReading(1)} />
          <IconButton icon={Square} name={message('read-aloud-stop')} shortcut="Escape" onClick={stopReading} />
          <select
            aria-label={message('read-aloud-speed')}
            value={String(readingRate.value)}
            onChange={({ currentTarget }) => setRate(Number(currentTarget.value))}
          >
            {rates.map((rate) => (
              <option key={rate} value={String(rate)}>
                {formatPercent(rate)}
              </option>
            ))}
          </select>
        </>
      )}
    </fieldset>
  );
}

/** Opens the text alone. */
export const TextAloneButton = (): VNode => (
  <Button icon={BookOpenText} onClick={showTextAlone}>
    {message('text-alone-open')}
  </Button>
);

interface ChosenLine {
  readonly page: TextPage;
  readonly line: LineOfPage;
  /** As they are on the page. */
  readonly words: string;
  /** In fractions of the page; undefined where nothing says where the line is. */
  readonly box: Rect | undefined;
}

/** The chosen line, or several that stand beside one. */
function chosenNow(): ChosenLine | undefined {
  const line = chosenLine.value;
  const page = pageTexts.value.pages.find(({ path }) => path === line?.path);
  if (line === undefined || page === undefined) return undefined;
  const { text } = page;
  const lines = text.lines.slice(line.line, (line.to ?? line.line) + 1);
  const all = lines.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index));
  const box = around(lines.flatMap((one) => one.box ?? []));
  return { page, line, words: copiedText(text, wholeWords(text, all)), box: box && boxInFractions(box, text) };
}

function copyWithSource({ page, words, box }: ChosenLine): string {
  const opened = openedNow();
  return opened === undefined ? words : wordsWithSource(opened, words, { path: page.path, label: page.label, box });
}

interface CorrectionProps {
  readonly chosen: ChosenLine;
  readonly isOpen: Signal<boolean>;
  readonly onKept: () => void;
}

/** A field with the line as it is, for what it should be. */
function Correction({ chosen, isOpen, onKept }: CorrectionProps): VNode {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { page, line, words, box } = chosen;
  const number = line.line + 1;
  const before = correctionOf(page.text, line.line, line.to ?? line.line);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const close = (): void => {
    isOpen.value = false;
  };
  const keep = (event: Event): void => {
    event.preventDefault();
    const text = field.current?.value.trim() ?? '';
    if (text !== '' && text !== before.exact) {
      addRectangle({ ...(box ?? wholeImage), text, corrects: before });
      onKept();
    }
    close();
  };
  return (
    <form
      class="correction"
      onSubmit={keep}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          // Another Escape closes the panel.
          event.preventDefault();
          close();
        } else if (event.key === 'Enter' && !event.shiftKey) keep(event);
      }}
    >
      <label for={id}>{message('correct-line-field', { number })}</label>
      <textarea id={id} ref={field} rows={2} lang={page.text.lines[line.line]?.language} defaultValue={words} />
      <div class="button-row row wrap">
        <button type="submit" class="button primary">
          {message('correct-line-save')}
        </button>
        <Button onClick={close}>{message('cancel')}</Button>
      </div>
    </form>
  );
}

/** What can be done with the chosen line; corrections are notes, which the main page alone has. */
function LineTools({ chosen }: { readonly chosen: ChosenLine }): VNode {
  const isOpen = useSignal(false);
  const isKept = useSignal(false);
  const isMain = chosen.page.path === openedNow()?.path;
  const number = chosen.line.line + 1;
  return (
    <fieldset class="line-tools" aria-label={message('line-tools', { number })}>
      <span aria-hidden="true" class="muted">
        {message('line-tools', { number })}
      </span>
      <CopyButton
        text={() => copyWithSource(chosen)}
        name={message('copy-with-source')}
        label={message('copy-with-source')}
      />
      {isMain && (
        <Button
          icon={PenLine}
          pressed={isOpen.value}
          onClick={() => {
            isKept.value = false;
            isOpen.value = !isOpen.value;
          }}
        >
          {message('correct-line')}
        </Button>
      )}
      {isOpen.value && (
        <Correction
          chosen={chosen}
          isOpen={isOpen}
          onKept={() => {
            isKept.value = true;
          }}
        />
      )}
      <p role="status" class="soft">
        {isKept.value && message('correct-line-kept')}
      </p>
    </fieldset>
  );
}

/** Stays in sight above the lines. */
export function TextTools(): VNode {
  const chosen = chosenNow();
  return (
    <div class="text-tools">
      <div class="button-row row wrap">
        <VoiceButtons />
        <TextAloneButton />
      </div>
      {chosen && <LineTools key={`${chosen.line.path} ${chosen.line.line}`} chosen={chosen} />}
    </div>
  );
}
