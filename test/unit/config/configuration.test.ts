import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, test } from 'vitest';
import { differingSettings, readConfiguration } from '../../../src/app/settings/configuration.ts';
import { type SettingsInput, settingsSchema } from '../../../src/app/settings/settings.ts';
import type { SettingsError } from '../../../src/config/settings-error.ts';

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
    fallback: { library: { folders: [scans] } },
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
    [{ LECTERN_LIMITS__MAX_AREA: '5000' }, { limits: { maxArea: 5000 } }],
    [{ LECTERN_HTTP__CONTEXT_PATH: '/digilib/' }, { http: { contextPath: '/digilib' } }],
    [{ LECTERN_LIBRARY__FOLLOW_LINKS_OUTSIDE: 'true' }, { library: { followLinksOutside: true } }],
    [{ LECTERN_HTTP__HOST: '10' }, { http: { host: '10' } }],
    [{ LECTERN_IIIF__DEFAULT_VERSION: '3' }, { iiif: { defaultVersion: 3 } }],
    [{ LECTERN_HTTP__TRUSTED_PROXIES: '["10.0.0.0/8"]' }, { http: { trustedProxies: ['10.0.0.0/8'] } }],
    [
      { LECTERN_READING_ROOM__EMBED_ANCESTORS: '["*.library.example"]' },
      { readingRoom: { embedAncestors: ['*.library.example'] } },
    ],
    [{ LECTERN_LIBRARY__FOLDERS: `${more}:${scans}:` }, { library: { folders: [more, scans] } }],
    [{ LECTERN_LIBRARY__FOLDERS: JSON.stringify([more]) }, { library: { folders: [more] } }],
    [{ LECTERN_ACCESS__TOKEN_COOKIE: 'token' }, { access: { tokenCookie: 'token' } }],
    [
      { LECTERN_ACCESS: '{"paths":[{"path":"a","roles":["r"]}]}', LECTERN_ACCESS__TOKEN_COOKIE: 'token' },
      { access: { paths: [{ path: 'a', roles: ['r'] }], tokenCookie: 'token' } },
    ],
    [{ PORT: '99', HOST: '::1' }, { http: { port: 99, host: '::1' } }],
    [{ PORT: '99', LECTERN_HTTP__PORT: '98', HOST: 'a', LECTERN_HTTP__HOST: 'b' }, { http: { port: 98, host: 'b' } }],
    [
      { LECTERN_LIMITS__MAX_AREA: '', PORT: '' },
      { limits: { maxArea: 100_000_000 }, http: { port: 8080 } },
    ],
    [{ LECTERN_TEST_CHROMIUM: '/chromium' }, {}],
  ])('%j', (environment, expected) => expect(read({ environment }).settings).toMatchObject(expected));
});

describe('the later source wins', () => {
  const file = {
    http: { port: 1 },
    limits: { maxArea: 1 },
    library: { orientation: 'ignore' },
    access: { tokenCookie: 'file', rolesHeader: 'X-Roles' },
  };
  const environment = { PORT: '2', LECTERN_LIMITS__MAX_AREA: '2', LECTERN_ACCESS__TOKEN_COOKIE: 'environment' };

  it('environment over file, flags over both; nested settings are merged', () => {
    const { settings } = read({ file, environment, flags: { http: { port: 3 } } });
    expect(settings).toMatchObject({
      http: { port: 3 },
      limits: { maxArea: 2 },
      library: { orientation: 'ignore' },
      access: { tokenCookie: 'environment', rolesHeader: 'X-Roles' },
    });
  });

  it('a list replaces a list', () =>
    expect(
      read({ file: { library: { folders: [scans, more] } }, flags: { library: { folders: [more] } } }).settings.library
        .folders,
    ).toEqual([more]));
});

describe('a JSON file', () => {
  it('names paths relative to itself', () => {
    const { settings } = read({
      file: {
        library: { folders: ['scans', './more scans'], virtualFolders: [{ link: 'a', folder: 'scans' }] },
        http: { webapp: '.' },
      },
    });
    expect(settings.library.folders).toEqual([scans, more]);
    expect(settings.http.webapp).toBe(scratch);
    expect(settings.library.virtualFolders).toEqual([{ link: 'a', folder: scans }]);
  });

  it('may name its schema, and begin with a byte order mark', () =>
    expect(read({ file: '\uFEFF{"$schema":"x","http":{"port":7}}' }).settings.http.port).toBe(7));

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
      file: {
        library: { folders: ['more scans'] },
        http: { port: 8080 },
        limits: { maxArea: 5 },
        access: { paths: [{ path: 'a', roles: [] }] },
      },
      flags: { http: { contextPath: '/x' } },
    });
    const printed = differingSettings(first);
    expect(Object.keys(printed)).toEqual(['library', 'http', 'access', 'limits']);
    expect(read({ file: printed }).settings).toEqual(first.settings);
    expect(read({ file: JSON.parse(JSON.stringify(first.settings)) }).settings).toEqual(first.settings);
  });
});

describe('all that is wrong is named at once, with its place and what would be right', () => {
  test.each<[string, Sources, readonly string[]]>([
    [
      'unknown settings of a file, nested ones too',
      {
        file: {
          limits: { maxAera: 1 },
          access: { tokenCokie: 'a', zebra: 1 },
          digilib: { errorPictures: { notfound: 'x' } },
        },
      },
      [
        'unknown setting limits.maxAera; did you mean limits.maxArea?',
        'unknown setting access.tokenCokie; did you mean access.tokenCookie?',
        'unknown setting access.zebra',
        'unknown setting digilib.errorPictures.notfound; did you mean digilib.errorPictures.notFound?',
      ],
    ],
    [
      'bad values of a file',
      {
        file: {
          library: { orientation: 'up', virtualFolders: [{ link: '../a', folder: scans }] },
          limits: { maxArea: -1 },
          render: { maxWaiting: 1.5 },
          digilib: { sendFile: 'yes' },
          http: { contextPath: 3 },
          access: { tokens: [{ issuer: 3 }] },
        },
      },
      [
        'library.orientation: must be "apply" or "ignore"',
        'limits.maxArea: must be at least 1',
        'render.maxWaiting: must be a whole number',
        'digilib.sendFile: must be true or false',
        'http.contextPath: must be a text',
        'library.virtualFolders[0].link: must be a path inside of the library, such as maps/atlas',
        'access.tokens[0].issuer: must be a text',
        'access.tokens[0].audience: is missing',
      ],
    ],
    [
      'unknown variables and bad values of the environment',
      { environment: { LECTERN_LIMITS__MAX_AERA: '1', LECTERN_ZEBRA: '1', LECTERN_RENDER__PROFILES: 'x', PORT: 'x' } },
      [
        'unknown variable LECTERN_LIMITS__MAX_AERA; did you mean LECTERN_LIMITS__MAX_AREA?',
        'unknown variable LECTERN_ZEBRA',
        'LECTERN_RENDER__PROFILES: must be "convert" or "keep"',
        'PORT: must be a whole number',
      ],
    ],
    [
      'all sources together, also where a later one wins',
      {
        file: { http: { port: 'x' }, library: { folders: ['nowhere'] } },
        environment: { LECTERN_HTTP__PORT: '70000' },
        flags: { http: { port: 5 } },
      },
      [
        'http.port: must be a whole number',
        'LECTERN_HTTP__PORT: must be 0 to 65535',
        `there is no folder ${path.join(scratch, 'nowhere')}`,
      ],
    ],
    [
      'folders and files that there are not',
      {
        environment: { LECTERN_HTTP__WEBAPP: '/no/pages', LECTERN_DIGILIB__ERROR_PICTURES__ERROR: '/no/file' },
        file: {
          library: { virtualFolders: [{ link: 'a', folder: 'nowhere' }] },
          digilib: { errorPictures: { denied: '1.json' } },
          readingRoom: { units: 'no.json' },
        },
      },
      [
        'LECTERN_HTTP__WEBAPP: there is no folder /no/pages',
        `library.virtualFolders[0].folder: there is no folder ${path.join(scratch, 'nowhere')}`,
        `readingRoom.units: there is no file ${path.join(scratch, 'no.json')} that can be read`,
        `digilib.errorPictures.denied: ${path.join(scratch, '1.json')} is no PNG, JPEG, GIF or WebP picture`,
        'LECTERN_DIGILIB__ERROR_PICTURES__ERROR: there is no file /no/file',
      ],
    ],
    [
      'a link twice',
      {
        file: {
          library: {
            virtualFolders: [
              { link: 'a/b', folder: scans },
              { link: '/a//b/', folder: scans },
            ],
          },
        },
      },
      ['library.virtualFolders: must not have the same link twice'],
    ],
  ])('%s', (_, sources, expected) => {
    const problems = problemsOf(sources);
    for (const problem of expected) expect(problems).toContain(problem);
  });

  it('a folder that a later source replaces need not be there', () =>
    expect(
      problemsOf({ file: { library: { folders: ['nowhere'] } }, flags: { library: { folders: [scans] } } }),
    ).toEqual([]));

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
