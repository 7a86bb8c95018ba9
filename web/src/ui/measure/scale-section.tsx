/** The scale by which lengths are measured: from the file, or by a length that the reader knows. */

import { batch, useSignal } from '@preact/signals';
import { RulerDimensionLine } from 'lucide';
import type { VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Unit } from '../../../../src/core/image/model/units.ts';
import { language, message } from '../../messages/message.ts';
import { metersPerInch, scaleFromDpi, scaleFromLength } from '../../model/measure/extents.ts';
import { imperialUnits, metricUnits } from '../../model/measure/unit-table.ts';
import { formatLength, formatUnitScale, keyOf } from '../../model/measure/units.ts';
import type { ReferenceScale } from '../../model/notes/own-notes.ts';
import type { Point } from '../../model/view-state.ts';
import { setScale } from '../../state/notes/note-edits.ts';
import { notes } from '../../state/notes/notes.ts';
import { imageScale, isAutomatic, unitChoice, unitFor, units } from '../../state/notes/scale.ts';
import { referenceLine, takeTool } from '../../state/notes/sketch.ts';
import { frame } from '../../state/stages.ts';
import { tool } from '../../state/tools.ts';
import { resolution } from '../../state/viewport.ts';
import { Button } from '../common/button.tsx';
import { formatDensity } from '../common/words.ts';
import { UnitSelect } from './unit-select.tsx';

function scaleSource(): string {
  const scale = imageScale.value;
  if (scale === undefined) return message('scale-none');
  const dpi = formatDensity(scale.x * metersPerInch, scale.y * metersPerInch);
  const set = notes.value.scale;
  if (set === undefined) return message('scale-from-dpi', { dpi });
  const unit = units.value.find((one) => keyOf(one) === set.unit);
  if (unit === undefined || set.length === undefined) return message('scale-from-drawn', { dpi });
  const length = formatLength(set.length * unit.meters, unit, language.value);
  return message('scale-from-line', { length, unit: formatUnitScale(unit, scale, language.value) });
}

export function ScaleSection(): VNode {
  const line = referenceLine.value;
  return (
    <section class="panel-section">
      <h3>{message('scale')}</h3>
      <p class="soft">{scaleSource()}</p>
      {line === undefined ? (
        <div class="button-row scale-tools">
          <Button
            icon={RulerDimensionLine}
            tool
            pressed={tool.value === 'reference-length'}
            onClick={() => takeTool('reference-length')}
          >
            {message('measure-reference-length')}
          </Button>
          {notes.value.scale && <Button onClick={() => setScale(undefined)}>{message('scale-forget')}</Button>}
        </div>
      ) : (
        <ReferenceLength line={line} />
      )}
      {tool.value === 'reference-length' && <p class="tool-hint">{message('hint-two-points')}</p>}
    </section>
  );
}

/** The chosen unit, else centimeters. */
const defaultUnit = (): string => {
  const usual = metricUnits.find(({ symbol }) => symbol === 'cm');
  const chosen = units.peek().find((unit) => keyOf(unit) === unitChoice.peek());
  return keyOf(chosen ?? usual ?? unitFor(0.01));
};

/** The choices before the form was opened. */
interface Before {
  readonly scale: ReferenceScale | undefined;
  readonly unit: string;
}

const isModern = (unit: Unit): boolean => [...metricUnits, ...imperialUnits].some((one) => keyOf(one) === keyOf(unit));

/** Applies a length at once. An old unit also becomes that of the results, unless the reader has chosen another. */
function applyLength(line: readonly [Point, Point], length: number, key: string, before: Before): void {
  const unit = units.peek().find((one) => keyOf(one) === key);
  const image = frame.peek()?.image;
  if (unit === undefined || image === undefined || !(length > 0)) return;
  const density = resolution.peek();
  const scale = scaleFromLength(line, image, length * unit.meters, density && scaleFromDpi(density));
  if (scale === undefined) return;
  batch(() => {
    // All that is typed for one line is undone together.
    setScale({ ...scale, length, unit: key }, `scale ${JSON.stringify(line)}`);
    if (isAutomatic(before.unit)) unitChoice.value = isModern(unit) ? before.unit : key;
  });
}

function cancel({ scale, unit }: Before): void {
  if (notes.peek().scale !== scale) setScale(scale);
  unitChoice.value = unit;
  referenceLine.value = undefined;
}

/** Accepts a decimal point or comma. */
const parseLength = (text: string): number => Number(text.trim().replace(',', '.'));

interface LengthFieldProps {
  readonly onInput: (text: string) => void;
}

function LengthField({ onInput }: LengthFieldProps): VNode {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // The reader has just drawn the line in order to enter its length: the next key is its first digit.
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <div class="field">
      <label for={id}>{message('scale-length')}</label>
      <input
        id={id}
        inputMode="decimal"
        autocomplete="off"
        ref={field}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

/** The form for the length of the reference line, which sets the image's scale. */
function ReferenceLength({ line }: { readonly line: readonly [Point, Point] }): VNode {
  const length = useSignal('');
  const unit = useSignal(defaultUnit());
  const before = useRef<Before>({ scale: notes.peek().scale, unit: unitChoice.peek() }).current;
  const apply = (): void => applyLength(line, parseLength(length.peek()), unit.peek(), before);
  return (
    <form
      class="reference-length"
      onSubmit={(event) => {
        event.preventDefault();
        referenceLine.value = undefined;
      }}
    >
      <LengthField
        onInput={(text) => {
          length.value = text;
          apply();
        }}
      />
      <UnitSelect
        label={message('scale-length-unit')}
        value={unit.value}
        hasAutomatic={false}
        onChange={(key) => {
          unit.value = key;
          apply();
        }}
      />
      <div class="button-row">
        <button type="submit" class="button primary" disabled={!(parseLength(length.value) > 0)}>
          {message('scale-set')}
        </button>
        <Button onClick={() => cancel(before)}>{message('cancel')}</Button>
      </div>
    </form>
  );
}
