import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, test } from 'vitest';
import {
  differingSettings,
  readConfiguration,
  type SettingsError,
  type SettingsInput,
  settingsSchema,
} from '../../../src/config/settings.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-settings-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const scans = path.join(scratch, 'scans');
const more = path.join(scratch, 'more scans');
for (const folder of [scans, more]) mkdirSync(folder);

let files = 0;
function fileWith(content: unknown): string {
  const file = path.join(scratch, `${++files}.json`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

interface Sources {
  readonly file?: unknown;
  readonly environment?: Readonly<Record<string, string>>;
  readonly flags?: SettingsInput;
}

const read = ({ file, environment = {}, flags = {} }: Sources) =>
  readConfiguration({
    fallback: { folders: [scans] },
    file: file === undefined ? undefined : fileWith(file),
    environment,
    flags,
  });

function problemsOf(sources: Sources): readonly string[] {
  try {
    read(sources);
  } catch (error) {
    return (error as SettingsError).message.split('\n');
  }
  return [];
}

describe('a variable of the environment gives a setting', () => {
  test.each<[Record<string, string>, object]>([
    [{ LECTERN_MAX_AREA: '5000' }, { maxArea: 5000 }],
    [{ LECTERN_CONTEXT_PATH: '/digilib/' }, { contextPath: '/digilib' }],
    [{ LECTERN_FOLLOW_LINKS_OUTSIDE: 'true' }, { followLinksOutside: true }],
    [{ LECTERN_HOST: '10' }, { host: '10' }],
    [{ LECTERN_IIIF_DEFAULT_VERSION: '3' }, { iiifDefaultVersion: 3 }],
    [{ LECTERN_TRUSTED_PROXIES: '["10.0.0.0/8"]' }, { trustedProxies: ['10.0.0.0/8'] }],
    [{ LECTERN_EMBED_ANCESTORS: '["*.library.example"]' }, { embedAncestors: ['*.library.example'] }],
    [{ LECTERN_FOLDERS: `${more}:${scans}:` }, { folders: [more, scans] }],
    [{ LECTERN_FOLDERS: JSON.stringify([more]) }, { folders: [more] }],
    [{ LECTERN_ACCESS__TOKEN_COOKIE: 'token' }, { access: { tokenCookie: 'token' } }],
    [
      { LECTERN_ACCESS: '{"paths":[{"path":"a","roles":["r"]}]}', LECTERN_ACCESS__TOKEN_COOKIE: 'token' },
      { access: { paths: [{ path: 'a', roles: ['r'] }], tokenCookie: 'token' } },
    ],
    [
      { PORT: '99', HOST: '::1' },
      { port: 99, host: '::1' },
    ],
    [
      { PORT: '99', LECTERN_PORT: '98', HOST: 'a', LECTERN_HOST: 'b' },
      { port: 98, host: 'b' },
    ],
    [
      { LECTERN_MAX_AREA: '', PORT: '' },
      { maxArea: 100_000_000, port: 8080 },
    ],
    [{ LECTERN_TEST_CHROMIUM: '/chromium' }, {}],
  ])('%j', (environment, expected) => expect(read({ environment }).settings).toMatchObject(expected));
});

describe('the later source wins', () => {
  const file = { port: 1, maxArea: 1, orientation: 'ignore', access: { tokenCookie: 'file', rolesHeader: 'X-Roles' } };
  const environment = { PORT: '2', LECTERN_MAX_AREA: '2', LECTERN_ACCESS__TOKEN_COOKIE: 'environment' };

  it('environment over file, flags over both; nested settings are merged', () => {
    const { settings } = read({ file, environment, flags: { port: 3 } });
    expect(settings).toMatchObject({
      port: 3,
      maxArea: 2,
      orientation: 'ignore',
      access: { tokenCookie: 'environment', rolesHeader: 'X-Roles' },
    });
  });

  it('a list replaces a list', () =>
    expect(read({ file: { folders: [scans, more] }, flags: { folders: [more] } }).settings.folders).toEqual([more]));
});

describe('a JSON file', () => {
  it('names paths relative to itself', () => {
    const { settings } = read({
      file: { folders: ['scans', './more scans'], webapp: '.', virtualFolders: [{ link: 'a', folder: 'scans' }] },
    });
    expect(settings.folders).toEqual([scans, more]);
    expect(settings.webapp).toBe(scratch);
    expect(settings.virtualFolders).toEqual([{ link: 'a', folder: scans }]);
  });

  it('may name its schema, and begin with a byte order mark', () =>
    expect(read({ file: '\uFEFF{"$schema":"x","port":7}' }).settings.port).toBe(7));

  test.each<[unknown, RegExp]>([
    ['{', /^.*\.json is not JSON: /],
    ['[]', /^.*\.json must hold a JSON object/],
    ['null', /^.*\.json must hold a JSON object/],
  ])('%s is refused', (text, message) => {
    const problems = problemsOf({ file: text });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(message);
  });

  it('says what it says: what is printed reads back to the same settings', () => {
    const first = read({
      file: { folders: ['more scans'], port: 8080, maxArea: 5, access: { paths: [{ path: 'a', roles: [] }] } },
      flags: { contextPath: '/x' },
    });
    const printed = differingSettings(first);
    expect(Object.keys(printed)).toEqual(['folders', 'maxArea', 'access', 'contextPath']);
    expect(read({ file: printed }).settings).toEqual(first.settings);
    expect(read({ file: JSON.parse(JSON.stringify(first.settings)) }).settings).toEqual(first.settings);
  });
});

describe('all that is wrong is named at once, with its place and what would be right', () => {
  test.each<[string, Sources, readonly string[]]>([
    [
      'unknown settings of a file, nested ones too',
      { file: { maxAera: 1, access: { tokenCokie: 'a', zebra: 1 }, errorPictures: { notfound: 'x' } } },
      [
        'unknown setting maxAera; did you mean maxArea?',
        'unknown setting access.tokenCokie; did you mean access.tokenCookie?',
        'unknown setting access.zebra',
        'unknown setting errorPictures.notfound; did you mean errorPictures.notFound?',
      ],
    ],
    [
      'bad values of a file',
      {
        file: {
          orientation: 'up',
          maxArea: -1,
          maxWaiting: 1.5,
          sendFile: 'yes',
          contextPath: 3,
          virtualFolders: [{ link: '../a', folder: scans }],
          access: { tokens: [{ issuer: 3 }] },
        },
      },
      [
        'orientation: must be "apply" or "ignore"',
        'maxArea: must be at least 1',
        'maxWaiting: must be a whole number',
        'sendFile: must be true or false',
        'contextPath: must be a text',
        'virtualFolders[0].link: must be a path inside of the library, such as maps/atlas',
        'access.tokens[0].issuer: must be a text',
        'access.tokens[0].audience: is missing',
      ],
    ],
    [
      'unknown variables and bad values of the environment',
      { environment: { LECTERN_MAX_AERA: '1', LECTERN_ZEBRA: '1', LECTERN_PROFILES: 'x', PORT: 'x' } },
      [
        'unknown variable LECTERN_MAX_AERA; did you mean LECTERN_MAX_AREA?',
        'unknown variable LECTERN_ZEBRA',
        'LECTERN_PROFILES: must be "convert" or "keep"',
        'PORT: must be a whole number',
      ],
    ],
    [
      'all sources together, also where a later one wins',
      { file: { port: 'x', folders: ['nowhere'] }, environment: { LECTERN_PORT: '70000' }, flags: { port: 5 } },
      [
        'port: must be a whole number',
        'LECTERN_PORT: must be 0 to 65535',
        `there is no folder ${path.join(scratch, 'nowhere')}`,
      ],
    ],
    [
      'folders and files that there are not',
      {
        environment: { LECTERN_WEBAPP: '/no/pages', LECTERN_ERROR_PICTURES__ERROR: '/no/file' },
        file: {
          virtualFolders: [{ link: 'a', folder: 'nowhere' }],
          errorPictures: { denied: '1.json' },
          units: 'no.json',
        },
      },
      [
        'LECTERN_WEBAPP: there is no folder /no/pages',
        `virtualFolders[0].folder: there is no folder ${path.join(scratch, 'nowhere')}`,
        `units: there is no file ${path.join(scratch, 'no.json')} that can be read`,
        `errorPictures.denied: ${path.join(scratch, '1.json')} is no PNG, JPEG, GIF or WebP picture`,
        'LECTERN_ERROR_PICTURES__ERROR: there is no file /no/file',
      ],
    ],
    [
      'a link twice',
      {
        file: {
          virtualFolders: [
            { link: 'a/b', folder: scans },
            { link: '/a//b/', folder: scans },
          ],
        },
      },
      ['virtualFolders: must not have the same link twice'],
    ],
  ])('%s', (_, sources, expected) => {
    const problems = problemsOf(sources);
    for (const problem of expected) expect(problems).toContain(problem);
  });

  it('a folder that a later source replaces need not be there', () =>
    expect(problemsOf({ file: { folders: ['nowhere'] }, flags: { folders: [scans] } })).toEqual([]));

  it('without any folder, one is asked for', () =>
    expect(() => readConfiguration({ environment: {}, flags: {} })).toThrow(/^needs at least one folder/));
});

describe('the JSON Schema for editors', () => {
  const schema = JSON.parse(
    readFileSync(fileURLToPath(new URL('../../../docs/reference/lectern.schema.json', import.meta.url)), 'utf8'),
  ) as { $schema: string; properties: Record<string, { type?: string; default?: unknown; description?: string }> };

  it('is of 2020-12 and knows every setting with its meaning', () => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(Object.keys(schema.properties)).toEqual(['$schema', ...Object.keys(settingsSchema.shape)]);
    for (const [name, { description }] of Object.entries(schema.properties)) expect(description, name).toBeTruthy();
  });
});
