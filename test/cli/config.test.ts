/** The command `lectern config`, and `lectern serve` with a site’s digilib files. */
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeSite } from '../digilib-site.ts';
import { type CommandResult, type RunningCommand, runCommand, runInProcess } from './run-command.ts';

const site = makeSite();
afterAll(() => site.remove());

const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): RunningCommand =>
  runCommand(args, { cwd: site.folder, env: environment });

const print = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> =>
  runInProcess(['config', ...args], { cwd: site.folder, env });

const parameters = {
  'basedir-list': '../images/hires:../images/scaled',
  'notfound-image': 'img/mine.png',
  'use-mapping': 'true',
  'use-authorization': 'true',
  'authnops-class': 'digilib.auth.IpAuthnOps',
  'iiif-prefix': 'pictures',
  'iiif-slash-replacement': '~',
  'default-errmsg-type': 'code',
  'max-waiting-threads': '7',
  'max-image-size': '4000000',
  'pdf-logo': 'img/mine.png',
  'pdf-wip-page': '/pdf/wip.jsp',
  'iiif-image-cors': 'true',
  'my-own': 'x',
};

site.configure(parameters);
site.write('WEB-INF/digilib-map.xml', '<digilib-aliases><mapping link="old" dir="photos"/></digilib-aliases>');
site.write(
  'WEB-INF/digilib-auth.xml',
  `<auth-config><digilib-paths><path name="secret" role="staff"/></digilib-paths>
    <digilib-addresses><address ip="10.1" role="staff"/></digilib-addresses></auth-config>`,
);
site.write('index.html', '<!doctype html><title>The library</title>');

const converted = {
  library: {
    folders: [path.join(site.folder, 'images/hires'), path.join(site.folder, 'images/scaled')],
    virtualFolders: [{ link: 'old', folder: path.join(site.folder, 'images/hires/photos') }],
  },
  access: { addresses: [{ address: '10.1', roles: ['staff'] }], paths: [{ path: 'secret', roles: ['staff'] }] },
  digilib: { errorPictures: { notFound: path.join(site.webapp, 'img/mine.png') }, defaultErrorForm: 'code' },
  iiif: { prefix: 'pictures', slash: '~' },
  render: { maxWaiting: 7 },
  limits: { maxArea: 4_000_000 },
  pdf: { logo: path.join(site.webapp, 'img/mine.png') },
};

const notes = [
  'lectern: not used by Lectern: pdf-wip-page: the pages of PDFCache that are no document are Lectern’s own',
  'lectern: digilib knows no parameter my-own',
  '',
].join('\n');

describe('lectern config', () => {
  it('prints a site’s digilib files as one file for Lectern, and names the parameters without effect', async () => {
    const { code, stdout, stderr } = await run(['config', '--digilib-config', 'webapp/WEB-INF/digilib-config.xml'])
      .ended;
    expect(stderr).toBe(notes);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(converted);
  });

  it('prints what --config reads back', async () => {
    const first = await print(['--digilib-config', 'webapp', '--context-path', '/digilib'], {
      LECTERN_LIMITS__MAX_AREA: '3',
    });
    const file = site.write('lectern.json', first.stdout);
    const second = await print(['--config', file]);
    expect(second).toEqual({ code: 0, stdout: first.stdout, stderr: '' });
    expect(JSON.parse(first.stdout)).toMatchObject({ http: { contextPath: '/digilib' }, limits: { maxArea: 3 } });
  });

  it('prints all settings with --all', async () => {
    const { stdout } = await print(['images/hires', '--all']);
    expect(JSON.parse(stdout)).toMatchObject({
      library: { folders: [path.join(site.folder, 'images/hires')] },
      http: { port: 8080 },
      limits: { deadlineMs: 15_000 },
    });
  });

  it('takes folders of the command line before those of the site', async () => {
    const { stdout } = await print(['--digilib-config', 'webapp', 'images/scaled']);
    expect(JSON.parse(stdout).library.folders).toEqual([path.join(site.folder, 'images/scaled')]);
  });

  it('names all errors, and prints nothing', async () => {
    site.write(
      'bad/digilib-config.xml',
      '<digilib-config><parameter name="worker-threads" value="x"/></digilib-config>',
    );
    site.write('bad.json', '{ "portt": 1, "library": { "folders": ["../images/hires"] } }');
    const { code, stdout, stderr } = await print(['--digilib-config', 'webapp/bad', '--config', 'webapp/bad.json'], {
      LECTERN_PROT: '1',
    });
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.split('\n')).toEqual([
      'lectern: digilib-config.xml, line 1: worker-threads: must be a number',
      'lectern: unknown setting portt; did you mean http.port?',
      'lectern: unknown variable LECTERN_PROT; did you mean LECTERN_HTTP__PORT?',
      '',
    ]);
  });
});

describe('lectern serve', () => {
  it('serves with the settings of a site’s digilib files, and its pages', async () => {
    const { started, output } = run(['serve', '--digilib-config', 'webapp', '--webapp', 'webapp', '--port', '0']);
    const home = await started;
    expect(output.stderr).toBe(notes);
    expect(await (await fetch(home)).text()).toContain('<title>The library</title>');
    const info = await fetch(`${home}Scaler/pictures/photos~tiny/info.json`);
    expect(await info.json()).toMatchObject({ '@id': `${home}Scaler/pictures/photos~tiny`, width: 100 });
    const missing = await fetch(`${home}Scaler?fn=none&dw=9`);
    expect([missing.status, await missing.text()]).toEqual([404, '']);
    const picture = await fetch(`${home}Scaler?fn=none&dw=9&mo=errimg`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect((await fetch(`${home}WEB-INF/digilib-config.xml`)).status).toBe(404);
  });

  it('does not start if authorization is on and its file is missing', async () => {
    site.write(
      'closed/digilib-config.xml',
      '<digilib-config><parameter name="basedir-list" value="../../images/hires"/><parameter name="use-authorization" value="true"/></digilib-config>',
    );
    const { code, stdout, stderr } = await run(['--digilib-config', 'webapp/closed', '--port', '0']).ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `lectern: digilib-config.xml: auth-file: there is no file ${path.join(site.webapp, 'closed/digilib-auth.xml')}\n`,
    );
  });

  it('takes flags before and after the name of the subcommand', async () => {
    const { started } = run(['--context-path', '/a', 'serve', 'images/hires', '--port', '0']);
    expect(await started).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/a\/$/);
  });
});
