import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it, test } from 'vitest';
import { type Configuration, readConfiguration } from '../../../../src/app/settings/configuration.ts';
import type { SettingsInput } from '../../../../src/app/settings/settings.ts';
import {
  type DigilibParameter,
  digilibParameterNames,
} from '../../../../src/config/digilib-config/config-parameters.ts';
import { readDigilibConfig } from '../../../../src/config/digilib-config/read.ts';
import { configText, makeSite } from '../../../digilib-site.ts';

const site = makeSite();
afterAll(() => site.remove());
const hires = path.join(site.folder, 'images/hires');
const scaled = path.join(site.folder, 'images/scaled');
const inWebapp = (name: string): string => path.join(site.webapp, name);

const read = (flags: SettingsInput = {}, environment: Readonly<Record<string, string>> = {}): Configuration =>
  readConfiguration({ digilib: (own) => readDigilibConfig(site.configFile, own), environment, flags });

const readParameters = (parameters: Readonly<Record<string, string>>, flags: SettingsInput = {}): Configuration => {
  site.configure({ 'basedir-list': '../images/hires', ...parameters });
  return read(flags);
};

const notesOf = (parameters: Readonly<Record<string, string>>, flags: SettingsInput = {}): readonly string[] =>
  readParameters(parameters, flags).notes;

const authFile = `<auth-config>
  <digilib-paths><path name="secret" role="staff"/></digilib-paths>
  <digilib-addresses><address ip="10" role="staff"/></digilib-addresses>
</auth-config>`;

beforeEach(() => {
  site.write('WEB-INF/digilib-auth.xml', authFile);
  site.write('WEB-INF/other-auth.xml', authFile.replace('secret', 'other'));
  site.write('WEB-INF/digilib-map.xml', '<digilib-aliases><mapping link="old" dir="photos"/></digilib-aliases>');
  site.write('maps.xml', '<digilib-aliases><mapping link="older" dir="photos"/></digilib-aliases>');
});

const unused = (reason: string): RegExp => new RegExp(`^not used by Lectern: ${reason}`);

interface Row {
  readonly value: string;
  /** Parameters that have to be there too. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Members of the settings, or the note in place of them. */
  readonly effect: object | RegExp;
}

const secret = { paths: [{ path: 'secret', roles: ['staff'] }], addresses: [{ address: '10', roles: ['staff'] }] };
const on = { 'use-authorization': 'true' };

/** Every parameter that digilib knows; one that is missing here fails the test below. */
const rows: Readonly<Record<DigilibParameter, readonly Row[]>> = {
  'basedir-list': [
    { value: `${hires}:../images/scaled`, effect: { library: { folders: [hires, scaled] } } },
    { value: `${hires};${scaled}`, effect: { library: { folders: [hires, scaled] } } },
  ],
  'use-mapping': [
    { value: 'true', effect: { library: { virtualFolders: [{ link: 'old', folder: path.join(hires, 'photos') }] } } },
    { value: 'FALSE', effect: { library: { virtualFolders: [] } } },
  ],
  'mapping-file': [
    {
      value: 'maps.xml',
      beside: { 'use-mapping': 'true' },
      effect: { library: { virtualFolders: [{ link: 'older', folder: path.join(hires, 'photos') }] } },
    },
    { value: 'maps.xml', effect: unused('mapping-file: it has no effect unless use-mapping is true') },
  ],
  'denied-image': [
    { value: 'img/mine.png', effect: { digilib: { errorPictures: { denied: inWebapp('img/mine.png') } } } },
  ],
  'error-image': [
    { value: 'img/mine.png', effect: { digilib: { errorPictures: { error: inWebapp('img/mine.png') } } } },
  ],
  'notfound-image': [
    { value: inWebapp('img/mine.png'), effect: { digilib: { errorPictures: { notFound: inWebapp('img/mine.png') } } } },
  ],
  'default-errmsg-type': [{ value: 'text', effect: { digilib: { defaultErrorForm: 'text' } } }],
  'default-quality': [{ value: '3', effect: { digilib: { defaultQuality: 3 } } }],
  'max-image-size': [
    { value: '2000000', effect: { limits: { maxArea: 2_000_000 } } },
    { value: '0', effect: unused('max-image-size: a picture always has a largest area') },
  ],
  'sendfile-allowed': [{ value: 'False', effect: { digilib: { sendFile: false } } }],
  'subsample-minimum': [{ value: '2', effect: unused('subsample-minimum: ') }],
  'img-diskcache-allowed': [{ value: 'false', effect: unused('img-diskcache-allowed: ') }],
  'docuimage-class': [{ value: 'digilib.image.JAIDocuImage', effect: unused('docuimage-class: all pictures') }],
  'docuimage-hacks': [{ value: '', effect: unused('docuimage-hacks: ') }],
  'use-authorization': [
    { value: 'true', effect: { access: secret } },
    { value: 'false', effect: { access: undefined } },
  ],
  'auth-file': [
    { value: 'other-auth.xml', beside: on, effect: { access: { paths: [{ path: 'other', roles: ['staff'] }] } } },
    { value: 'x.xml', effect: unused('auth-file: it has no effect unless use-authorization is true') },
  ],
  'authn-token-cookie': [
    { value: 'token', beside: on, effect: unused('authn-token-cookie: the configured authnops-class reads no tokens') },
    {
      value: 'token',
      beside: { ...on, 'authnops-class': 'digilib.auth.IpOpenIdAuthnOps' },
      effect: { access: { ...secret, tokenCookie: 'token' } },
    },
  ],
  'authnops-class': [
    { value: 'digilib.auth.IpAuthnOps', beside: on, effect: { access: secret } },
    {
      value: 'digilib.auth.IpServletAuthnOps',
      beside: on,
      effect: unused('authnops-class: the users of the servlet container are named by signIn.usersFile'),
    },
    { value: 'digilib.auth.OpenIdAuthnOps', beside: on, effect: { access: { addresses: [] } } },
  ],
  'authzops-class': [{ value: 'digilib.auth.PathAuthzOps', beside: on, effect: { access: secret } }],
  'authops-class': [
    { value: 'digilib.auth.PathServletAuthOps', beside: on, effect: { access: secret } },
    {
      value: 'digilib.auth.PathServletAuthOps',
      beside: { ...on, 'authzops-class': 'digilib.auth.PathAuthzOps' },
      effect: unused('authops-class: authnops-class and authzops-class took its place'),
    },
  ],
  'auth-url-path': [{ value: 'authenticated/', effect: unused('auth-url-path: ') }],
  'iiif-api-version': [
    { value: '3.0', effect: { iiif: { defaultVersion: 3 } } },
    { value: '2.1.1', effect: { iiif: { defaultVersion: 2 } } },
    { value: '1', effect: { iiif: { defaultVersion: 1 } } },
  ],
  'iiif-prefix': [{ value: 'iiif', effect: { iiif: { prefix: 'iiif' } } }],
  'iiif-slash-replacement': [{ value: '$', effect: { iiif: { slash: '$' } } }],
  'iiif-info-cors': [
    { value: 'true', effect: {} },
    { value: 'false', effect: unused('iiif-info-cors: pages of any origin may read every answer') },
  ],
  'iiif-image-cors': [{ value: 'false', effect: unused('iiif-image-cors: ') }],
  'iiif-manifest-page-label': [
    { value: 'index', effect: { iiif: { pageLabels: 'number' } } },
    { value: 'filename', effect: { iiif: { pageLabels: 'name' } } },
  ],
  'webapp-base-url': [
    {
      value: 'https://library.example/digilib/',
      effect: { http: { publicAddress: 'https://library.example/digilib' } },
    },
    { value: '', effect: { http: { publicAddress: undefined } } },
  ],
  'iiif-image-base-url': [
    { value: 'https://a.example/d/Scaler/IIIF', effect: { http: { publicAddress: 'https://a.example/d' } } },
    {
      value: 'https://a.example/d/Scaler/iiif',
      beside: { 'iiif-prefix': 'iiif', 'webapp-base-url': 'https://a.example/d' },
      effect: { http: { publicAddress: 'https://a.example/d' } },
    },
    { value: 'https://a.example/pictures', effect: unused('iiif-image-base-url: it must end with /Scaler/IIIF') },
    {
      value: 'https://b.example/d/Scaler/IIIF',
      beside: { 'webapp-base-url': 'https://a.example/d' },
      effect: unused('iiif-image-base-url: its addresses are not below https://a.example/d'),
    },
  ],
  'iiif-manifest-base-url': [
    { value: 'https://a.example/Manifester/IIIF/', effect: { http: { publicAddress: 'https://a.example' } } },
    { value: 'https://a.example/manifests', effect: unused('iiif-manifest-base-url: it must end with /Manifester/') },
  ],
  'scaler-servlet-name': [
    { value: 'Scaler', effect: {} },
    { value: 'Skaler', effect: unused('scaler-servlet-name: ') },
  ],
  'worker-threads': [{ value: '5', effect: { render: { processes: 5 } } }],
  'max-waiting-threads': [{ value: '0', effect: { render: { maxWaiting: 0 } } }],
  'worker-timeout': [
    { value: '30000', effect: { limits: { deadlineMs: 30_000 } } },
    { value: '0', effect: unused('worker-timeout: ') },
  ],
  'filemeta-class': [
    { value: 'digilib.meta.IndexMetaFileMeta', effect: {} },
    { value: 'digilib.meta.SimpleFileMeta', effect: unused('filemeta-class: metadata is read') },
  ],
  'dirmeta-class': [{ value: 'digilib.meta.SimpleDirMeta', effect: unused('dirmeta-class: ') }],
  'docudirectory-class': [
    { value: 'digilib.io.CdstarArchiveDocuDirectory', effect: unused('docudirectory-class: images are files') },
  ],
  'storage-base-url': [{ value: 'http://x', effect: unused('storage-base-url: ') }],
  'log-config-file': [{ value: 'log4j-config.xml', effect: unused('log-config-file: ') }],
  'debug-level': [{ value: '5', effect: unused('debug-level: ') }],
  'text-default-dir': [{ value: 'texts', effect: { digilib: { textFolder: 'texts' } } }],
  'pdf-worker-threads': [
    { value: '3', effect: { pdf: { workers: 3 } } },
    { value: '0', effect: unused('pdf-worker-threads: there is always one document') },
  ],
  'pdf-max-waiting-threads': [{ value: '7', effect: { pdf: { maxWaiting: 7 } } }],
  'pdf-image-worker-threads': [{ value: '1', effect: unused('pdf-image-worker-threads: pictures of documents') }],
  'pdf-image-max-waiting-threads': [{ value: '1', effect: unused('pdf-image-max-waiting-threads: pictures of doc') }],
  'pdf-temp-dir': [{ value: 'x', effect: unused('pdf-temp-dir: documents are written where they are kept') }],
  'pdf-cache-dir': [{ value: 'kept', effect: { pdf: { directory: inWebapp('kept') } } }],
  'pdf-wip-page': [{ value: 'x', effect: unused('pdf-wip-page: the pages of PDFCache') }],
  'pdf-error-page': [{ value: 'x', effect: unused('pdf-error-page: the pages of PDFCache') }],
  'pdf-ioerror-page': [{ value: 'x', effect: unused('pdf-ioerror-page: the pages of PDFCache') }],
  'pdf-logo': [
    { value: 'http://elsewhere.example/logo.png', effect: unused('pdf-logo: the logo of documents is a file') },
  ],
  'pdf-header-title': [{ value: 'A House', effect: { pdf: { headerTitle: 'A House' } } }],
  'pdf-header-subtitle': [{ value: 'of Books', effect: { pdf: { headerSubtitle: 'of Books' } } }],
};

describe('each parameter takes effect, or is named with the reason', () => {
  const cases = digilibParameterNames.flatMap((name) => rows[name].map((row) => [name, row] as const));

  it('all of them', () => expect(Object.keys(rows).sort()).toEqual([...digilibParameterNames].sort()));

  test.each(cases)('%s %j', (name, { value, beside = {}, effect }) => {
    const { settings, notes } = readParameters({ ...beside, [name]: value });
    const own = notes.filter((note) => note.startsWith(`not used by Lectern: ${name}: `));
    if (effect instanceof RegExp) {
      expect(own).toHaveLength(1);
      expect(own[0]).toMatch(effect);
    } else {
      expect(own).toEqual([]);
      expect({ access: undefined, ...settings, http: { publicAddress: undefined, ...settings.http } }).toMatchObject(
        effect,
      );
    }
  });
});

describe('a bad value is named with its parameter, and stops the start', () => {
  test.each<[string, string, string]>([
    ['default-quality', '4', 'must be 0, 1, 2 or 3'],
    ['default-quality', 'high', 'must be 0, 1, 2 or 3'],
    ['max-image-size', '-1', 'must be at least 1'],
    ['max-image-size', '1e6', 'must be a number'],
    ['sendfile-allowed', 'yes', 'must be true or false'],
    ['use-mapping', 'yes', 'must be true or false'],
    ['use-authorization', '', 'must be true or false'],
    ['use-authorization', 'on', 'must be true or false'],
    ['default-errmsg-type', 'html', 'must be "image" or "text" or "code"'],
    ['iiif-api-version', '4.0', 'must be 1, 2 or 3'],
    ['iiif-prefix', 'a/b', 'must be a name such as IIIF'],
    ['iiif-slash-replacement', '/', 'must be characters that addresses may hold, such as ! or ~'],
    ['iiif-manifest-page-label', 'name', 'must be filename or index'],
    ['worker-threads', '-1', 'must be at least '],
    ['worker-timeout', '-5', 'must be at least 1'],
    ['webapp-base-url', 'library.example', 'must look like https://library.example or https://library.example/images'],
  ])('%s = %j', (name, value, message) =>
    expect(() => readParameters({ [name]: value })).toThrow(`digilib-config.xml, line 4: ${name}: ${message}`),
  );

  it('a folder or picture that is not there likewise', () => {
    site.configure({ 'basedir-list': '/no/scans', 'error-image': 'img/none.png' });
    expect(() => read()).toThrow('line 3: basedir-list: there is no folder /no/scans');
    expect(() => read()).toThrow(`line 4: error-image: there is no file ${inWebapp('img/none.png')}`);
  });

  it('all at once', () => {
    site.configure({ 'basedir-list': '/no/scans', 'worker-threads': 'x', 'use-mapping': 'x' });
    for (const name of ['basedir-list', 'worker-threads', 'use-mapping']) expect(() => read()).toThrow(name);
  });
});

describe('names that digilib does not know', () => {
  test.each([
    ['default-qality', 'digilib knows no parameter default-qality; did you mean default-quality?'],
    ['my-own', 'digilib knows no parameter my-own'],
    ['servlet.config.file', 'not used by Lectern: servlet.config.file: digilib itself takes it from no file'],
    ['toString', 'digilib knows no parameter toString'],
  ])('%s', (name, note) => expect(notesOf({ [name]: '1' })).toEqual([note]));
});

describe('where there is nothing to read', () => {
  it('a missing file is named', () =>
    expect(() =>
      readConfiguration({
        digilib: (own) => readDigilibConfig('/no/digilib-config.xml', own),
        environment: {},
        flags: {},
      }),
    ).toThrow('there is no file /no/digilib-config.xml'));

  test.each([
    ['<digilib-config>\n  <parameter name="a" value="b">\n</digilib-config>', /line \d: it is no well-formed XML/],
    ['<web-app/>', /it must have one <digilib-config>/],
    [
      '<digilib-config>\n<parameter name="a"/></digilib-config>',
      /line 2: <parameter> must have name="…" and value="…"/,
    ],
    [
      '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<digilib-config><parameter name="a" value="&a;"/></digilib-config>',
      /digilib-config.xml: /,
    ],
  ])('%j is refused', (text, message) => {
    site.write('WEB-INF/digilib-config.xml', text);
    expect(() => read()).toThrow(message);
  });
});

describe('the folders around the file', () => {
  it('are the same by the file, by WEB-INF and by the webapp', () => {
    site.configure({ 'basedir-list': '../images/hires' });
    const byName = [site.configFile, path.dirname(site.configFile), site.webapp].map(
      (named) =>
        readConfiguration({ digilib: (own) => readDigilibConfig(named, own), environment: {}, flags: {} }).settings
          .library.folders,
    );
    expect(byName).toEqual([[hires], [hires], [hires]]);
  });

  it('a file outside of a WEB-INF stands for a webapp of its own', () => {
    const file = site.write('../plain/digilib-config.xml', configText({ 'basedir-list': '../images/scaled' }));
    expect(
      readConfiguration({ digilib: (own) => readDigilibConfig(file, own), environment: {}, flags: {} }).settings.library
        .folders,
    ).toEqual([scaled]);
  });

  it('without parameters, the samples and pictures of the webapp are taken where there are any', () => {
    site.configure({});
    expect(() => read()).toThrow('needs at least one folder');
    mkdirSync(inWebapp('sample-images'));
    site.write('img/digilib-notfound.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    const {
      library: { folders },
      digilib: { errorPictures },
    } = read().settings;
    expect(folders).toEqual([inWebapp('sample-images')]);
    expect(errorPictures).toEqual({ notFound: inWebapp('img/digilib-notfound.png') });
  });
});

describe('Lectern’s own sources win', () => {
  it('parameter by parameter', () => {
    site.configure({ 'basedir-list': '/no/scans', 'max-waiting-threads': '5', 'max-image-size': '7' });
    const { settings } = read(
      { library: { folders: [hires] }, render: { maxWaiting: 2 } },
      { LECTERN_LIMITS__MAX_AREA: '9' },
    );
    expect(settings).toMatchObject({
      library: { folders: [hires] },
      render: { maxWaiting: 2 },
      limits: { maxArea: 9 },
    });
  });

  it('and say below which path the site’s addresses begin', () => {
    const parameters = { 'webapp-base-url': 'https://a.example/digilib' };
    expect(readParameters(parameters, { http: { contextPath: '/digilib' } }).settings.http.publicAddress).toBe(
      'https://a.example',
    );
    expect(notesOf(parameters, { http: { contextPath: '/images' } })).toEqual([
      'not used by Lectern: webapp-base-url: it must end with the context path /images',
    ]);
  });
});

describe('the mapping file', () => {
  const mapping = { 'use-mapping': 'true' };

  it('leads to folders below the first base directory, and to others by their whole paths', () => {
    site.write(
      'WEB-INF/digilib-map.xml',
      `<digilib-aliases><mapping link="/a/b/" dir="photos"/><mapping link="c" dir="${scaled}"/>
        <mapping link="gone" dir="nowhere"/></digilib-aliases>`,
    );
    const { settings, notes } = readParameters(mapping);
    expect(settings.library.virtualFolders).toEqual([
      { link: '/a/b/', folder: path.join(hires, 'photos') },
      { link: 'c', folder: scaled },
    ]);
    expect(notes).toEqual([
      'not used by Lectern: mapping-file: the link gone leads to nowhere, and there is no such folder',
    ]);
  });

  test.each([
    ['<digilib-aliases><mapping link="a"/></digilib-aliases>', 'must have link="…" and dir="…"'],
    ['<aliases/>', 'it must have <digilib-aliases>'],
    ['<digilib-aliases><mapping link="../a" dir="photos"/></digilib-aliases>', 'must be a path inside of the library'],
    ['<digilib-aliases>', 'it is no well-formed XML'],
  ])('%s stops the start', (text, message) => {
    site.write('WEB-INF/digilib-map.xml', text);
    expect(() => readParameters(mapping)).toThrow(message);
  });

  it('that is missing stops the start', () =>
    expect(() => readParameters({ ...mapping, 'mapping-file': 'none.xml' })).toThrow(
      `mapping-file: there is no file ${path.join(site.webapp, 'WEB-INF/none.xml')}`,
    ));
});
