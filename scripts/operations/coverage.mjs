// Checks that the page of operations shows exactly the parameters, options and operators of the code's own tables.
import { readdirSync } from 'node:fs';
import { operatorMeanings } from '../../dist/core/image/model/color.js';
import { optionMeanings, parameters } from '../../dist/features/digilib/parameters.js';
import { errorForms, errorPictures, sections, withoutPicture } from './table.mjs';

const clientParameters = Object.entries(parameters).filter(([, { scope }]) => scope === 's');

/** The meaning of each name that the page must show. */
export const meanings = new Map([
  ...clientParameters.map(([name, { meaning }]) => [name, meaning]),
  ...Object.entries(optionMeanings).map(([name, meaning]) => [`mo=${name}`, meaning]),
  ...Object.entries(operatorMeanings).map(([name, meaning]) => [`colop=${name}`, meaning]),
]);

const shown = new Set([
  ...[...sections.flatMap(({ entries }) => entries), ...withoutPicture].flatMap(({ shows }) => shows),
  ...errorForms.map(({ option }) => `mo=${option}`),
]);

const assets = readdirSync(new URL('../../assets/', import.meta.url))
  .filter((name) => name.endsWith('.png'))
  .map((name) => name.slice(0, -'.png'.length));

/** A message for each name that the page lacks, and for each that the code no longer has. */
export function coverageProblems() {
  const missing = [...meanings.keys()].filter((name) => !shown.has(name));
  const unknown = [...shown].filter((name) => !meanings.has(name));
  const pictured = errorPictures.map(({ asset }) => asset);
  const unpictured = assets.filter((name) => !pictured.includes(name));
  return [
    ...missing.map((name) => `docs/reference/operations.md lacks ${name}; add it to scripts/operations/table*.mjs`),
    ...unknown.map((name) => `scripts/operations/table*.mjs shows ${name}, which the Scaler does not know`),
    ...unpictured.map(
      (name) => `docs/reference/operations.md lacks assets/${name}.png; add it to scripts/operations/table.mjs`,
    ),
  ];
}
