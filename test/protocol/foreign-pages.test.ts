/** What only a client's address opens can be read by no page of a foreign origin, but by those that the settings allow. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SignJWT } from 'jose';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningApp, startApp } from './running-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-foreign-'));
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keys = [{ ...publicKey.export({ format: 'jwk' }), kty: 'RSA' as const }];
let app: RunningApp;
let token = '';

beforeAll(async () => {
  const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  for (const name of ['house', 'open']) {
    mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, name, 'a.jpg'), picture);
  }
  app = await startApp({
    library: { folders: [folder] },
    access: {
      addresses: [{ address: '127.0.0.1', roles: ['house'] }],
      tokens: [{ issuer: 'https://id.example', audience: 'a', keys, roles: ['house'] }],
      allowedOrigins: ['https://viewer.house.example'],
      paths: [{ path: 'house', roles: ['house'] }],
    },
  });
  token = await new SignJWT({ iss: 'https://id.example', aud: 'a', sub: 'x' })
    .setProtectedHeader({ alg: 'RS256' })
    .setExpirationTime('5m')
    .sign(privateKey);
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const addresses = (name: string): readonly string[] => [
  `/Scaler?fn=${name}/a&dw=20`,
  `/Scaler?fn=${name}/a&mo=file`,
  `/api/dlInfo-json.jsp?fn=${name}/a`,
  `/dlInfo-json.jsp?fn=${name}/a`,
  `/iiif/3/${name}%2Fa.jpg/info.json`,
  `/iiif/2/${name}%2Fa.jpg/full/20,/0/default.jpg`,
  `/presentation/3/${name}/manifest.json`,
  `/api/folder.json?fn=${name}`,
];

const readersOf = async (address: string, headers: Readonly<Record<string, string>>) => {
  const answer = await app.get(address, { headers });
  expect([address, answer.status]).toEqual([address, 200]);
  return answer.headers['access-control-allow-origin'];
};

it.each(addresses('house'))('%s, opened by the address, is for no foreign page', async (address) => {
  expect(await readersOf(address, { origin: 'https://foreign.example' })).toBeUndefined();
  expect(await readersOf(address, {})).toBeUndefined();
  const origin = 'https://viewer.house.example';
  expect(await readersOf(address, { origin })).toBe(origin);
  expect((await app.get(address, { headers: { origin } })).headers.vary).toContain('Origin');
});

it.each(addresses('house'))('%s, opened by a token, is for the page that has the token', async (address) => {
  expect(await readersOf(address, { authorization: `Bearer ${token}`, origin: 'https://foreign.example' })).toBe('*');
});

it.each(addresses('open').slice(0, 6))('%s, open to everyone, is for every page', async (address) => {
  expect(await readersOf(address, { origin: 'https://foreign.example' })).toBe('*');
});
