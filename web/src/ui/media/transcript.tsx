/** The transcript: its lines follow the sound, and lead to their times; it can be searched. */
import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useId, useMemo, useRef } from 'preact/hooks';
import { nameMatcher } from '../../../../src/core/image/folder/page-labels.ts';
import { mediaMessage } from '../../messages/media.ts';
import { type Cue, lineAt } from '../../model/media/captions.ts';
import { formatClock } from '../../model/media/time.ts';
import { goToTime, type OpenMedia, type Transcript } from '../../state/media/open-media.ts';
import { moveByArrows, useOneStop } from '../common/elements.ts';
import { CheckBox, SearchInput } from '../common/fields.tsx';
import { formatCount } from '../common/words.ts';
import { chosenTranscript, nameOfTranscript, transcriptName } from './choices.ts';

interface LinesProps {
  readonly now: OpenMedia;
  readonly cues: readonly Cue[];
  readonly language: string;
  readonly follows: Signal<boolean>;
}

/** Scrolls the list alone: where the player is scrolled as a whole, it stays where its reader has put it. */
function putInMiddle(line: Element, list: Element): void {
  const [own, all] = [line.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += own.top + own.height / 2 - all.top - all.height / 2;
}

/** The line that is spoken is marked in the document alone: thousands are not rendered again for it. */
function useCurrentLine({ now, cues, follows }: LinesProps) {
  const list = useRef<HTMLOListElement>(null);
  const marked = useRef<Element | null>(null);
  useSignalEffect(() => {
    const line = list.current?.children[lineAt(cues, now.playback.time.value)] ?? null;
    if (line === marked.current && marked.current?.isConnected) return;
    if (marked.current?.firstElementChild) marked.current.firstElementChild.ariaCurrent = null;
    marked.current = line;
    const button = line?.firstElementChild;
    if (!button) return;
    button.ariaCurrent = 'true';
    if (follows.value && list.current) putInMiddle(button, list.current);
  });
  return list;
}

function Lines(props: LinesProps): VNode {
  const { now, cues, language, follows } = props;
  const list = useCurrentLine(props);
  useOneStop(list);
  const stopFollowing = (): void => {
    follows.value = false;
  };
  return (
    <ol
      class="media-lines list"
      lang={language || undefined}
      ref={list}
      onKeyDown={moveByArrows}
      onWheel={stopFollowing}
      onTouchMove={stopFollowing}
    >
      {cues.map(({ from, text, voice }, index) => (
        <li key={index}>
          <button type="button" onClick={() => goToTime(now, now.canvas, from)}>
            <span class="soft tabular">{formatClock(from)}</span>
            <span>
              {voice !== '' && voice !== cues[index - 1]?.voice && <b>{voice} </b>}
              {text}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function TranscriptChoice({ now, chosen }: { readonly now: OpenMedia; readonly chosen: Transcript }): VNode | null {
  const id = useId();
  const list = now.transcripts.value;
  if (list.length < 2) return null;
  return (
    <p class="media-choice row">
      <label for={id}>{mediaMessage('transcript-choice')}</label>
      <select
        id={id}
        value={nameOfTranscript(chosen, list.indexOf(chosen))}
        onChange={({ currentTarget }) => {
          transcriptName.value = currentTarget.value;
        }}
      >
        {list.map((one, at) => (
          <option key={at}>{nameOfTranscript(one, at)}</option>
        ))}
      </select>
    </p>
  );
}

function TimedText({ now, transcript }: { readonly now: OpenMedia; readonly transcript: Transcript }): VNode {
  const { cues, language } = transcript;
  const words = useSignal('');
  const follows = useSignal(true);
  const field = useRef<HTMLInputElement>(null);
  const matches = nameMatcher(words.value);
  const found = useMemo(() => (matches ? cues.filter(({ text }) => matches(text)) : cues), [cues, words.value]);
  return (
    <>
      <SearchInput
        field={field}
        name={mediaMessage('transcript-find')}
        searched={words.value}
        pauseMs={200}
        onSearch={(text) => {
          words.value = text.trim();
        }}
      />
      <div class="media-transcript-options row wrap">
        <CheckBox chosen={follows} text={mediaMessage('follow')} />
        <p class="soft" role="status">
          {matches &&
            mediaMessage('transcript-found', { shown: formatCount(found.length), total: formatCount(cues.length) })}
        </p>
      </div>
      <Lines now={now} cues={found} language={language} follows={follows} />
    </>
  );
}

export function TranscriptPane({ now }: { readonly now: OpenMedia }): VNode | null {
  const transcript = chosenTranscript(now);
  if (transcript === undefined) return null;
  const { cues, text, language, isFaulty } = transcript;
  return (
    <div class="media-transcript">
      <TranscriptChoice now={now} chosen={transcript} />
      {isFaulty && <p role="alert">{mediaMessage('transcript-fault')}</p>}
      {cues.length > 0 && <TimedText key={nameOfTranscript(transcript, 0)} now={now} transcript={transcript} />}
      {text !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by the keyboard.
        <div class="media-plain-text" lang={language || undefined} tabIndex={0}>
          {text}
        </div>
      )}
    </div>
  );
}
