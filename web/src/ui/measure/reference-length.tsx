/** The form for the length of the reference line, which sets the image's scale. */
import { type Signal, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { language, message } from '../../messages/message.ts';
import { scaleFromDpi, scaleFromLength } from '../../model/measure.ts';
import { metricUnits } from '../../model/unit-table.ts';
import { formatLength, keyOf } from '../../model/units.ts';
import type { Point } from '../../model/view-state.ts';
import { setScale } from '../../state/note-edits.ts';
import { unitChoice, unitFor, units } from '../../state/scale.ts';
import { referenceLine } from '../../state/sketch.ts';
import { frame } from '../../state/stage.ts';
import { resolution } from '../../state/viewport.ts';
import { Button } from '../common/button.tsx';
import { UnitSelect } from './unit-select.tsx';

/** The chosen unit, else centimeters. */
const defaultUnit = (): string => {
  const usual = metricUnits.find(({ symbol }) => symbol === 'cm');
  const chosen = units.peek().find((unit) => keyOf(unit) === unitChoice.peek());
  return keyOf(chosen ?? usual ?? unitFor(0.01));
};

function takeLength(line: readonly [Point, Point], length: number, key: string): void {
  const unit = units.peek().find((one) => keyOf(one) === key);
  const image = frame.peek()?.image;
  if (unit === undefined || image === undefined || !(length > 0)) return;
  const meters = length * unit.meters;
  const density = resolution.peek();
  const scale = scaleFromLength(line, image, meters, density && scaleFromDpi(density));
  if (scale === undefined) return;
  setScale({ ...scale, from: formatLength(meters, unit, language.peek()) });
  referenceLine.value = undefined;
}

/** Accepts a decimal point or comma. */
const parseLength = (text: string): number => Number(text.trim().replace(',', '.'));

function LengthField({ length }: { readonly length: Signal<string> }): VNode {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // The reader has just drawn the line in order to enter its length.
  useEffect(() => field.current?.focus(), []);
  return (
    <div class="field">
      <label for={id}>{message('scale-length')}</label>
      <input
        id={id}
        inputMode="decimal"
        autocomplete="off"
        ref={field}
        onInput={(event) => {
          length.value = event.currentTarget.value;
        }}
      />
    </div>
  );
}

const Buttons = ({ isReady }: { readonly isReady: boolean }): VNode => (
  <div class="button-row">
    <button type="submit" class="button primary" disabled={!isReady}>
      {message('scale-set')}
    </button>
    <Button
      onClick={() => {
        referenceLine.value = undefined;
      }}
    >
      {message('cancel')}
    </Button>
  </div>
);

export function ReferenceLength({ line }: { readonly line: readonly [Point, Point] }): VNode {
  const length = useSignal('');
  const unit = useSignal(defaultUnit());
  return (
    <form
      class="reference-length"
      onSubmit={(event) => {
        event.preventDefault();
        takeLength(line, parseLength(length.peek()), unit.peek());
      }}
    >
      <LengthField length={length} />
      <UnitSelect
        label={message('scale-length-unit')}
        value={unit.value}
        hasAutomatic={false}
        onChange={(key) => {
          unit.value = key;
        }}
      />
      <Buttons isReady={parseLength(length.value) > 0} />
    </form>
  );
}
