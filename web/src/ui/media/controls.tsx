/** The controls of sound and video: play, the position with its chapters, volume, captions, speed. */
import { useComputed, useSignalEffect } from '@preact/signals';
import { Captions, CirclePause, CirclePlay, Gauge, Quote, RotateCcw, RotateCw, Volume2, VolumeX } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { mediaMessage } from '../../messages/media.ts';
import { language } from '../../messages/messages.ts';
import { chapterAt } from '../../model/media/chapters.ts';
import { formatClock } from '../../model/media/time.ts';
import { isTimed } from '../../model/media/timeline.ts';
import type { OpenMedia } from '../../state/media/open-media.ts';
import { isMuted, rate, volume } from '../../state/media/playback.ts';
import { panel } from '../../state/tools.ts';
import { changeView } from '../../state/view.ts';
import { Icon, IconButton } from '../common/button.tsx';
import {
  captionsOn,
  chooseCaptions,
  chosenCaptions,
  chosenFile,
  nameOfTranscript,
  versionOf,
  withTimes,
} from './choices.ts';
import { shown } from './words.ts';

interface NowProps {
  readonly now: OpenMedia;
}

/** Chapters and remarks as marks on the position; what they say is in their lists. */
function Ticks({ now, total }: NowProps & { readonly total: number }): VNode {
  const times = now.chapters.filter(({ canvas, from }) => canvas === now.canvas && from > 0 && from < total);
  return (
    <span class="media-ticks through" aria-hidden="true">
      {[...new Set(times.map(({ from }) => from))].slice(0, 200).map((from) => (
        <span key={from} style={{ left: `${(from / total) * 100}%` }} />
      ))}
    </span>
  );
}

/** The slider follows the time without being rendered again. */
function Position({ now }: NowProps): VNode {
  const { time, duration } = now.playback;
  const slider = useRef<HTMLInputElement>(null);
  const total = duration.value ?? 0;
  useSignalEffect(() => {
    const end = duration.value ?? 0;
    const at = time.value;
    if (slider.current === null) return;
    slider.current.value = String(at);
    slider.current.style.setProperty('--played', `${end > 0 ? (at / end) * 100 : 0}%`);
    slider.current.ariaValueText = mediaMessage('position-of', { time: formatClock(at), total: formatClock(end) });
  });
  return (
    <div class="media-slider">
      <input
        ref={slider}
        class="media-position"
        type="range"
        min={0}
        max={total}
        step={0.01}
        aria-label={mediaMessage('position')}
        disabled={total === 0}
        onInput={({ currentTarget }) => now.playback.seek(Number(currentTarget.value))}
      />
      {total > 0 && <Ticks now={now} total={total} />}
    </div>
  );
}

function Clock({ now }: NowProps): VNode {
  const text = useComputed(() => formatClock(now.playback.time.value));
  const { duration } = now.playback;
  return (
    <p class="media-clock tabular">
      {text.value}
      {duration.value !== undefined && <span class="soft"> / {formatClock(duration.value)}</span>}
    </p>
  );
}

/** The chapter that is played, as in the bar of a book. */
function ChapterNow({ now }: NowProps): VNode {
  const text = useComputed(() => {
    const found = chapterAt(now.chapters, now.canvas, now.playback.time.value);
    return found === undefined ? '' : shown(found.label);
  });
  return <p class="media-chapter clip soft">{text.value}</p>;
}

interface ChoiceProps {
  readonly name: string;
  readonly icon?: ComponentChildren;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ name, icon, value, options, onChoose }: ChoiceProps): VNode {
  const id = useId();
  return (
    <span class="media-choice row">
      <label for={id} title={name}>
        {icon}
        <span class={icon === undefined ? 'media-choice-name' : 'off-screen'}>{name}</span>
      </label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}

function CaptionsChoice({ now }: NowProps): VNode | null {
  const list = withTimes(now);
  if (list.length === 0) return null;
  const options = list.map((one, at) => nameOfTranscript(one, at));
  const chosen = chosenCaptions(now);
  return (
    <Choice
      name={mediaMessage('captions')}
      icon={<Icon of={Captions} />}
      value={captionsOn.value && chosen ? nameOfTranscript(chosen, list.indexOf(chosen)) : ''}
      options={[['', mediaMessage('captions-off')], ...options.map((text) => [text, text] as const)]}
      onChoose={chooseCaptions}
    />
  );
}

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2];

const speedText = (value: number): string => `${value.toLocaleString(language.value)}×`;

/** The forms of the first file that is offered in several. */
function VersionChoice({ now }: NowProps): VNode | null {
  const item = now.media.items.find((one) => isTimed(one) && one.files.length > 1);
  if (item === undefined) return null;
  const options = item.files.map(({ address, label, format }) => [address, shown(label) || format || address] as const);
  return (
    <Choice
      name={mediaMessage('version')}
      value={versionOf(item, []).address}
      options={options}
      onChoose={(address) => {
        chosenFile.value = address;
      }}
    />
  );
}

const Volume = (): VNode => (
  <span class="media-volume row">
    <IconButton
      icon={isMuted.value || volume.value === 0 ? VolumeX : Volume2}
      name={mediaMessage('mute')}
      shortcut="M"
      pressed={isMuted.value}
      onClick={() => {
        isMuted.value = !isMuted.peek();
      }}
    />
    <input
      type="range"
      min={0}
      max={1}
      step={0.05}
      value={isMuted.value ? 0 : volume.value}
      aria-label={mediaMessage('volume')}
      onInput={({ currentTarget }) => {
        volume.value = Number(currentTarget.value);
        isMuted.value = false;
      }}
    />
  </span>
);

/** The address takes the time on request alone: it would else change all the while. */
function citeMoment({ playback }: OpenMedia): void {
  changeView({ time: Math.floor(playback.time.peek()) });
  panel.value = 'cite';
}

export function Controls({ now }: NowProps): VNode {
  const { playback } = now;
  const plays = playback.isPlaying.value;
  const by = (seconds: number) => (): void => playback.seek(playback.time.peek() + seconds);
  return (
    <div class="media-controls">
      <Position now={now} />
      <div class="media-buttons">
        <IconButton icon={RotateCcw} name={mediaMessage('back')} shortcut="J" onClick={by(-10)} />
        <IconButton
          class="media-play"
          icon={plays ? CirclePause : CirclePlay}
          name={mediaMessage(plays ? 'pause' : 'play')}
          shortcut="K"
          onClick={() => playback.toggle()}
        />
        <IconButton icon={RotateCw} name={mediaMessage('forward')} shortcut="L" onClick={by(10)} />
        <Clock now={now} />
        <ChapterNow now={now} />
        <Volume />
        <CaptionsChoice now={now} />
        <VersionChoice now={now} />
        <Choice
          name={mediaMessage('speed')}
          icon={<Icon of={Gauge} />}
          value={String(rate.value)}
          options={speeds.map((speed) => [String(speed), speedText(speed)] as const)}
          onChoose={(value) => {
            rate.value = Number(value);
          }}
        />
        <IconButton icon={Quote} name={mediaMessage('cite-moment')} onClick={() => citeMoment(now)} />
      </div>
    </div>
  );
}
