/** digilib's query parameters in the API description, generated from the tables of parameters, options and operators. */
import { optionMeanings, optionNames } from '../../../features/digilib/options.ts';
import {
  formatValue,
  type ParameterName,
  type ParameterType,
  parameters,
  settableNames,
} from '../../../features/digilib/parameters.ts';
import { operatorMeanings } from '../../image/model/color.ts';
import type { Parameter, Schema } from './operation.ts';

const types: Readonly<Record<ParameterType, Schema>> = {
  int: { type: 'integer', format: 'int32' },
  float: { type: 'number', format: 'float' },
  string: { type: 'string' },
  options: { type: 'array', items: { type: 'string', enum: optionNames } },
};

const list = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([name, meaning]) => `\n- \`${name}\`: ${meaning}`)
    .join('');

/** Text that follows the table's one-line meaning. */
const more: Partial<Record<ParameterName, string>> = {
  mo: `. Unknown ones are dropped.\n${list(optionMeanings)}`,
  colop: `, in upper or lower case; an unknown one has no effect.\n${list(operatorMeanings)}`,
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function descriptionOf(name: ParameterName): string {
  const { meaning, scope } = parameters[name];
  const echoed = scope === 'c' ? '; echoed unless the image’s own facts replace it' : '';
  return `${capitalized(meaning)}${echoed}${more[name] ?? '.'}`;
}

function defaultOf(name: ParameterName): unknown {
  const value = parameters[name].default;
  return value instanceof Set ? [...value] : value;
}

/** The width `dw` of the example requests, in pixels. */
const exampleWidth = 400;

/** A parameter's name; `mo.dir` is `mo` for the endpoints that heed its option `dir` alone. */
export type QueryParameterName = ParameterName | 'mo.dir';

const folderOptions: Parameter = {
  name: 'mo',
  in: 'query',
  description: `With \`dir\`: ${optionMeanings.dir}.`,
  schema: { type: 'string', enum: ['', 'dir'], default: '' },
};

/** The parameters that a client can set, with the path of an image for the examples. */
export function queryParameters(image: string): Partial<Readonly<Record<QueryParameterName, Parameter>>> {
  const examples: Partial<Record<ParameterName, unknown>> = { fn: image, dw: exampleWidth };
  const whole = Object.fromEntries(
    settableNames.map((name): readonly [string, Parameter] => {
      const { type } = parameters[name];
      const example = examples[name];
      return [
        name,
        {
          name,
          in: 'query',
          description: descriptionOf(name),
          schema: { ...types[type], default: defaultOf(name) },
          ...(type === 'options' ? { style: 'form', explode: false } : {}),
          ...(example === undefined ? {} : { example }),
        },
      ];
    }),
  );
  return { ...whole, 'mo.dir': folderOptions };
}

export const exampleQuery = (image: string): string => `fn=${encodeURIComponent(image)}&dw=${exampleWidth}`;

/** The schema of a parameter as a member of the info object, where every value is text. */
export const memberSchema = (name: ParameterName): Schema => ({
  type: 'string',
  description: `${capitalized(parameters[name].meaning)}.`,
  default: formatValue(name, parameters[name].default),
});

export const clientNames: readonly ParameterName[] = settableNames.filter((name) => parameters[name].scope === 's');
