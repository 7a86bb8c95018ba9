/** What a single click improves: levels, local contrast, faded ink, channels, sharpness and slope, and the looks that the reader has saved. */
import { useSignal } from '@preact/signals';
import { X } from 'lucide';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { type MessageKey, message } from '../../messages/messages.ts';
import { autoLevels } from '../../model/view/levels.ts';
import { skewOf } from '../../model/view/skew.ts';
import { plainColor, type ViewEffect, viewEffects } from '../../model/view-state.ts';
import { looks, removeLook, saveLook } from '../../state/looks.ts';
import { changeColor, changeView, stage, view } from '../../state/view.ts';
import { turnTo } from '../../state/viewport.ts';
import { Button, IconButton } from '../common/button.tsx';
import '../../messages/image-messages.ts';

const channels: readonly ViewEffect[] = ['red', 'green', 'blue'];

/** Switches an effect; of the channels one is shown at a time. */
function toggle(effect: ViewEffect): void {
  const now = view.peek().effects;
  const others = channels.includes(effect) ? now.filter((one) => !channels.includes(one)) : now;
  const next = now.includes(effect) ? now.filter((one) => one !== effect) : [...others, effect];
  changeView({ effects: viewEffects.filter((name) => next.includes(name)) });
}

/** What the stage shows, in pixels of a picture that is at most so wide and high; undefined where its host does not let pages read it. */
function pixelsOfStage(side: number): ImageData | undefined {
  const source = stage.peek()?.source;
  const context = document.createElement('canvas').getContext('2d');
  if (source === undefined || context === null || source.width === 0) return undefined;
  const { canvas } = context;
  const factor = Math.min(1, side / Math.max(source.width, source.height));
  canvas.width = Math.max(1, Math.round(source.width * factor));
  canvas.height = Math.max(1, Math.round(source.height * factor));
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  try {
    return context.getImageData(0, 0, canvas.width, canvas.height);
  } catch {
    return undefined;
  }
}

/** Applies what was found in the pixels; says what was not found. */
function levels(): MessageKey | undefined {
  const pixels = pixelsOfStage(1200);
  const found = pixels && autoLevels(pixels.data);
  if (found === undefined) return pixels === undefined ? 'colors-not-shared' : 'levels-none';
  changeColor({ ...plainColor, ...found, operation: view.peek().color.operation });
  return undefined;
}

/** The brightness of pixels; those outside of the image are as bright as the image is on average, so that its edge is no line. */
function tonesOf({ data }: ImageData): Uint8ClampedArray {
  const tones = new Uint8ClampedArray(data.length / 4);
  let [sum, count] = [0, 0];
  for (let at = 0; at < tones.length; at += 1) {
    if (data[4 * at + 3] !== 255) continue;
    const tone = 0.3 * (data[4 * at] ?? 0) + 0.59 * (data[4 * at + 1] ?? 0) + 0.11 * (data[4 * at + 2] ?? 0);
    tones[at] = tone;
    sum += tone;
    count += 1;
  }
  for (let at = 0; at < tones.length; at += 1) if (data[4 * at + 3] !== 255) tones[at] = sum / Math.max(count, 1);
  return tones;
}

function straighten(): MessageKey | undefined {
  const pixels = pixelsOfStage(600);
  if (pixels === undefined) return 'colors-not-shared';
  const { width, height } = pixels;
  const skew = skewOf({ width, height, tones: tonesOf(pixels) });
  if (skew === undefined) return 'straight-none';
  turnTo(view.peek().rotation - skew);
  return undefined;
}

export function OneClick(): VNode {
  const said = useSignal<MessageKey | undefined>(undefined);
  const { effects, color } = view.value;
  const act = (run: () => MessageKey | undefined) => (): void => {
    said.value = run();
  };
  const effect = (name: ViewEffect): VNode => (
    <Button key={name} pressed={effects.includes(name)} onClick={() => toggle(name)}>
      {message(`effect-${name}`)}
    </Button>
  );
  return (
    <section class="panel-section one-click">
      <h3>{message('one-click')}</h3>
      <div class="row wrap">
        <Button onClick={act(levels)}>{message('levels')}</Button>
        {effect('local')}
        {effect('ink')}
        {effect('sharp')}
        <Button
          pressed={color.operation === 'INVERT'}
          onClick={() => changeColor({ operation: color.operation === 'INVERT' ? '' : 'INVERT' })}
        >
          {message('colop-invert')}
        </Button>
        <Button onClick={act(straighten)}>{message('straight')}</Button>
      </div>
      <fieldset class="row wrap" aria-label={message('one-channel')}>
        <span class="soft" aria-hidden="true">
          {message('one-channel')}
        </span>
        {channels.map(effect)}
      </fieldset>
      <p class="soft" role="status">
        {said.value && message(said.value)}
      </p>
      {effects.length > 0 && <p class="soft">{message('effects-here')}</p>}
      <SavedLooks />
    </section>
  );
}

function SavedLooks(): VNode {
  const id = useId();
  const typed = useSignal('');
  const { color, effects } = view.value;
  return (
    <>
      {looks.value.length > 0 && (
        <ul class="looks row wrap" aria-label={message('looks')}>
          {looks.value.map((look) => (
            <li key={look.name} class="row">
              <Button onClick={() => changeView({ color: look.color, effects: look.effects })}>{look.name}</Button>
              <IconButton
                icon={X}
                name={message('look-remove', { name: look.name })}
                onClick={() => removeLook(look.name)}
              />
            </li>
          ))}
        </ul>
      )}
      <form
        class="save-look row"
        onSubmit={(event) => {
          event.preventDefault();
          const name = typed.peek().trim();
          if (name === '') return;
          saveLook({ name, color, effects });
          typed.value = '';
        }}
      >
        <label for={id} class="off-screen">
          {message('look-name')}
        </label>
        <input
          id={id}
          type="text"
          maxLength={40}
          autocomplete="off"
          placeholder={message('look-name')}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
        <button type="submit" class="button">
          {message('look-save')}
        </button>
      </form>
    </>
  );
}
