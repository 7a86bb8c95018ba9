/** Reads a site's digilib-config.xml, with the files that it names, as the lowest source of settings (digilib.md, section 7). */

import { suggestion } from '../../text/nearest.ts';
import { plainSource, type Source } from '../sources/source.ts';
import { mergeTrees, placeOf, type Tree, treeAt } from '../sources/tree.ts';
import { XmlError } from '../xml.ts';
import { readAccess } from './access.ts';
import { readFolders, readMapping, readPictures } from './folders.ts';
import { digilibPlaces } from './locations.ts';
import { type DigilibRule, digilibParameterNames, ruleOf, type ValueForm } from './parameters.ts';
import { readAddresses } from './public-address.ts';
import { type DigilibContext, type Given, labelOf, type Piece, readParameters } from './values.ts';

export interface DigilibSource extends Source {
  /** What is without effect, a sentence each. */
  readonly notes: readonly string[];
}

/** A value in the form that the setting's schema reads; a text that has no such form stays one, and the schema refuses it. */
const forms: Readonly<Record<ValueForm, (text: string) => unknown>> = {
  text: (text) => text,
  number: (text) => (/^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text),
  boolean: (text) => (/^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text),
  version: (text) => (/^[123](?:\.\d+)*$/.test(text) ? Number(text[0]) : text),
};

/** One parameter that stands for itself. */
function readOne(name: string, { value }: Given, rule: DigilibRule, context: DigilibContext): Piece {
  switch (rule.kind) {
    case 'group':
      return {};
    case 'unused':
      return { unused: [`${name}: ${rule.reason}`] };
    case 'always':
      return value.toLowerCase() === rule.value.toLowerCase() ? {} : { unused: [`${name}: ${rule.reason}`] };
    case 'words': {
      const word = Object.hasOwn(rule.words, value) ? rule.words[value] : undefined;
      if (word !== undefined) return { values: treeAt([rule.setting], word) };
      return { problems: [`${labelOf(context, name)}: must be ${Object.keys(rule.words).join(' or ')}`] };
    }
    case 'setting': {
      const exception = rule.except?.[value];
      if (exception !== undefined) return { unused: [`${name}: ${exception}`] };
      return { values: treeAt([rule.setting], forms[rule.form](value)) };
    }
  }
}

const groups = [readFolders, readPictures, readMapping, readAccess, readAddresses] as const;

const settingOf = (rule: DigilibRule | undefined): string | undefined =>
  rule !== undefined && 'setting' in rule ? rule.setting : undefined;

/** Whether a place is that of a setting, or inside of it. */
const isIn = (place: string, setting: string): boolean =>
  place === setting || (place.startsWith(setting) && /^[.[]/.test(place.slice(setting.length)));

/** The parameter that gives what stands at a place: the one that says most exactly what. */
function parameterOf({ parameters }: DigilibContext, path: readonly PropertyKey[]): string | undefined {
  const place = placeOf(path);
  const giving = digilibParameterNames
    .map((name) => ({ name, setting: settingOf(ruleOf(name)) ?? '' }))
    .filter(({ name, setting }) => parameters.has(name) && setting !== '' && isIn(place, setting));
  return giving.sort((a, b) => b.setting.length - a.setting.length)[0]?.name;
}

const unknownNote = (name: string): string =>
  `digilib knows no parameter ${name}${suggestion(name, digilibParameterNames)}`;

function sourceOf(context: DigilibContext): DigilibSource {
  const single = [...context.parameters].map(([name, given]) => {
    const rule = ruleOf(name);
    return rule === undefined ? {} : readOne(name, given, rule, context);
  });
  const pieces: readonly Piece[] = [...single, ...groups.map((read) => read(context))];
  const unknown = [...context.parameters.keys()].filter((name) => ruleOf(name) === undefined);
  return {
    values: pieces.reduce<Tree>((values, piece) => mergeTrees(values, piece.values ?? {}), {}),
    problems: pieces.flatMap(({ problems = [] }) => problems),
    notes: [
      ...pieces.flatMap(({ unused = [] }) => unused.map((sentence) => `not used by Lectern: ${sentence}`)),
      ...unknown.map(unknownNote),
    ],
    nameOf(place) {
      const name = parameterOf(context, place);
      return name === undefined ? undefined : labelOf(context, name);
    },
  };
}

/**
 * What the files of a site's digilib say. `named` is the path of its digilib-config.xml, or of the folder that it is in;
 * `others` are the values of Lectern's own sources, which win: paths and addresses may depend on them.
 */
export function readDigilibConfig(named: string, others: Tree): DigilibSource {
  const places = digilibPlaces(named);
  try {
    return sourceOf({ places, parameters: readParameters(places), others });
  } catch (error) {
    if (error instanceof XmlError) return { ...plainSource({}, [error.message]), notes: [] };
    throw error;
  }
}
