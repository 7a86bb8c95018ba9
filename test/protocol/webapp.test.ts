import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-webapp-'));
const pages = path.join(scratch, 'pages');

const files: Readonly<Record<string, string>> = {
  'index.html': '<!doctype html><title>Start</title>',
  'digilib.html': '<!doctype html><title>Viewer</title>',
  'jquery/jquery.digilib.js': 'window.digilib = 1;',
  'jquery/jquery.digilib.css': 'body { margin: 0 }',
  'img/mark.png': '\x89PNG\r\n\x1a\n',
  'img/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'help/index.html': '<!doctype html><title>Help</title>',
  'help/a:b/index.html': '<!doctype html><title>Colon</title>',
  'empty/readme.txt': 'text',
  'none.txt': '',
  'with space & ü.txt': 'named',
  'WEB-INFO/a.txt': 'shown',
  Scaler: 'not the Scaler',
  'iiif/3/photos!tiny100x80/info.json': '{}',
  'api/dlInfo-json.jsp': 'source',
  'server/dlConfig.jsp': 'source',
  'viewer.jsp': 'secret source',
  'viewer.JSP': 'secret source',
  'part.jspf': 'secret source',
  'viewer.jsp.bak': 'secret source',
  'WEB-INF/digilib-config.xml': 'secret',
  'WEB-INF/lib/a.html': 'secret',
  'META-INF/context.xml': 'secret',
  'help/web-inf/a.html': 'secret',
  '.htaccess': 'secret',
  '.git/config': 'secret',
  'help/.env': 'secret',
};

let app: RunningApp;
beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(pages, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, name.endsWith('.png') ? 'latin1' : 'utf8');
    utimesSync(file, 1_600_000_000, 1_600_000_000);
  }
  writeFileSync(path.join(scratch, 'outside.html'), 'secret');
  for (const [target, link] of [
    ['../outside.html', 'outside.html'],
    ['..', 'up'],
    ['WEB-INF', 'conf'],
    ['viewer.jsp', 'source.txt'],
    ['.htaccess', 'access.txt'],
    ['/etc', 'etc'],
    ['digilib.html', 'viewer.html'],
    ['help', 'hilfe'],
    ['loop', 'loop'],
  ] as const) {
    symlinkSync(target, path.join(pages, link));
  }
  execFileSync('mkfifo', [path.join(pages, 'pipe.html')]);
  app = await startApp({ http: { webapp: pages } });
});
afterAll(async () => {
  await app.close();
  rmSync(scratch, { recursive: true });
});

describe('a file is sent with its own type', () => {
  test.each([
    ['/digilib.html', 'digilib.html', 'text/html; charset=utf-8'],
    ['/digilib.html?fn=photos&pn=3', 'digilib.html', 'text/html; charset=utf-8'],
    ['/jquery/jquery.digilib.js', 'jquery/jquery.digilib.js', 'text/javascript; charset=utf-8'],
    ['/jquery//jquery.digilib.css', 'jquery/jquery.digilib.css', 'text/css; charset=utf-8'],
    ['/img/mark.png', 'img/mark.png', 'image/png'],
    ['/img/mark.svg', 'img/mark.svg', 'image/svg+xml'],
    ['/none.txt', 'none.txt', 'text/plain; charset=utf-8'],
    ['/with%20space%20&%20%C3%BC.txt', 'with space & ü.txt', 'text/plain; charset=utf-8'],
    ['/WEB-INFO/a.txt', 'WEB-INFO/a.txt', 'text/plain; charset=utf-8'],
    ['/viewer.html', 'digilib.html', 'text/html; charset=utf-8'],
    ['/hilfe/', 'help/index.html', 'text/html; charset=utf-8'],
    ['/help/', 'help/index.html', 'text/html; charset=utf-8'],
    ['/help/index.html', 'help/index.html', 'text/html; charset=utf-8'],
    ['/', 'index.html', 'text/html; charset=utf-8'],
  ])('%s', async (address, name, mediaType) => {
    const { status, headers, body } = await app.get(address);
    expect([status, headers['content-type']]).toEqual([200, mediaType]);
    expect(body.toString(name.endsWith('.png') ? 'latin1' : 'utf8')).toBe(files[name]);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('HEAD has the same headers and no body', async () => {
    const [get, head] = [await app.get('/digilib.html'), await app.get('/digilib.html', { method: 'HEAD' })];
    expect(head.body).toHaveLength(0);
    for (const name of ['content-type', 'content-length', 'etag', 'last-modified', 'accept-ranges']) {
      expect(head.headers[name], name).toBe(get.headers[name]);
    }
    expect(get.headers['content-length']).toBe(String(files['digilib.html']?.length));
  });

  it('is answered 304 to a matching If-None-Match', async () => {
    const { headers } = await app.get('/digilib.html');
    expect(headers['last-modified']).toBe(new Date(1_600_000_000_000).toUTCString());
    for (const condition of [
      { 'if-none-match': headers.etag ?? '' },
      { 'if-modified-since': headers['last-modified'] ?? '' },
    ]) {
      const { status, body } = await app.get('/digilib.html', { headers: condition });
      expect([status, body.length]).toEqual([304, 0]);
    }
    expect((await app.get('/digilib.html', { headers: { 'if-match': '"other"' } })).status).toBe(412);
  });

  it('is sent by byte ranges', async () => {
    const part = await app.get('/digilib.html', { headers: { range: 'bytes=2-9' } });
    expect([part.status, part.headers['content-range'], part.body.toString()]).toEqual([
      206,
      `bytes 2-9/${files['digilib.html']?.length}`,
      'doctype ',
    ]);
    expect((await app.get('/digilib.html', { headers: { range: 'bytes=900-' } })).status).toBe(416);
  });
});

describe('a folder', () => {
  test.each([
    ['/help', './help/'],
    ['/help?a=b', './help/?a=b'],
    ['/help/a:b', './a:b/'],
    ['//help', './help/'],
  ])('%s redirects to %s', async (address, location) => {
    const { status, headers } = await app.get(address);
    expect([status, headers.location]).toEqual([301, location]);
  });

  test.each(['/empty', '/empty/', '/jquery/', '/img', '/digilib.html/'])('%s does not exist', async (address) =>
    expect((await app.get(address)).status).toBe(404),
  );
});

describe('nothing hidden or outside of the folder is sent', () => {
  test.each([
    '/WEB-INF/digilib-config.xml',
    '/WEB-INF/lib/a.html',
    '/web-inf/digilib-config.xml',
    '/Web-Inf/digilib-config.xml',
    '/WEB%2DINF/digilib-config.xml',
    '/%57EB-INF/digilib-config.xml',
    '/WEB-INF%2Fdigilib-config.xml',
    '/WEB-INF%2fdigilib-config.xml',
    '/WEB-INF;x/digilib-config.xml',
    '/WEB-INF./digilib-config.xml',
    '/WEB-INF%20/digilib-config.xml',
    '/./WEB-INF/digilib-config.xml',
    '//WEB-INF//digilib-config.xml',
    '/help/../WEB-INF/digilib-config.xml',
    '/help/%2e%2e/WEB-INF/digilib-config.xml',
    '/%EF%BC%B7EB-INF/digilib-config.xml',
    '/help/web-inf/a.html',
    '/META-INF/context.xml',
    '/meta-inf/context.xml',
    '/conf/digilib-config.xml',
    '/conf/lib/a.html',
    '/viewer.jsp',
    '/viewer.JSP',
    '/viewer.jsp;jsessionid=1',
    '/viewer.jsp%20',
    '/viewer.jsp%00.html',
    '/viewer.jsp.bak',
    '/viewer%2Ejsp',
    '/part.jspf',
    '/source.txt',
    '/.htaccess',
    '/%2ehtaccess',
    '/%E2%80%A4htaccess',
    '/access.txt',
    '/.git/config',
    '/help/.env',
    '/outside.html',
    '/up/outside.html',
    '/etc/passwd',
    '/../outside.html',
    '/..%2foutside.html',
    '/%2e%2e/outside.html',
    '/%252e%252e/outside.html',
    '/..%5coutside.html',
    '/help/..%c0%af..%c0%afoutside.html',
    '/%',
    '/%ff',
    '/digilib.html%00',
    '/C:/outside.html',
    '/file:///etc/passwd',
    '/loop',
    '/pipe.html',
    `/${'a'.repeat(300)}`,
    `/${'a/'.repeat(3000)}`,
  ])('%s', async (address) => {
    const { status, body } = await app.get(address);
    expect(status).toBe(404);
    expect(body.toString()).toBe('There is nothing at this address.\n');
  });

  test.each(['/digilib.jsp', '/digilib%2Ejsp'])('%s opens the reading room', async (address) =>
    expect((await app.get(address)).body.toString()).toContain('<div id="room">'),
  );

  it('nothing is logged as an unexpected error', () =>
    expect(app.logLines.filter((line) => !line.includes('Server listening'))).toEqual([]));
});

describe('the addresses of the APIs take precedence', () => {
  it('over files of the same name', async () => {
    expect((await app.get('/Scaler?fn=photos/tiny100x80&dw=9')).headers['content-type']).toBe('image/jpeg');
    expect(JSON.parse((await app.get('/iiif/3/photos!tiny100x80/info.json')).body.toString())).toMatchObject({
      width: 100,
    });
    expect(JSON.parse((await app.get('/api/dlInfo-json.jsp')).body.toString())).toHaveProperty('fn');
  });

  it('other methods stay refused', async () =>
    expect((await app.get('/digilib.html', { method: 'POST', body: 'a' })).status).toBe(405));
});

describe('with a context path', () => {
  it('the pages are only below it', async () => {
    const below = await startApp({ http: { webapp: pages, contextPath: '/digilib' } });
    try {
      const about = async (address: string): Promise<readonly unknown[]> => {
        const { status, headers } = await below.get(address);
        return [status, headers.location ?? ''];
      };
      expect((await below.get('/digilib/')).body.toString()).toBe(files['index.html']);
      expect((await below.get('/digilib/digilib.html')).body.toString()).toBe(files['digilib.html']);
      expect(await about('/digilib')).toEqual([303, '/digilib/']);
      expect(await about('/digilib/help')).toEqual([301, './help/']);
      expect(await about('/help')).toEqual([404, '']);
      // The reading room, which opens old links at any path, and not the site's own page.
      for (const outside of ['/digilib.html', '/digilib/../digilib.html'])
        expect((await below.get(outside)).body.toString()).toContain('<div id="room">');
    } finally {
      await below.close();
    }
  });
});

it('without an index.html, the start page is Lectern’s', async () => {
  const plain = await startApp({ http: { webapp: path.join(pages, 'empty') } });
  try {
    expect((await plain.get('/')).body.toString()).toContain('<title>Library – Lectern</title>');
    expect((await plain.get('/readme.txt')).body.toString()).toBe('text');
  } finally {
    await plain.close();
  }
});
