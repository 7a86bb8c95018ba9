/** The dialogs of the viewer: the list of shortcuts, and the calibration of the display. */

import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { mediaMessage } from '../../messages/media.ts';
import { type MessageKey, message } from '../../messages/messages.ts';
import { displayDensity, shortcutsOn } from '../../state/stored-preferences.ts';
import { closeDialog, hasText, isPlayed } from '../../state/tools.ts';
import { density, showMode } from '../../state/viewport.ts';
import { Button } from '../common/button.tsx';
import { Dialog } from '../common/dialog.tsx';
import { CheckBox, Choices } from '../common/fields.tsx';
import { keyName } from '../common/words.ts';
import { keysOfAllPages, mediaKeys } from '../media/keys.ts';
import { type Shortcut, shortcuts } from './keyboard.ts';

interface Keys {
  readonly keys: readonly string[];
  readonly name: MessageKey;
}

/** Keys of the drawing tools and of notes. */
const drawingKeys: readonly Keys[] = [
  { keys: ['Enter'], name: 'draw-point' },
  { keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], name: 'draw-aim' },
  { keys: ['Shift+ArrowLeft'], name: 'draw-aim-fine' },
  { keys: ['Backspace'], name: 'draw-take-back' },
  { keys: ['Escape'], name: 'draw-leave' },
  { keys: ['Ctrl+Z'], name: 'undo' },
  { keys: ['Ctrl+Shift+Z'], name: 'redo' },
  { keys: ['Delete'], name: 'draw-delete' },
];

/** Keys of the tool that selects text on the image. */
const textKeys: readonly Keys[] = [
  { keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'], name: 'text-extend-word' },
  { keys: ['Shift+ArrowUp', 'Shift+ArrowDown'], name: 'text-extend-line' },
];

interface NamedKeys {
  readonly keys: readonly string[];
  readonly text: string;
}

const named = (all: readonly Keys[]): readonly NamedKeys[] =>
  all.map(({ keys, name }) => ({ keys, text: message(name) }));

const KeyList = ({ all }: { readonly all: readonly NamedKeys[] }): VNode => (
  <dl class="shortcuts">
    {all.map(({ keys, text }) => (
      <div key={text}>
        <dt>
          {keys.map((key) => (
            <kbd key={key}>{keyName(key)}</kbd>
          ))}
        </dt>
        <dd>{text}</dd>
      </div>
    ))}
  </dl>
);

interface KeyboardHelpProps {
  /** Those of the page; by default, of the page of an image. */
  readonly of?: readonly Shortcut[];
}

export const KeyboardHelp = ({ of = shortcuts }: KeyboardHelpProps): VNode => (
  <Dialog title={message('keyboard')} onClose={closeDialog}>
    <CheckBox chosen={shortcutsOn} text={message('shortcuts-choice')} />
    {isPlayed.value ? <MediaKeys of={of} /> : <ImageKeys of={of} />}
  </Dialog>
);

const ImageKeys = ({ of }: { readonly of: readonly Shortcut[] }): VNode => (
  <>
    <KeyList all={named(of)} />
    {hasText.value && (
      <>
        <h3>{message('tool-text')}</h3>
        <KeyList all={named(textKeys)} />
      </>
    )}
    <h3>{message('drawing-keys')}</h3>
    <KeyList all={named(drawingKeys)} />
  </>
);

const MediaKeys = ({ of }: { readonly of: readonly Shortcut[] }): VNode => (
  <>
    <h3>{mediaMessage('player')}</h3>
    <KeyList all={mediaKeys.map(({ keys, name }) => ({ keys, text: mediaMessage(name) }))} />
    <h3>{message('pages')}</h3>
    <KeyList all={named(of.filter(({ name }) => keysOfAllPages.has(name)))} />
  </>
);

const millimetersPerInch = 25.4;

/** A bank card is ISO/IEC 7810 ID-1. */
const rulers = [
  { name: 'ruler-card', millimeters: 85.6 },
  { name: 'ruler-10cm', millimeters: 100 },
  { name: 'ruler-5cm', millimeters: 50 },
] as const satisfies readonly { readonly name: MessageKey; readonly millimeters: number }[];

/** The length of the bar in CSS pixels. */
const shortest = 120;
const longest = 900;

/** Calibration of the display: the reader drags a bar to the length of a card or a ruler on the screen. */
export function Calibration(): VNode {
  const chosen = useSignal(0);
  const sliderId = useId();
  const millimeters = rulers[chosen.value]?.millimeters ?? millimetersPerInch;
  const pixels = useSignal((density.peek() * millimeters) / millimetersPerInch);
  const save = (): void => {
    displayDensity.value = (pixels.value * millimetersPerInch) / millimeters;
    closeDialog();
    showMode('true-size');
  };
  const choose = (index: number): void => {
    const before = (pixels.value * millimetersPerInch) / millimeters;
    chosen.value = index;
    pixels.value = (before * (rulers[index]?.millimeters ?? millimetersPerInch)) / millimetersPerInch;
  };
  return (
    <Dialog title={message('calibrate')} onClose={closeDialog}>
      <p>{message('calibrate-how')}</p>
      <Choices
        legend={message('calibrate-with')}
        choices={rulers.map(({ name }, index) => [index, message(name)])}
        chosen={chosen.value}
        onChoose={choose}
      />
      <div
        class={chosen.value === 0 ? 'ruler card' : 'ruler'}
        style={{ width: `${pixels.value}px` }}
        // The slider below does the same for the keyboard.
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (event.buttons === 0) return;
          const width = pixels.peek() + event.movementX;
          pixels.value = Math.min(Math.max(width, shortest), longest);
        }}
      />
      <label for={sliderId}>{message('calibrate-length')}</label>
      <input
        id={sliderId}
        class="calibration-slider"
        type="range"
        min={shortest}
        max={longest}
        step={0.5}
        value={pixels.value}
        onInput={(event) => {
          pixels.value = event.currentTarget.valueAsNumber;
        }}
      />
      <p class="soft">
        {message('calibrate-result', {
          dpi: Math.round(((pixels.value * millimetersPerInch) / millimeters) * devicePixelRatio),
        })}
      </p>
      <div class="button-row row wrap">
        <Button primary onClick={save}>
          {message('calibrate-save')}
        </Button>
        <Button onClick={closeDialog}>{message('cancel')}</Button>
      </div>
    </Dialog>
  );
}
