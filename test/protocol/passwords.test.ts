/** Users with passwords: the form, HTTP Basic, digilib's file of users, and its addresses that ask for a password. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashPassword } from '../../src/features/sign-in/passwords.ts';
import { CookieClient, type Visit } from '../sign-in/cookie-client.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-passwords-'));
const keysFile = path.join(scratch, 'keys');
const usersFile = path.join(scratch, 'tomcat-users.xml');

const sha1 = createHash('sha1').update('im Klartext').digest('hex');

const tomcatUsers = (robert: string): string => `<?xml version="1.0" encoding="utf-8"?>
<tomcat-users>
  <role rolename="members"/>
  <user username="robert" password="${robert}" roles="user,members"/>
  <user username="digest" password="${sha1}" roles="members"/>
  <user username="fresh" password="never used" roles="members"/>
  <user name="old" password="old-form" roles="members"/>
</tomcat-users>`;

let app: RunningApp;
let changes = 0;

/** Times of files are coarse. */
function writeUsers(robert: string): void {
  writeFileSync(usersFile, tomcatUsers(robert));
  utimesSync(usersFile, ++changes, changes);
}

beforeAll(async () => {
  writeFileSync(keysFile, randomBytes(32).toString('base64url'));
  writeUsers('tomcat!');
  app = await startApp({
    access: { paths: [{ path: 'books', roles: ['members'] }] },
    http: { trustedProxies: ['127.0.0.1'] },
    signIn: {
      keysFile,
      usersFile,
      users: [{ name: 'Zoë', password: await hashPassword('Käse & Brot'), roles: ['members'] }],
    },
  });
});
afterAll(async () => {
  await app.close();
  rmSync(scratch, { recursive: true });
});

const closed = '/iiif/3/books!book1!page0001.jpg/info.json';

/** Each test is another client, since wrong passwords are counted by client. */
let address = 0;
beforeEach(() => {
  address += 1;
});
const from = () => ({ 'x-forwarded-for': `10.1.0.${address}` });

const basic = (name: string, password: string, target = closed): Promise<ReceivedResponse> =>
  app.get(target, {
    headers: { ...from(), authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` },
  });

const statusOf = async (name: string, password: string): Promise<number> => (await basic(name, password)).status;

function submit(client: CookieClient, form: Record<string, string>, headers = {}): Promise<Visit> {
  return client.visit(`${app.url}/sign-in`, {
    method: 'POST',
    headers: {
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
      ...from(),
      ...headers,
    },
    body: new URLSearchParams(form).toString(),
  });
}

const opens = async (client: CookieClient): Promise<number> => (await client.visit(app.url + closed)).status;

describe('HTTP Basic', () => {
  it.each([
    ['Zoë', 'Käse & Brot'],
    ['Zoë', 'Käse & Brot'.normalize('NFD')],
    ['robert', 'tomcat!'],
    ['digest', 'im Klartext'],
    ['old', 'old-form'],
  ])('opens with the right password of %s', async (name, password) => expect(await statusOf(name, password)).toBe(200));

  it.each([
    ['Zoë', 'Kase & Brot'],
    ['Zoë', ''],
    ['robert', 'Tomcat!'],
    ['digest', sha1],
    ['nobody', 'tomcat!'],
    ['', ''],
  ])('does not open with a wrong password of %s', async (name, password) => {
    const { status, body } = await basic(name, password);
    expect([status, JSON.parse(body.toString()).message]).toEqual([
      401,
      'You may not see this image. The name or the password is wrong.',
    ]);
  });

  it('forgets a password when the file has another one', async () => {
    expect(await statusOf('robert', 'tomcat!')).toBe(200);
    writeUsers('changed!');
    expect([await statusOf('robert', 'tomcat!'), await statusOf('robert', 'changed!')]).toEqual([401, 200]);
    writeUsers('tomcat!');
  });

  it('knows nobody of a file that can’t be read', async () => {
    writeFileSync(usersFile, '<tomcat-users><user');
    utimesSync(usersFile, ++changes, changes);
    expect([await statusOf('robert', 'tomcat!'), await statusOf('Zoë', 'Käse & Brot')]).toEqual([401, 200]);
    writeUsers('tomcat!');
    expect(await statusOf('robert', 'tomcat!')).toBe(200);
  });

  it('refuses a client after ten wrong passwords, also with the right one, and no other client', async () => {
    for (let tries = 0; tries < 10; tries++) expect(await statusOf('robert', `wrong ${tries}`)).toBe(401);
    const { body } = await basic('fresh', 'never used');
    expect(body.toString()).toContain('too many wrong passwords');
    address += 100;
    expect(await statusOf('fresh', 'never used')).toBe(200);
  });

  it('is no reason for a browser to ask for a password on other pages', async () => {
    const { headers } = await app.get(closed);
    expect(headers['www-authenticate']).toBe('Bearer');
  });
});

describe('an address below /authenticated', () => {
  const text = '/authenticated/servlet/Texter?fn=photos/tiny100x80';

  it('asks for a password, and answers with the right one', async () => {
    const { status, headers } = await app.get(text, { headers: from() });
    expect([status, headers['www-authenticate'], headers['cache-control']]).toEqual([
      401,
      'Basic realm="digilib", charset="UTF-8"',
      'no-store',
    ]);
    expect((await basic('robert', 'wrong', text)).status).toBe(401);
    expect((await basic('robert', 'tomcat!', text)).status).not.toBe(401);
  });

  it.each(['//authenticated/servlet/Texter?fn=x', '/%61uthenticated/servlet/Texter?fn=x', '/authenticated/../x'])(
    'is not reached as %s without one',
    async (target) => expect([401, 404]).toContain((await app.get(target, { headers: from() })).status),
  );
});

describe('a server without rules of access', () => {
  it('asks for a password below /authenticated, at addresses of pictures too, and shares no such answer', async () => {
    const free = await startApp({ signIn: { keysFile, usersFile } });
    const picture = '/authenticated/servlet/Scaler?fn=photos/tiny100x80&dw=50';
    expect((await free.get(picture)).status).toBe(401);
    const authorization = `Basic ${btoa('robert:tomcat!')}`;
    const { status, headers } = await free.get(picture, { headers: { authorization } });
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'image/jpeg',
      'private, no-cache',
    ]);
    // Who has shown the password opens it for nobody else.
    expect((await free.get(picture)).status).toBe(401);
    await free.close();
  });
});

describe('the form', () => {
  it('signs in, leads back, and out again', async () => {
    const client = new CookieClient();
    const page = await client.visit(`${app.url}/sign-in?to=${encodeURIComponent('browse/"><script>')}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('value="browse/%22%3E%3Cscript%3E"');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    const { status, way } = await submit(client, { name: 'robert', password: 'tomcat!', to: 'browse/books' });
    expect([status, way[1]]).toEqual([200, `${app.url}/browse/books`]);
    expect(await opens(client)).toBe(200);
    const session = JSON.parse((await client.visit(`${app.url}/api/session.json`)).text);
    expect(session).toEqual({ name: 'robert', roles: ['user', 'members'] });
    const out = await client.visit(`${app.url}/sign-out`, {
      method: 'POST',
      headers: { origin: app.url },
    });
    expect(JSON.parse(out.text)).toEqual({ address: `${app.url}/` });
    expect([await opens(client), client.names()]).toEqual([401, []]);
  });

  it('says in the reader’s language that the password is wrong', async () => {
    const { status, text, setCookies } = await submit(
      new CookieClient(),
      { name: 'robert', password: 'falsch' },
      { 'accept-language': 'de' },
    );
    expect([status, setCookies]).toEqual([401, []]);
    expect(text).toContain('Der Name oder das Passwort ist falsch.');
  });

  it.each([{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none', origin: 'https://evil.example' }])(
    'of another site is refused: nobody is signed in as somebody else',
    async (headers) => {
      const client = new CookieClient();
      const { status } = await submit(client, { name: 'robert', password: 'tomcat!' }, headers);
      expect([status, client.names()]).toEqual([403, []]);
    },
  );

  it('leads to no other site', async () => {
    const { way } = await submit(new CookieClient(), { name: 'robert', password: 'tomcat!', to: '//evil.example/' });
    expect(way[1]).toBe(`${app.url}/`);
  });

  it('gives a session that ends when the password or the user changes', async () => {
    const client = new CookieClient();
    await submit(client, { name: 'robert', password: 'tomcat!' });
    expect(await opens(client)).toBe(200);
    writeUsers('changed!');
    expect(await opens(client)).toBe(401);
    writeUsers('tomcat!');
    expect(await opens(client)).toBe(200);
  });
});
