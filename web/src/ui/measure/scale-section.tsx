/** Where the image's scale comes from, and a line of known length that sets another. */
import { useSignal } from '@preact/signals';
import { RulerDimensionLine } from 'lucide';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { language, message } from '../../messages/message.ts';
import { scaleFromDpi, scaleFromKnownLength } from '../../model/measure.ts';
import { metricUnits } from '../../model/unit-table.ts';
import { formatLength, keyOf } from '../../model/units.ts';
import type { Point } from '../../model/view-state.ts';
import { setScale } from '../../state/note-edits.ts';
import { notes } from '../../state/notes.ts';
import { imageScale, unitChoice, unitFor, units } from '../../state/scale.ts';
import { knownLine, takeTool } from '../../state/sketch.ts';
import { frame, resolution } from '../../state/stage.ts';
import { tool } from '../../state/tools.ts';
import { Button } from '../button.tsx';
import { UnitSelect } from './unit-select.tsx';

const metersPerInch = 0.0254;

/** Both sides where they differ. */
function densityText({ x, y }: Point): string {
  const format = new Intl.NumberFormat(language.value, { maximumFractionDigits: 1 });
  const [across, down] = [format.format(x), format.format(y)];
  return across === down ? across : `${across} × ${down}`;
}

function whereFrom(): string {
  const scale = imageScale.value;
  if (scale === undefined) return message('scale-none');
  const dpi = densityText({ x: scale.x * metersPerInch, y: scale.y * metersPerInch });
  const { from } = notes.value.scale ?? {};
  return from === undefined ? message('scale-from-dpi', { dpi }) : message('scale-from-line', { length: from, dpi });
}

/** The unit that the reader most likely knows the length in. */
const likelyUnit = (): string => {
  const usual = metricUnits.find(({ symbol }) => symbol === 'cm');
  const chosen = units.peek().find((unit) => keyOf(unit) === unitChoice.peek());
  return keyOf(chosen ?? usual ?? unitFor(0.01));
};

function takeLength(line: readonly [Point, Point], length: number, key: string): void {
  const unit = units.peek().find((one) => keyOf(one) === key);
  const image = frame.peek()?.image;
  if (unit === undefined || image === undefined || !(length > 0)) return;
  const meters = length * unit.meters;
  const known = resolution.peek();
  const scale = scaleFromKnownLength(line, image, meters, known && scaleFromDpi(known));
  if (scale === undefined) return;
  setScale({ ...scale, from: formatLength(meters, unit, language.peek()) });
  knownLine.value = undefined;
}

/** The line's length as people type it: with a point or a comma. */
const parseLength = (text: string): number => Number(text.trim().replace(',', '.'));

function KnownLength({ line }: { readonly line: readonly [Point, Point] }): VNode {
  const id = useId();
  const length = useSignal('');
  const unit = useSignal(likelyUnit());
  return (
    <form
      class="known-length"
      onSubmit={(event) => {
        event.preventDefault();
        takeLength(line, parseLength(length.peek()), unit.peek());
      }}
    >
      <div class="field">
        <label for={id}>{message('scale-length')}</label>
        <input
          id={id}
          inputMode="decimal"
          autocomplete="off"
          // The reader has just drawn the line in order to say this.
          ref={(field) => field?.focus()}
          onInput={(event) => {
            length.value = event.currentTarget.value;
          }}
        />
      </div>
      <UnitSelect
        label={message('scale-length-unit')}
        value={unit.value}
        withUsual={false}
        onChange={(key) => {
          unit.value = key;
        }}
      />
      <div class="button-row">
        <button type="submit" class="button primary" disabled={!(parseLength(length.value) > 0)}>
          {message('scale-set')}
        </button>
        <Button
          onClick={() => {
            knownLine.value = undefined;
          }}
        >
          {message('cancel')}
        </Button>
      </div>
    </form>
  );
}

export function ScaleSection(): VNode {
  const line = knownLine.value;
  return (
    <section class="panel-section">
      <h3>{message('scale')}</h3>
      <p class="soft">{whereFrom()}</p>
      {line === undefined ? (
        <div class="button-row scale-tools">
          <Button
            icon={RulerDimensionLine}
            pressed={tool.value === 'known-length'}
            onClick={() => takeTool('known-length')}
          >
            {message('measure-known-length')}
          </Button>
          {notes.value.scale && <Button onClick={() => setScale(undefined)}>{message('scale-forget')}</Button>}
        </div>
      ) : (
        <KnownLength line={line} />
      )}
      {tool.value === 'known-length' && <p class="tool-hint">{message('hint-two-points')}</p>}
    </section>
  );
}
