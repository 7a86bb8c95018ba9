/** Reads a site's digilib-config.xml, with the files that it names, as the lowest source of settings (digilib.md, section 7). */
import { suggestion } from '../../core/parsing/nearest.ts';
import { plainSource, type Source } from '../sources/source.ts';
import { formatKeyPath, type KeyPath, mergeTrees, type Tree, treeAt, valueAt } from '../sources/tree.ts';
import { readAccess } from './access.ts';
import { type DigilibRule, digilibParameterNames, ruleOf, type ValueForm } from './config-parameters.ts';
import { readFolders, readMapping, readPdf, readPictures } from './folders.ts';
import { digilibLocations } from './locations.ts';
import { type DigilibContext, type Given, labelOf, type Piece, readParameters, textOf } from './values.ts';
import { XmlError } from './xml-file.ts';

export interface DigilibSource extends Source {
  /** What has no effect, a sentence each. */
  readonly notes: readonly string[];
}

/** Converts a value to the type that the setting's schema reads; any other text stays a text, and the schema refuses it. */
const forms: Readonly<Record<ValueForm, (text: string) => unknown>> = {
  text: (text) => text,
  number: (text) => (/^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text),
  boolean: (text) => (/^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text),
  version: (text) => (/^[123](?:\.\d+)*$/.test(text) ? Number(text[0]) : text),
};

/** Reads one parameter by itself. */
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
      if (word !== undefined) return { values: treeAt(rule.setting.split('.'), word) };
      return { problems: [`${labelOf(context, name)}: must be ${Object.keys(rule.words).join(' or ')}`] };
    }
    case 'setting': {
      const exception = rule.except?.[value];
      if (exception !== undefined) return { unused: [`${name}: ${exception}`] };
      return { values: treeAt(rule.setting.split('.'), forms[rule.form](value)) };
    }
  }
}

const groups = [readFolders, readPictures, readPdf, readMapping, readAccess, readPublicAddress] as const;

const settingOf = (rule: DigilibRule | undefined): string | undefined =>
  rule !== undefined && 'setting' in rule ? rule.setting : undefined;

/** Whether a key path leads to a setting, or to a value inside of it. */
const isWithin = (path: string, setting: string): boolean =>
  path === setting || (path.startsWith(setting) && /^[.[]/.test(path.slice(setting.length)));

/** The parameter that gives the value at a key path: the most specific one. */
function parameterOf({ parameters }: DigilibContext, path: KeyPath): string | undefined {
  const formatted = formatKeyPath(path);
  const giving = digilibParameterNames
    .map((name) => ({ name, setting: settingOf(ruleOf(name)) ?? '' }))
    .filter(({ name, setting }) => parameters.has(name) && setting !== '' && isWithin(formatted, setting));
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
    nameOf(path) {
      const name = parameterOf(context, path);
      return name === undefined ? undefined : labelOf(context, name);
    },
  };
}

/**
 * Reads the configuration files of a site's digilib. `named` is the path of its digilib-config.xml, or of the folder that
 * it is in; `others` are the values of Lectern's own sources, which override these: paths and addresses may depend on them.
 */
export function readDigilibConfig(named: string, others: Tree): DigilibSource {
  const locations = digilibLocations(named);
  try {
    return sourceOf({ locations, parameters: readParameters(locations), others });
  } catch (error) {
    if (error instanceof XmlError) return { ...plainSource({}, [error.message]), notes: [] };
    throw error;
  }
}

const withoutEnd = (address: string, end: string): string | undefined =>
  address.endsWith(end) ? address.slice(0, -end.length || undefined) : undefined;

/** The public address of the site; it can be used only where all given addresses are below it. */
export function readPublicAddress(context: DigilibContext): Piece {
  const prefix = textOf(context, 'iiif-prefix') ?? 'IIIF';
  const contextPath = String(valueAt(context.others, ['http', 'contextPath']) ?? '').replace(/\/+$/, '');
  const ends = [
    ['webapp-base-url', ''],
    ['iiif-image-base-url', `/Scaler/${prefix}`],
    ['iiif-manifest-base-url', `/Manifester/${prefix}`],
  ] as const;
  const given = ends.flatMap(([name, end]) => {
    const address = textOf(context, name)?.replace(/\/+$/, '');
    return address === undefined ? [] : [{ name, base: withoutEnd(address, end), end }];
  });
  const base = given.find((one) => one.base !== undefined)?.base;
  const publicAddress = base === undefined ? undefined : withoutEnd(base, contextPath);
  const unused = given.flatMap(({ name, base: own, end }) => {
    if (own === undefined) return [`${name}: it must end with ${end}, where Lectern’s addresses begin`];
    if (own !== base) return [`${name}: its addresses are not below ${base}, which another parameter names`];
    return publicAddress === undefined ? [`${name}: it must end with the context path ${contextPath}`] : [];
  });
  return { ...(publicAddress === undefined ? {} : { values: { http: { publicAddress } } }), unused };
}
