/** A select of all units of length, grouped by system and place, with a search field. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { Unit } from '../../../../src/core/image/model/units.ts';
import { isMessageKey, language, message } from '../../messages/message.ts';
import { imperialUnits, metricUnits } from '../../model/measure/unit-table.ts';
import { isFound, keyOf, placeIn, withPlace } from '../../model/measure/units.ts';
import { ownUnits, units } from '../../state/notes/scale.ts';

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
      <p class="unit-none soft" role="status">
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
