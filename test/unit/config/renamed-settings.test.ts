import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { readConfiguration } from '../../../src/app/settings/configuration.ts';
import { settingsSchema } from '../../../src/app/settings/settings.ts';
import { renamedSettings } from '../../../src/config/renamed-settings.ts';
import type { SettingsError } from '../../../src/config/settings-error.ts';
import { variablesOf } from '../../../src/config/sources/environment.ts';
import { schemaAt } from '../../../src/config/sources/schema-shape.ts';
import { treeAt } from '../../../src/config/sources/tree.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-renamed-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Every setting of version 0.1.0 that is an object, a list or a value at the top level, and every one inside of those. */
const oldNames = [
  ...['folders', 'virtualFolders', 'port', 'host', 'contextPath', 'trustedProxies', 'publicAddress', 'webapp'],
  ...['embedAncestors', 'units', 'access', 'access.addresses', 'access.tokens', 'access.tokenCookie'],
  ...['access.rolesHeader', 'access.paths', 'access.types', 'followLinksOutside', 'index', 'index.directory'],
  ...['index.maxBytes', 'index.memoryBytes', 'orientation', 'profiles', 'sendFile', 'defaultQuality'],
  ...['errorPictures', 'errorPictures.notFound', 'errorPictures.denied', 'errorPictures.error', 'defaultErrorForm'],
  ...['legacyErrorStatus', 'iiifPrefix', 'iiifSlash', 'iiifRawSlashes', 'iiifDefaultVersion', 'pageLabels'],
  ...['cacheControl', 'maxArea', 'maxWidth', 'maxHeight', 'maxUpscale', 'renderProcesses', 'pyramids'],
  ...['pyramids.directory', 'pyramids.maxBytes', 'pyramids.quality', 'pyramids.automatic', 'maxWaiting'],
  ...['renderTimeoutMs', 'explain', 'cache', 'cache.memoryBytes', 'cache.directory'],
  ...['cache.maxBytes', 'logLevel'],
];

const variableOf = (name: string): string =>
  `LECTERN_${name
    .split('.')
    .map((part) => part.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase())
    .join('__')}`;

function problemsOf(content: unknown, environment: Readonly<Record<string, string>>): readonly string[] {
  const file = path.join(scratch, 'lectern.json');
  writeFileSync(file, JSON.stringify(content));
  try {
    readConfiguration({ fallback: { library: { folders: [scratch] } }, file, environment, flags: {} });
    return [];
  } catch (error) {
    return (error as SettingsError).message.split('\n');
  }
}

const hasOwnRow = (name: string): boolean => Object.hasOwn(renamedSettings, name);
const isRenamed = (name: string): boolean => hasOwnRow(name) || hasOwnRow(name.split('.')[0] ?? '');

describe('every setting of version 0.1.0', () => {
  const present = new Set(variablesOf(settingsSchema).map(({ path }) => path.join('.')));

  test.each(oldNames)('%s is refused with its new name, or is a setting still', (name) =>
    expect(isRenamed(name)).toBe(!present.has(name)),
  );

  test.each(oldNames.filter(isRenamed))('%s is refused in the environment with its new name', (name) => {
    const [outer = '', ...rest] = hasOwnRow(name) ? [name] : name.split('.');
    const renamed = [renamedSettings[outer], ...rest].join('.');
    expect(problemsOf({}, { [variableOf(name)]: '1' })).toEqual([
      `the variable ${variableOf(name)} is now called ${variableOf(renamed)}`,
    ]);
  });

  test.each(Object.entries(renamedSettings))('%s is refused in a file with its new name', (name, renamed) =>
    expect(problemsOf(treeAt(name.split('.'), 1), {})).toEqual([`the setting ${name} is now called ${renamed}`]),
  );

  test.each(Object.values(renamedSettings))('%s is a setting', (renamed) =>
    expect(schemaAt(settingsSchema, renamed.split('.'))).toBeDefined(),
  );
});

it('names all old names of all sources at once', () =>
  expect(problemsOf({ port: 1, iiifSlash: '~', maxAera: 1 }, { LECTERN_MAX_AREA: '5', LECTERN_HOST: 'x' })).toEqual([
    'the setting port is now called http.port',
    'the setting iiifSlash is now called iiif.slash',
    'unknown setting maxAera; did you mean limits.maxArea?',
    'the variable LECTERN_MAX_AREA is now called LECTERN_LIMITS__MAX_AREA',
    'the variable LECTERN_HOST is now called LECTERN_HTTP__HOST',
  ]));

it('does not ask for a folder where one is named by its old name', () => {
  const file = path.join(scratch, 'old.json');
  writeFileSync(file, JSON.stringify({ folders: [scratch] }));
  expect(() => readConfiguration({ file, environment: {}, flags: {} })).toThrow(
    /^the setting folders is now called library\.folders$/,
  );
});
