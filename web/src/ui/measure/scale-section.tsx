/** The scale of an image and the units of its measurements. */
import { batch, useSignal } from '@preact/signals';
import { RulerDimensionLine } from 'lucide';
import type { VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Unit } from '../../../../src/core/image/model/units.ts';
import { isMessageKey, language, message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import { metersPerInch, scaleFromDpi, scaleFromLength } from '../../model/measure/extents.ts';
import {
  formatLength,
  formatUnitScale,
  imperialUnits,
  isFound,
  keyOf,
  metricUnits,
  placeIn,
  withPlace,
} from '../../model/measure/units.ts';
import type { ReferenceScale } from '../../model/notes/own-notes.ts';
import type { Point } from '../../model/view-state.ts';
import { imageScale, isAutomatic, notes, ownUnits, unitChoice, unitFor, units } from '../../state/notes/notes.ts';
import { referenceLine, setScale, takeTool } from '../../state/notes/sketch.ts';
import { tool } from '../../state/tools.ts';
import { frame } from '../../state/view.ts';
import { resolution } from '../../state/viewport.ts';
import { Button } from '../common/button.tsx';
import { formatDensity } from '../common/words.ts';

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
        <div class="button-row scale-tools row wrap">
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
      <div class="button-row row wrap">
        <button type="submit" class="button primary" disabled={!(parseLength(length.value) > 0)}>
          {message('scale-set')}
        </button>
        <Button onClick={() => cancel(before)}>{message('cancel')}</Button>
      </div>
    </form>
  );
}

interface Group {
  readonly name: string;
  readonly units: readonly Unit[];
}

/** The site's units, then modern ones, then old ones by place. */
function groups(): readonly Group[] {
  const own = new Set(ownUnits.value.map(keyOf));
  const modern = new Set([...metricUnits, ...imperialUnits].map(keyOf));
  const others = units.value.filter((unit) => !own.has(keyOf(unit)) && !modern.has(keyOf(unit)));
  const places = [...new Set(others.map(({ place = '' }) => place))];
  return [
    { name: message('unit-group-own'), units: ownUnits.value },
    { name: message('unit-group-metric'), units: metricUnits },
    { name: message('unit-group-imperial'), units: imperialUnits },
    ...places.map((place) => ({
      name: placeIn(language.value, place),
      units: others.filter((unit) => (unit.place ?? '') === place),
    })),
  ];
}

/** Modern units have a name in the reader's language; old ones are not translated. */
function nameOf({ name, place }: Unit): string {
  const key = `unit-name-${name}`;
  return place === undefined && isMessageKey(key) ? message(key) : name;
}

/** With the place, since a closed select does not show the group. */
function textOf(unit: Unit): string {
  const name = unit.symbol === undefined ? nameOf(unit) : `${nameOf(unit)} (${unit.symbol})`;
  return withPlace(name, unit.place, language.value);
}

const matches = (unit: Unit, query: string): boolean =>
  isFound(query.trim(), [unit.name, nameOf(unit), unit.symbol ?? ''], unit.place);

function Options({ query, chosen }: { readonly query: string; readonly chosen: string }): VNode {
  return (
    <>
      {groups().map(({ name, units: all }) => {
        const found = all.filter((unit) => matches(unit, query) || keyOf(unit) === chosen);
        return found.length === 0 ? null : (
          <optgroup key={name} label={name}>
            {found.map((unit) => (
              <option key={keyOf(unit)} value={keyOf(unit)}>
                {textOf(unit)}
              </option>
            ))}
          </optgroup>
        );
      })}
    </>
  );
}

/** The unit that the query alone names. */
function soleMatch(query: string): Unit | undefined {
  const found = query.trim() === '' ? [] : units.peek().filter((unit) => matches(unit, query));
  return found.length === 1 ? found[0] : undefined;
}

interface UnitSelectProps {
  readonly label: string;
  /** Whether a heading repeats the label, which is then for screen readers only. */
  readonly isHeaded?: boolean;
  readonly value: string;
  readonly onChange: (key: string) => void;
  /** Whether the unit can depend on the length ("as it suits"). */
  readonly hasAutomatic: boolean;
}

/** A select of all units of length, grouped by system and place, with a search field. */
export function UnitSelect({ label, isHeaded, value, onChange, hasAutomatic: withUsual }: UnitSelectProps): VNode {
  const query = useSignal('');
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={isHeaded ? 'off-screen' : undefined}>
        {label}
      </label>
      <input
        type="search"
        aria-label={message('unit-find')}
        placeholder={message('unit-find')}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value;
          const sole = soleMatch(query.peek());
          if (sole !== undefined) onChange(keyOf(sole));
        }}
      />
      <p class="soft" role="status">
        {units.value.some((unit) => matches(unit, query.value)) ? '' : message('unit-none')}
      </p>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {withUsual && (
          <optgroup label={message('unit-usual')}>
            <option value="metric">{message('unit-metric')}</option>
            <option value="imperial">{message('unit-imperial')}</option>
          </optgroup>
        )}
        <Options query={query.value} chosen={value} />
      </select>
    </div>
  );
}
