/** Access: rules apply at every endpoint and to every alias of a path. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SignJWT } from 'jose';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const [width, height] = [37, 23];
const folder = mkdtempSync(path.join(tmpdir(), 'lectern-access-'));
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const meta = (access: string): string =>
  `<resource><meta><access-conditions>${access}</access-conditions></meta></resource>`;

async function makeLibrary(): Promise<void> {
  const picture = await sharp({ create: { width, height, channels: 3, background: '#37170b' } })
    .jpeg()
    .toBuffer();
  for (const name of ['open', 'secret/inner', 'typed', 'geheimnüs'])
    mkdirSync(path.join(folder, name), { recursive: true });
  const files = [
    'open/a.jpg',
    'secret/hidden.jpg',
    'secret/inner/deep.jpg',
    'typed/closed.jpg',
    'typed/free.jpg',
    'geheimnüs/hidden.jpg',
  ];
  for (const name of files) writeFileSync(path.join(folder, name), picture);
  writeFileSync(path.join(folder, 'typed/closed.jpg.meta'), meta('<access type="group"><name>staff</name></access>'));
  writeFileSync(path.join(folder, 'typed/free.jpg.meta'), meta('<access type="free"/>'));
  symlinkSync('../secret', path.join(folder, 'open/link'));
  symlinkSync('../secret/hidden.jpg', path.join(folder, 'open/linked.jpg'));
}

/** Addresses of an image by its unencoded path. */
const once = (name: string): string => encodeURIComponent(name).replaceAll('%2F', '/');
const bang = (name: string): string => encodeURIComponent(name.replaceAll('/', '!'));

const endpoints: Readonly<Record<string, (name: string) => string>> = {
  Scaler: (name) => `/Scaler?fn=${once(name)}&dw=20`,
  'Scaler, path': (name) => `/Scaler/${once(name)}?dw=20`,
  // The positional form is not percent-decoded, and has no dw.
  'Scaler, old form': (name) => `/servlet/Scaler?${name.replace(/[^ -~]/g, '?')}+1+1+rawfile`,
  'Scaler, file': (name) => `/authenticated/servlet/Scaler?fn=${once(name)}&mo=file,hires`,
  'Scaler, text': (name) => `/Scaler?fn=${once(name)};dw=20;mo=errtxt`,
  'Scaler, code': (name) => `/Scaler?fn=${once(name)}&dw=20&mo=errcode`,
  'dlInfo-json': (name) => `/api/dlInfo-json.jsp?fn=${once(name)}`,
  'dlInfo-xml': (name) => `/api/dlInfo-xml.jsp?fn=${once(name)}`,
  'ImgInfo-json': (name) => `/api/ImgInfo-json.jsp?fn=${once(name)}`,
  'dirInfo-json': (name) => `/api/dirInfo-json.jsp?fn=${once(name)}`,
  'dirInfo-xml': (name) => `/api/dirInfo-xml.jsp?fn=${once(name)}`,
  'dlContext-xml': (name) => `/api/dlContext-xml.jsp?fn=${once(name)}`,
  'IIIF 3 info': (name) => `/iiif/3/${encodeURIComponent(name)}/info.json`,
  'IIIF 2 picture': (name) => `/iiif/2/${bang(name)}/full/20,/0/default.jpg`,
  'IIIF 1 picture': (name) => `/iiif/1/${encodeURIComponent(name)}/full/full/0/native.jpg`,
  'IIIF base': (name) => `/iiif/3/${encodeURIComponent(name)}`,
  'Scaler IIIF info': (name) => `/Scaler/IIIF/${bang(name)}/info.json`,
  'Scaler IIIF picture': (name) => `/servlet/Scaler/IIIF/3/${bang(name)}/full/max/0/default.png`,
  manifest: (name) => `/presentation/3/${once(name)}/manifest.json`,
  'manifest 2': (name) => `/presentation/2/${once(name)}/manifest.json`,
  'folder.json': (name) => `/api/folder.json?fn=${once(name)}`,
  'search.json': (name) => `/api/search.json?q=e&fn=${once(name)}`,
  collection: (name) => `/presentation/3/${once(name)}/collection.json`,
  'page of an image': (name) => `/view/${once(name)}?wx=0.1`,
  'page of a folder': (name) => `/browse/${once(name)}`,
  'old page': (name) => `/digilib.html?fn=${once(name)}`,
  Manifester: (name) => `/Manifester/IIIF/${bang(name)}/manifest`,
};

/** Paths that lead, or could seem to lead, to the contents of `secret` and `geheimnüs`. */
const aliases: readonly string[] = [
  'secret/hidden.jpg',
  'secret/hidden',
  'secret/hidden.tif',
  'secret/hidden.jpg;1',
  'secret',
  '/secret/',
  './secret/hidden.jpg',
  'secret//hidden.jpg',
  'secret/./hidden.jpg/',
  'secret/inner/deep.jpg',
  'SECRET/hidden.jpg',
  'Secret/HIDDEN.JPG',
  'open/../secret/hidden.jpg',
  'open/link/hidden.jpg',
  'open/link',
  'open/link/inner/deep',
  'open/linked.jpg',
  'open/linked',
  'virtual/hidden.jpg',
  'virtual/inner/deep.jpg',
  'geheimnüs/hidden.jpg',
  'geheimnüs/hidden.jpg'.normalize('NFD'),
  'typed/closed.jpg',
  'typed/closed',
];

const neutral = [
  /"img\.pix_x":"0"/,
  /name="img\.pix_x" value="0"/,
  /^\{\}$/,
  /^\{"auth_required":true\}$/,
  /<result\/>/,
  /<dir\/>/,
  /<auth-required>true</,
];

/** What a response discloses; undefined if it is a denial, or equal to the response for a name that does not exist. */
function leak({ status, headers, body }: ReceivedResponse): string | undefined {
  const text = body.toString('latin1');
  if ([400, 401, 403, 404].includes(status)) {
    if (headers.etag !== undefined) return 'a tag';
    if (/hidden|deep|closed/.test(text) && !/image\//.test(headers['content-type'] ?? '')) return text;
    return undefined;
  }
  if (status !== 200) return `status ${status} ${headers.location ?? ''}`;
  return neutral.some((form) => form.test(text)) ? undefined : `status 200: ${text.slice(0, 200)}`;
}

describe('access', () => {
  let app: RunningApp;

  beforeAll(async () => {
    await makeLibrary();
    app = await startApp({
      library: { folders: [folder], virtualFolders: [{ link: 'virtual', folder: path.join(folder, 'secret') }] },
      http: { trustedProxies: ['127.0.0.1'] },
      access: {
        addresses: [{ address: '10.1', roles: ['staff'] }],
        rolesHeader: 'X-Roles',
        tokens: [
          {
            issuer: 'https://id.example',
            audience: 'lectern',
            roles: ['staff'],
            keys: [{ ...publicKey.export({ format: 'jwk' }), kty: 'RSA' }],
          },
        ],
        paths: [
          { path: 'secret', roles: ['staff'] },
          { path: 'geheimnüs', roles: ['staff'] },
        ],
        types: [{ type: 'group:staff', roles: ['staff'] }],
      },
    });
  });

  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  const tokenFor = (claims: Readonly<Record<string, unknown>>, expires = '5m'): Promise<string> =>
    new SignJWT({ iss: 'https://id.example', aud: 'lectern', sub: 'x', ...claims })
      .setProtectedHeader({ alg: 'RS256' })
      .setExpirationTime(expires)
      .sign(privateKey);

  const staff: OutgoingHttpHeaders = { 'x-roles': 'staff' };
  const strangers: Readonly<Record<string, OutgoingHttpHeaders>> = {
    nobody: {},
    'another role': { 'x-roles': 'guests, staffer' },
    'another address': { 'x-forwarded-for': '10.2.0.1' },
  };

  describe.each(Object.entries(endpoints))('%s', (_name, addressOf) => {
    it.each(aliases)('discloses nothing of %s, also right after an authorized request', async (alias) => {
      const address = addressOf(alias);
      const allowed = await app.get(address, { headers: staff });
      const isTold = leak(allowed) !== undefined && allowed.headers.etag !== undefined;
      const conditional = isTold ? { 'if-none-match': allowed.headers.etag } : {};
      for (const [who, headers] of Object.entries(strangers)) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await app.get(address, { method, headers: { ...headers, ...conditional } });
          if (method === 'HEAD' && answer.status === 200) continue;
          expect([who, method, leak(answer)]).toEqual([who, method, undefined]);
        }
      }
    });

    it('answers authorized callers', async () => {
      const isFolder = /manifest|collection|Manifester|folder$/.test(_name);
      const { status, body, headers } = await app.get(addressOf(isFolder ? 'secret' : 'secret/hidden.jpg'), {
        headers: staff,
      });
      expect([200, 303]).toContain(status);
      if (status === 200) expect(headers['cache-control']).toMatch(/private|no-store/);
      expect(leak({ status, headers, body }) !== undefined || /dlContext/.test(_name)).toBe(true);
    });

    it('answers everyone if there are no rules', async () => {
      const isFolder = /manifest|collection|Manifester|folder$/.test(_name);
      const { status } = await app.get(addressOf(isFolder ? 'open' : 'open/a.jpg'));
      expect([200, 303]).toContain(status);
    });
  });

  it('admits only public responses to shared caches', async () => {
    const cacheControl = async (name: string) =>
      (await app.get(`/Scaler?fn=${name}&dw=20`, { headers: staff })).headers['cache-control'];
    expect(await cacheControl('open/a.jpg')).toBe(
      'public, max-age=3600, stale-while-revalidate=600, stale-if-error=86400',
    );
    expect(await cacheControl('typed/free.jpg')).toBe(
      'public, max-age=3600, stale-while-revalidate=600, stale-if-error=86400',
    );
    expect(await cacheControl('secret/hidden.jpg')).toBe('private, no-cache');
    expect(await cacheControl('typed/closed.jpg')).toBe('private, no-cache');
  });

  it('has digilib’s forms with 403, and IIIF’s 401 without credentials and 403 with others', async () => {
    const answers = async (address: string, headers: OutgoingHttpHeaders = {}) => {
      const answer = await app.get(address, { headers });
      return [answer.status, answer.headers['content-type'], answer.headers['www-authenticate']];
    };
    const scaler = '/Scaler?fn=secret/hidden&dw=20';
    const iiif = '/iiif/3/secret!hidden/info.json';
    const text = 'text/plain; charset=utf-8';
    expect(await answers(scaler)).toEqual([403, 'image/png', undefined]);
    expect(await answers(`${scaler}&mo=errtxt`)).toEqual([403, text, undefined]);
    expect(await answers(`${scaler}&mo=errcode`)).toEqual([403, undefined, undefined]);
    expect(await answers(iiif)).toEqual([401, text, 'Bearer']);
    expect(await answers(iiif, { 'x-roles': 'guests' })).toEqual([403, text, undefined]);
  });

  it('leaves files that the caller may not see out of lists, without changing the page numbers of the others', async () => {
    const list = async (headers: OutgoingHttpHeaders) =>
      JSON.parse((await app.get('/api/dirInfo-json.jsp?fn=typed', { headers })).body.toString());
    expect(await list({})).toEqual({
      url_path: 'typed',
      count: '2',
      auth_required: false,
      files: [{ index: 2, fn: 'free', file: 'free.jpg' }],
    });
    expect((await list(staff)).files).toHaveLength(2);
    const canvases = async (headers: OutgoingHttpHeaders) =>
      JSON.parse((await app.get('/presentation/3/typed/manifest.json', { headers })).body.toString()).items.length;
    expect([await canvases({}), await canvases(staff), await canvases({})]).toEqual([1, 2, 1]);
    const shown = async (address: string, headers: OutgoingHttpHeaders) =>
      /secret|geheimn/.test((await app.get(address, { headers })).body.toString());
    for (const address of ['/api/folder.json', '/presentation/3/collection.json']) {
      expect([address, await shown(address, {}), await shown(address, staff)]).toEqual([address, false, true]);
    }
  });

  it('derives roles from the address that a trusted proxy names, and from tokens in all places where they are accepted', async () => {
    const token = await tokenFor({});
    const requests: readonly (readonly [string, OutgoingHttpHeaders])[] = [
      ['', { 'x-forwarded-for': '10.2.3.4, 10.1.2.3' }],
      ['', { forwarded: 'for="10.1.9.9:1234"' }],
      ['', { 'x-forwarded-for': '::ffff:10.1.2.3' }],
      [`&id_token=${token}`, {}],
      ['', { cookie: `a=b; id_token=${token}` }],
      ['', { authorization: `Bearer ${token}` }],
    ];
    for (const [query, headers] of requests) {
      const { status } = await app.get(`/Scaler?fn=secret/hidden&dw=20${query}`, { headers });
      expect([query.slice(0, 10), headers, status]).toEqual([query.slice(0, 10), headers, 200]);
    }
  });

  it('sends no picture for an invalid token, and writes no token to the log', async () => {
    const good = await tokenFor({});
    const [head = '', payload = ''] = good.split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    const bad = {
      none,
      issuer: await tokenFor({ iss: 'https://other.example' }),
      audience: await tokenFor({ aud: 'other' }),
      expired: await tokenFor({}, '-5m'),
      tampered: `${head}.${payload}.${'A'.repeat(342)}`,
      nonsense: 'abc',
    };
    for (const [name, token] of Object.entries(bad)) {
      for (const parameter of ['id_token', '%69d_token', 'id%5Ftoken']) {
        const scaler = await app.get(`/Scaler?fn=secret/hidden&dw=20&${parameter}=${token}`);
        const iiif = await app.get(`/iiif/3/secret!hidden/full/max/0/default.jpg?${parameter}=${token}`);
        expect([name, parameter, scaler.status, iiif.status]).toEqual([name, parameter, 403, 401]);
      }
      await app.get(`/Scaler?fn=broken&dw=20&id%5Ftoken=${token}`);
    }
    const log = app.logLines.join('\n');
    for (const token of [good, ...Object.values(bad)]) {
      const [, , signature = ''] = token.split('.');
      if (token !== 'abc') expect(log).not.toContain(token.slice(0, 30));
      if (signature.length > 20) expect(log).not.toContain(signature.slice(0, 20));
    }
  });
});

describe('other files near the images', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-access-beside-'));
  const at = (name: string): string => path.join(folder, name);
  const rules = { rolesHeader: 'X-Roles', paths: [{ path: 'closed', roles: ['staff'] }] };
  const closedTypes = { rolesHeader: 'X-Roles', types: [{ type: 'group:x', roles: ['staff'] }] };

  beforeAll(async () => {
    const picture = (background: string): Promise<Buffer> =>
      sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toBuffer();
    for (const name of ['site/scans/closed', 'site/scans/open', 'small/open', 'small/closed']) {
      mkdirSync(at(name), { recursive: true });
    }
    writeFileSync(at('site/index.html'), 'the site');
    writeFileSync(at('site/scans/closed/a.png'), await picture('red'));
    writeFileSync(at('site/scans/open/b.png'), await picture('lime'));
    // An open image and a closed one have the same stem; the closed one has a prescaled version.
    writeFileSync(at('site/scans/open/b.jpg'), await picture('red'));
    writeFileSync(at('small/open/b.jpg'), await picture('red'));
    symlinkSync(at('site/scans/closed/a.png'), at('small/open/c.png'));
    writeFileSync(at('site/scans/open/c.png'), await picture('lime'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are not sent by the site’s own pages in spite of the rules', async () => {
    const app = await startApp({
      library: { folders: [at('site/scans')] },
      http: { webapp: at('site') },
      access: rules,
    });
    expect((await app.get('/')).body.toString()).toBe('the site');
    for (const name of ['closed/a.png', 'open/b.png', 'closed/', './closed/a.png', 'closed%2Fa.png']) {
      expect([name, (await app.get(`/scans/${name}`)).status]).toEqual([name, 404]);
    }
    await app.close();
    const open = await startApp({ library: { folders: [at('site/scans')] }, http: { webapp: at('site') } });
    expect((await open.get('/scans/closed/a.png')).status).toBe(200);
    await open.close();
  });

  it('are not taken for a prescaled version of an open image', async () => {
    const closed = [...rules.paths, { path: 'open/b.jpg', roles: ['staff'] }];
    const app = await startApp({
      library: { folders: [at('site/scans'), at('small')] },
      access: { ...rules, paths: closed },
    });
    for (const name of ['open/b.png', 'open/c.png']) {
      const { body, status } = await app.get(`/Scaler?fn=${name}&dw=20`);
      const { data } = await sharp(body).raw().toBuffer({ resolveWithObject: true });
      expect([name, status, (data[1] ?? 0) > 200]).toEqual([name, 200, true]);
    }
    await app.close();
  });

  it.each([
    ['cut short', '<resource><meta>'],
    ['with a document type', '<!DOCTYPE r SYSTEM "x"><r/>'],
    ['too long', ' '.repeat(2 * 1024 * 1024)],
  ])(
    'close an image whose metadata file is %s, with rules by type or without: redactions may be missing',
    async (_name, text) => {
      const meta = at('site/scans/open/b.png.meta');
      writeFileSync(meta, text);
      const statusWith = async (settings: Parameters<typeof startApp>[0]): Promise<number> => {
        const app = await startApp({
          library: { folders: [at('site/scans')] },
          http: { trustedProxies: ['127.0.0.1'] },
          ...settings,
        });
        const { status } = await app.get('/Scaler?fn=open/b.png&dw=20', { headers: { 'x-roles': 'staff' } });
        await app.close();
        return status;
      };
      const byDefault = { ...closedTypes, types: [...closedTypes.types, { type: 'default', roles: ['staff'] }] };
      expect(await statusWith({ access: closedTypes })).toBe(403);
      expect(await statusWith({ access: byDefault })).toBe(403);
      expect(await statusWith({})).toBe(403);
      rmSync(meta);
      expect(await statusWith({})).toBe(200);
    },
  );
});

describe('rules without effect', () => {
  const logOf = async (access: object): Promise<string> => {
    const app = await startApp({ access });
    await app.get('/api/folder.json');
    await app.close();
    return app.logLines.join('');
  };

  it('are reported at the start', async () => {
    const paths = [
      { path: 'photos', roles: ['staff'] },
      { path: 'fotos', roles: ['staff'] },
    ];
    const log = await logOf({ paths });
    expect(log).toContain('"path":"fotos"');
    expect(log).not.toContain('"path":"photos"');
    expect(await logOf({})).toContain('everything is open to everyone');
  });

  it.each([' photos', 'photos '])('are refused if the path is “%s”', async (path) => {
    await expect(startApp({ access: { paths: [{ path, roles: ['staff'] }] } })).rejects.toThrow('has blanks around it');
  });

  it('are refused with one message if the path is invalid', async () => {
    await expect(startApp({ access: { paths: [{ path: '%2e%2e', roles: ['staff'] }] } })).rejects.toThrow(/^access: /);
  });
});
