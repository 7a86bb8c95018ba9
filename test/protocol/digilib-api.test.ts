import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decoderName } from '@lectern/jpeg2000';
import { type SaxesAttributeNS, SaxesParser } from 'saxes';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from './running-app.ts';

interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
  text: string;
}

/** Parses XML with a strict parser that is independent of the server’s; throws if it is not well-formed. */
function parseXml(text: string): Node {
  const root: Node = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]: [string, SaxesAttributeNS]) => [key, value]);
    const node: Node = { name, attributes: Object.fromEntries(values), children: [], text: '' };
    stack.at(-1)?.children.push(node);
    stack.push(node);
  });
  parser.on('text', (part) => {
    const node = stack.at(-1);
    if (node) node.text += part;
  });
  parser.on('closetag', () => void stack.pop());
  parser.write(text).close();
  return root.children[0] ?? root;
}

const hostile = 'a"b<c>&\'d]]>.jpg';

describe('the information endpoints', () => {
  let app: RunningApp;
  let strange: RunningApp;
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-api-'));

  beforeAll(async () => {
    mkdirSync(path.join(folder, 'x&y'));
    const picture = await sharp({ create: { width: 9, height: 6, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    for (const name of [hostile, 'tab\there.jpg', 'line\r\nbreak.jpg', '\u202eright.jpg', '😀.jpg'])
      writeFileSync(path.join(folder, 'x&y', name), picture);
    writeFileSync(path.join(folder, 'x&y', 'unreadable.jpg'), 'no picture');
    [app, strange] = await Promise.all([startApp(), startApp({ library: { folders: [folder] } })]);
  });

  afterAll(async () => {
    await Promise.all([app.close(), strange.close()]);
    rmSync(folder, { recursive: true });
  });

  const xmlAt = async (from: RunningApp, address: string): Promise<Node> => {
    const { status, headers, body } = await from.get(address);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/xml; charset=utf-8');
    expect(headers['access-control-allow-origin']).toBe('*');
    return parseXml(body.toString());
  };

  it('dlInfo-xml has the members of dlInfo-json, sorted by name', async () => {
    const query = '?fn=photos/odd1201x799&dw=1e3&rot=12.5&colop=%3Cb%3E%22%01&mo=hmir,fit';
    const root = await xmlAt(app, `/api/dlInfo-xml.jsp${query}`);
    const json = JSON.parse((await app.get(`/api/dlInfo-json.jsp${query}`)).body.toString()) as Record<string, string>;
    expect(root.name).toBe('document-parameters');
    const members = root.children.map(({ name, attributes }) => {
      expect(name).toBe('parameter');
      return [attributes['name'], attributes['value']];
    });
    expect(members.map(([name]) => name)).toEqual(Object.keys(json));
    const xml = Object.fromEntries(members) as Record<string, string>;
    const { 'servlet.request': _, 'base.url': base, colop, ...rest } = json;
    expect(xml).toMatchObject(rest);
    expect(colop).toBe('<b>"\u0001');
    expect(xml['colop']).toBe('<b>"\ufffd');
    expect(xml['base.url']).toBe(base?.replace('dlInfo-json', 'dlInfo-xml'));
    expect(xml['servlet.request']).toMatch(/^Request\(GET http:.*\)@[0-9a-f]+$/);
  });

  it.each([
    ['photos/odd1201x799', 1201, 799],
    ['photos&pn=5', 1201, 799],
    ['/books//book1/./page0003.tif', 1000, 1414],
  ])('ImgInfo describes the image %s', async (fn, width, height) => {
    const { body, headers } = await app.get(`/api/ImgInfo-json.jsp?fn=${fn}`);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body.toString())).toMatchObject({ width, height, aspect: width / height });
  });

  it.each(['nosuch', '..', 'books/../photos', '%2e%2e', 'a%00', 'empty', 'books/book1&pn=0', 'broken/garbage'])(
    'ImgInfo says nothing of %s',
    async (fn) => {
      const { status, body } = await app.get(`/api/ImgInfo-json.jsp?fn=${fn}`);
      expect([status, body.toString()]).toEqual([200, '{}']);
    },
  );

  it('dirInfo lists every image file, also one that can’t be read, with its page number', async () => {
    const { body } = await strange.get('/api/dirInfo-json.jsp?fn=x%26y');
    const info = JSON.parse(body.toString()) as { files: { index: number; fn: string; file: string }[]; count: string };
    expect(info).toMatchObject({ url_path: 'x&y', count: '6' });
    expect(info).not.toHaveProperty('auth_required');
    expect(info.files.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(info.files.map(({ file }) => file)).toContain(hostile);
    expect(info.files.find(({ file }) => file === 'unreadable.jpg')?.fn).toBe('unreadable');
  });

  it('dirInfo-xml lists the same, whatever characters the names contain', async () => {
    const root = await xmlAt(strange, '/api/dirInfo-xml.jsp?fn=x%26y');
    const json = JSON.parse((await strange.get('/api/dirInfo-json.jsp?fn=x%26y')).body.toString());
    const textOf = (node: Node, name: string) => node.children.find((child) => child.name === name)?.text;
    expect(root.name).toBe('dir');
    expect([textOf(root, 'size'), textOf(root, 'name')]).toEqual(['6', 'x&y']);
    const files = root.children.filter(({ name }) => name === 'file');
    expect(
      files.map((file) => ({
        index: Number(textOf(file, 'index')),
        fn: textOf(file, 'name'),
        file: textOf(file, 'fsname'),
      })),
    ).toEqual(json.files);
  });

  it.each(['nosuch', '..', 'books', 'books/book1&pn=13'])('dirInfo describes nothing for %s', async (fn) => {
    expect((await app.get(`/api/dirInfo-json.jsp?fn=${fn}`)).body.toString()).toBe('{}');
    expect((await xmlAt(app, `/api/dirInfo-xml.jsp?fn=${fn}`)).children).toEqual([]);
  });

  it.each([
    ['photos/port641x1003', 'ctx text <b> & more'],
    ['photos/tiny100x80', ''],
    ['nosuch', ''],
    ['../x', ''],
  ])('dlContext has the text of the context of %s', async (fn, text) => {
    const root = await xmlAt(app, `/api/dlContext-xml.jsp?fn=${fn}`);
    expect([root.name, root.text, root.children]).toEqual(['result', text, []]);
  });

  it('dlContext has the link of the context of an image and of a folder', async () => {
    const contextOf = async (fn: string) => {
      const root = await xmlAt(app, `/api/dlContext-xml.jsp?fn=${fn}`);
      return root.children.map((context) => [context.name, ...context.children.map(({ name, text }) => [name, text])]);
    };
    expect(await contextOf('photos/land3000x2000')).toEqual([
      ['context', ['link', 'http://example.org/ctx'], ['name', 'Context A']],
    ]);
    expect(await contextOf('books/book1&pn=4')).toEqual([
      ['context', ['link', 'http://example.org/book1'], ['name', 'Book One']],
    ]);
  });

  it('answers 304 to a matching If-None-Match, HEAD without a body, and 400 for too many parameters', async () => {
    const address = '/api/dirInfo-json.jsp?fn=books/book1';
    const { headers } = await app.get(address);
    const again = await app.get(address, { headers: { 'if-none-match': headers.etag ?? '' } });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const head = await app.get(address, { method: 'HEAD' });
    expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, headers.etag]);
    expect((await app.get(`${address}${'&a=b'.repeat(100)}`)).status).toBe(400);
  });
});

describe('the overview of the configuration', () => {
  it('is only for the machine itself, and not for pages of other origins', async () => {
    const app = await startApp({ limits: { maxArea: 123_456 } });
    const { status, headers, body } = await app.get('/server/dlConfig.jsp');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
    expect(body.toString()).toMatch(/<tr class="set"><th scope="row">limits\.maxArea<\/th><td><code>123456</);
    expect(body.toString()).toContain(decoderName());
    for (const denied of [
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 proxy' },
      { 'x-forwarded-proto': 'https' },
      { 'x-forwarded-prefix': '/digilib' },
      { 'x-forwarded-server': 'proxy.example' },
      { 'x-real-ip': '127.0.0.1' },
      { host: 'evil.example' },
    ]) {
      const answer = await app.get('/server/dlConfig.jsp', { headers: denied });
      expect([denied, answer.status]).toEqual([denied, 404]);
    }
    await app.close();
  });

  it('is only for the role admin if there are access rules, and leaves keys out', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = publicKey.export({ format: 'jwk' });
    const app = await startApp({
      http: { trustedProxies: ['127.0.0.1'] },
      access: {
        rolesHeader: 'X-Roles',
        tokens: [{ issuer: 'i', audience: 'a', roles: ['r'], keys: [{ ...key, kty: 'RSA' }] }],
      },
    });
    const asking = (roles: string) => app.get('/server/dlConfig.jsp', { headers: { 'x-roles': roles } });
    expect([(await app.get('/server/dlConfig.jsp')).status, (await asking('staff, r')).status]).toEqual([404, 404]);
    const { status, body } = await asking('staff, admin');
    expect(status).toBe(200);
    expect(body.toString()).toContain('1 left out');
    expect(body.toString()).not.toContain(key.n);
    await app.close();
  });
});
