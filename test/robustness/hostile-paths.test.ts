/** Tens of thousands of spellings of paths that are not to be reached: outside of the library, or closed by a rule. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomNumbers } from '../fixtures/files/random.mjs';
import {
  base,
  imageAddresses,
  infoAddress,
  type LibraryWithSecrets,
  makeLibrary,
  picture,
  red,
} from '../protocol/library-with-secrets.ts';
import { type ReceivedResponse, type RunningApp, startApp } from '../protocol/running-app.ts';

const count = Number(process.env['LECTERN_ROBUSTNESS_PATHS'] ?? 17_000);

let library: LibraryWithSecrets;
let app: RunningApp;
beforeAll(async () => {
  library = await makeLibrary();
  library.write('closed/hidden.jpg', await picture('jpeg', 77, 33, red));
  library.link('closed', 'link');
  app = await startApp({
    library: { folders: [library.root] },
    http: { contextPath: base },
    access: { paths: [{ path: 'closed', roles: ['staff'] }] },
  });
});
afterAll(async () => {
  await app.close();
  library.remove();
});

const random = randomNumbers(11);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** The open pictures are of 60 x 40, the others of 77 x 33. */
async function isSecret(picture: Buffer): Promise<boolean> {
  const { width, height } = await sharp(picture).metadata();
  return Math.abs(width / height - 60 / 40) > 0.1;
}

/** What a response tells of a picture that is not to be reached; undefined where it tells nothing. */
async function told(answer: ReceivedResponse, isInfo: boolean): Promise<string | undefined> {
  const text = answer.body.toString('latin1');
  for (const leak of [library.outside, 'root:x:', 'ENOENT', 'node_modules']) if (text.includes(leak)) return leak;
  if (answer.status >= 500) return `status ${answer.status}`;
  if (answer.status >= 300 || answer.status < 200) return undefined;
  if (isInfo || text.startsWith('{'))
    return /"(?:77|33)"|"(?:width|height)": ?(?:77|33)\b/.test(text) ? text : undefined;
  return (await isSecret(answer.body)) ? 'the picture' : undefined;
}

/** Requests each spelling at a random endpoint, eight at a time. */
async function findLeaks(spellings: readonly string[]): Promise<readonly string[]> {
  const leaks: string[] = [];
  const left = [...spellings];
  const requestInTurn = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      const isInfo = random() < 0.2;
      const address = isInfo ? infoAddress(name) : pick(imageAddresses)[1](name);
      const leak = await told(await app.get(address.replace(/[^\x21-\x7e]/g, encodeURIComponent)), isInfo);
      if (leak !== undefined) leaks.push(`${address}: ${leak}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, requestInTurn));
  return leaks;
}

const ups = [
  ...['..', '../', '%2e%2e/', '%2E.%2f', '.%2e/', '..%2f', '..%5c', '..\\', '%252e%252e%252f', '%25252e%25252e/'],
  ...[
    '%c0%ae%c0%ae/',
    '%e0%80%ae%e0%80%ae/',
    '....//',
    '..;/',
    '..!',
    '%2e%2e!',
    './../',
    'folder/../../',
    '/../',
    '%00../',
  ],
];
const odd = [
  '',
  '/',
  '//',
  './',
  '%2f',
  '%00',
  'C:/',
  'file:',
  'file:///',
  '\\',
  '%5c',
  '!',
  ';1',
  '?',
  '#',
  '%20',
  '%ff',
];
const outside = [
  'secret.jpg',
  'secret',
  'lib-secret/secret.jpg',
  'lib-secret%2fsecret',
  'etc/passwd',
  'proc/self/environ',
];

function outward(): string {
  const path = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(ups)).join('');
  return `${pick(odd)}${path}${pick(odd)}${pick(outside)}${random() < 0.2 ? pick(odd) : ''}`;
}

const encodings: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  (character) => `%25${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  (character) => character.toUpperCase(),
];

function alias(): string {
  const plain = pick([
    'closed/hidden.jpg',
    'closed/hidden',
    'closed/hidden.tif',
    'link/hidden.jpg',
    'link/hidden',
    'closed',
  ]);
  const encoded = [...plain].map((character) => (random() < 0.15 ? pick(encodings)(character) : character)).join('');
  const slashed = encoded.replace(/\//g, () => pick(['/', '//', '/./', '%2f', '!', '/folder/../', '/%2e/']));
  return `${random() < 0.3 ? pick(['/', './', '//', 'folder/../', '!']) : ''}${slashed}${random() < 0.3 ? pick(['/', ';1', '/.', '%20', '!', '//']) : ''}`;
}

describe('over HTTP', () => {
  it('no spelling of a path leads out of the library', async () => {
    expect(await findLeaks(Array.from({ length: count }, outward))).toEqual([]);
    expect((await app.get(`${base}/Scaler?fn=plain.jpg&dw=20`)).status).toBe(200);
  });

  it('no alias of a closed image discloses it', async () => {
    expect(await findLeaks(Array.from({ length: Math.ceil(count * 0.7) }, alias))).toEqual([]);
    expect((await app.get(`${base}/Scaler?fn=plain.jpg&dw=20`)).status).toBe(200);
  });
});
