/** The sign-in at a context path behind nginx, by the example in `deploy`: as the path is sent on, and as nginx removes it. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startNginx } from '../fixtures/nginx.ts';
import { freePort } from '../fixtures/redis-server.ts';
import { CookieClient } from '../sign-in/cookie-client.ts';
import { startProvider } from '../sign-in/provider.ts';
import { startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-behind-nginx-'));
const keysFile = path.join(scratch, 'keys');
writeFileSync(keysFile, randomBytes(32).toString('base64url'));

const running: { readonly close: () => unknown }[] = [];
afterAll(async () => {
  for (const one of running) await one.close();
  rmSync(scratch, { recursive: true });
});

/** nginx at port P answers below `/digilib/`, and the server with its context path or behind a prefix that nginx names. */
async function startSite(way: 'sends the path on' | 'removes the path'): Promise<string> {
  const port = await freePort();
  const provider = await startProvider({ account: { id: 'anna', name: 'Anna Muster', groups: ['staff'] } });
  const base = `http://127.0.0.1:${port}/digilib`;
  const isRemoved = way === 'removes the path';
  const app = await startApp({
    http: { trustedProxies: ['127.0.0.1'], ...(!isRemoved && { contextPath: '/digilib' }) },
    access: {
      claims: [{ claim: 'groups', value: 'staff', roles: ['members'] }],
      paths: [{ path: 'books', roles: ['members'] }],
    },
    signIn: { keysFile, provider: { issuer: provider.issuer, clientId: 'lectern' } },
  });
  const removed = `rewrite ^/digilib(/.*)$ $1 break;
    proxy_set_header X-Forwarded-Prefix /digilib;
    proxy_pass http://lectern;`;
  const nginx = await startNginx(
    {
      ...{ example: 'nginx.conf', port, servers: [app.port] },
      edit: (text) => (isRemoved ? text.replace('proxy_pass http://lectern;', removed) : text),
    },
    '/digilib/healthz',
  );
  await provider.register({
    redirectUris: [`${base}/sign-in/callback`],
    logoutUris: [`${base}/`],
    backChannelUri: `${base}/sign-in/backchannel-logout`,
  });
  running.push(app, nginx, provider);
  return base;
}

const closed = '/iiif/3/books!book1!page0001.jpg/info.json';

describe.each(['sends the path on', 'removes the path'] as const)('nginx that %s', { tags: 'nginx' }, (way) => {
  it('lets people sign in, come back to the view, see what is closed, and sign out', async () => {
    const base = await startSite(way);
    const client = new CookieClient();
    expect((await client.visit(base + closed)).status).toBe(401);
    const back = await client.visit(`${base}/sign-in?to=${encodeURIComponent('view/books/book1?pn=2')}`);
    expect([back.status, back.url]).toEqual([200, `${base}/view/books/book1?pn=2`]);
    const set = back.setCookies.find((cookie) => cookie.startsWith('lectern_session='));
    // For the path of the site alone, not for its neighbors behind the same proxy.
    expect(set).toContain('Path=/digilib/;');
    expect((await client.visit(`${base}/api/session.json`)).text).toContain('Anna Muster');
    const info = await client.visit(base + closed);
    expect([info.status, (JSON.parse(info.text) as { id: string }).id]).toEqual([
      200,
      `${base}/iiif/3/books!book1!page0001.jpg`,
    ]);

    const signOut = { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } };
    const out = await client.visit(`${base}/sign-out`, signOut);
    const { address } = JSON.parse(out.text) as { address: string };
    expect(decodeURIComponent(address)).toContain(`post_logout_redirect_uri=${base}/`);
    expect((await client.visit(base + closed)).status).toBe(401);
  });
});
