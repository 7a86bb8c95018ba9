// @module-tag redis
/** Two servers with the same keys: a session of one is a session of the other, and ends at both. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRedis, type TestRedis } from '../fixtures/redis-server.ts';
import { CookieClient } from '../sign-in/cookie-client.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-sign-out-'));
const closed = '/iiif/3/books!book1!page0001.jpg/info.json';
let redis: TestRedis;
let servers: RunningApp[];

async function start(): Promise<RunningApp> {
  return startApp({
    access: { paths: [{ path: 'books', roles: ['members'] }] },
    redis: { address: redis.address },
    signIn: { keysFile: path.join(scratch, 'keys'), usersFile: path.join(scratch, 'users.xml') },
  });
}

beforeAll(async () => {
  writeFileSync(path.join(scratch, 'keys'), randomBytes(32).toString('base64url'));
  const users = '<tomcat-users><user username="anna" password="tomcat!" roles="members"/></tomcat-users>';
  writeFileSync(path.join(scratch, 'users.xml'), users);
  redis = await startRedis();
  servers = [await start(), await start()];
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await redis.close();
  rmSync(scratch, { recursive: true });
});

async function signedIn(): Promise<string> {
  const client = new CookieClient();
  await client.visit(`${servers[0]?.url}/sign-in`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: 'name=anna&password=tomcat!',
  });
  return `lectern_session=${client.value('lectern_session')}`;
}

const statuses = (cookie: string): Promise<readonly number[]> =>
  Promise.all(servers.map(async (server) => (await server.get(closed, { headers: { cookie } })).status));

const signOut = (cookie: string, server = servers[0]): Promise<unknown> | undefined =>
  server?.get('/sign-out', { method: 'POST', headers: { cookie, origin: server.url } });

it('holds at both, and ends at both', async () => {
  const [cookie, other] = [await signedIn(), await signedIn()];
  expect(await statuses(cookie)).toEqual([200, 200]);
  await signOut(cookie);
  await expect.poll(() => statuses(cookie)).toEqual([401, 401]);
  expect(await statuses(other)).toEqual([200, 200]);
});

it('has ended for a server that starts later', async () => {
  const cookie = await signedIn();
  await signOut(cookie);
  const late = await start();
  servers.push(late);
  await expect.poll(() => statuses(cookie)).toEqual([401, 401, 401]);
});

it('ends here alone while Redis is gone, and everywhere once that is back', async () => {
  const [cookie, later] = [await signedIn(), await signedIn()];
  await redis.kill();
  await signOut(cookie);
  expect((await statuses(cookie))[0]).toBe(401);
  expect(await statuses(later)).toEqual([200, 200, 200]);
  await redis.start();
  await expect.poll(() => statuses(cookie), { timeout: 20_000 }).toEqual([401, 401, 401]);
  expect(await statuses(later)).toEqual([200, 200, 200]);
}, 30_000);
