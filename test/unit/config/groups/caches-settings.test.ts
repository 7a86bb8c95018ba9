import path from 'node:path';
import { expect, it } from 'vitest';
import { readSettings } from '../../../../src/app/settings/configuration.ts';

const folders = [import.meta.dirname];
const indexBy = (environment: Record<string, string>) =>
  readSettings({ library: { folders } }, environment, undefined).index;

it('has bounds, and a directory of its own where none is named', () => {
  expect(indexBy({})).toEqual({ maxBytes: 2 ** 30, memoryBytes: 2 ** 26 });
});

it.each([
  ['/var/cache/lectern', '/var/cache/lectern'],
  ['near', path.resolve('near')],
  ['false', false],
])('has the directory that the environment names: %s', (named, directory) => {
  expect(indexBy({ LECTERN_INDEX__DIRECTORY: named })).toEqual({ directory, maxBytes: 2 ** 30, memoryBytes: 2 ** 26 });
});

it.each([
  [{ LECTERN_INDEX__DIRECTORY: 'true' }, 'LECTERN_INDEX__DIRECTORY: must be a path, or false'],
  [{ LECTERN_INDEX__MAX_BYTES: '0' }, 'LECTERN_INDEX__MAX_BYTES: must be at least 1'],
  [{ LECTERN_INDEX__MEMORY_BYTES: '1000' }, 'LECTERN_INDEX__MEMORY_BYTES: must be at least 1048576'],
])('says what would be right: %j', (environment, message) => {
  expect(() => indexBy(environment)).toThrow(message);
});
