/** Looks of an image, its colors and effects, that the reader has saved in the browser. */
import { isColorOperator } from '../../../src/core/image/model/color.ts';
import { isFiniteNumber, memberOf } from '../model/json-value.ts';
import { type ViewColor, type ViewEffect, viewEffects } from '../model/view-state.ts';
import { storedSignal } from './stored-preferences.ts';

export interface Look {
  readonly name: string;
  readonly color: ViewColor;
  readonly effects: readonly ViewEffect[];
}

/** More than a reader tells apart. */
export const maxLooks = 20;

const isTriple = (value: unknown): boolean => Array.isArray(value) && value.length === 3 && value.every(isFiniteNumber);

function isColor(value: unknown): value is ViewColor {
  const operation = memberOf(value, 'operation');
  return (
    ['brightness', 'contrast'].every((name) => isFiniteNumber(memberOf(value, name))) &&
    ['multiply', 'add'].every((name) => isTriple(memberOf(value, name))) &&
    (operation === '' || (typeof operation === 'string' && isColorOperator(operation)))
  );
}

const isLook = (value: unknown): value is Look => {
  const effects = memberOf(value, 'effects');
  return (
    typeof memberOf(value, 'name') === 'string' &&
    isColor(memberOf(value, 'color')) &&
    Array.isArray(effects) &&
    effects.every((effect) => viewEffects.some((name) => name === effect))
  );
};

const areLooks = (value: unknown): value is readonly Look[] =>
  Array.isArray(value) && value.length <= maxLooks && value.every(isLook);

export const looks = storedSignal<readonly Look[]>('looks', [], areLooks);

/** Saves a look; one of the same name is replaced. */
export function saveLook(look: Look): void {
  looks.value = [...looks.peek().filter(({ name }) => name !== look.name), look].slice(-maxLooks);
}

export function removeLook(name: string): void {
  looks.value = looks.peek().filter((look) => look.name !== name);
}
