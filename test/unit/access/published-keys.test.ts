import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { type Access, type AccessOptions, createAccess } from '../../../src/access/access.ts';
import { faults } from '../../../src/access/token-faults.ts';
import { noRules } from './access-rules.ts';
import { issuer, type KeyPair, makePair, nowSeconds, outcome, sign } from './signed-tokens.ts';

let first: KeyPair;
let second: KeyPair;
let third: KeyPair;

/** The issuer: answers as a test says, and counts how often it is asked. */
let answer: (response: ServerResponse) => void;
let asked = 0;
let address = '';
let server: Server;

beforeAll(async () => {
  [first, second, third] = await Promise.all(
    ['1', '2', '3'].map((kid) => makePair('ES256', kid)) as [Promise<KeyPair>, Promise<KeyPair>, Promise<KeyPair>],
  );
  server = createServer((_, response) => {
    asked++;
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/certs`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const publish = (...pairs: readonly KeyPair[]) => {
  answer = (response) => response.end(JSON.stringify({ keys: pairs.map(({ publicKey }) => publicKey) }));
};
const fail = (status: number) => {
  answer = (response) => response.writeHead(status).end('{"keys": []}');
};
const say = (text: string) => {
  answer = (response) => response.end(text);
};

const told: string[] = [];
beforeEach(() => {
  asked = 0;
  told.length = 0;
  // jose keeps its own time; sockets and timeouts go on as ever.
  vi.useFakeTimers({ toFake: ['Date'], now: nowSeconds * 1000 });
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

const accessFrom = (jwksAddress = address, options: Partial<AccessOptions> = {}): Access => {
  const rule = { issuer, audience: 'lectern', roles: ['readers'], jwksAddress, algorithms: ['ES256'] };
  return createAccess({ ...noRules, tokens: [rule] }, { onFault: (message) => told.push(message), ...options });
};

/** A token of this pair, each one different from the others. */
let serial = 0;
const tokenOf = (pair: KeyPair, kid: string | undefined = String(pair.publicKey['kid'])): Promise<string> =>
  sign(pair, { jti: serial++, exp: nowSeconds + 36_000 }, kid === '' ? {} : { kid });
const ask = async (access: Access, token: string): Promise<string> =>
  outcome(await access.identify({ address: '192.0.2.1', token }));

describe('keys that an issuer publishes', () => {
  it('are fetched once, when the first token comes', async () => {
    publish(first, second);
    const access = accessFrom();
    expect(asked).toBe(0);
    const tokens = await Promise.all([first, second, first, second].map((pair) => tokenOf(pair)));
    expect(await Promise.all(tokens.map((token) => ask(access, token)))).toEqual(Array(4).fill('readers'));
    expect(asked).toBe(1);
    expect(told).toEqual([]);
  });

  it('are all tried for a token without kid', async () => {
    publish(first, second);
    expect(await ask(accessFrom(), await tokenOf(second, ''))).toBe('readers');
    expect(await ask(accessFrom(), await tokenOf(third, ''))).toBe(faults.signature);
  });

  it('can change: a new one is asked for, but not twice in 30 seconds', async () => {
    publish(first);
    const access = accessFrom();
    expect(await ask(access, await tokenOf(first))).toBe('readers');
    publish(second);
    expect(await ask(access, await tokenOf(second))).toBe(faults.key);
    expect(asked).toBe(1);
    pass(30);
    expect(await ask(access, await tokenOf(second))).toBe('readers');
    expect(await ask(access, await tokenOf(third))).toBe(faults.key);
    expect(await ask(access, await tokenOf(first))).toBe(faults.key);
    expect(asked).toBe(2);
  });

  it('are fetched anew after 10 minutes, so that one that was withdrawn counts no longer', async () => {
    publish(first);
    const access = accessFrom();
    expect(await ask(access, await tokenOf(first))).toBe('readers');
    publish(second);
    pass(600);
    expect(await ask(access, await tokenOf(first))).toBe(faults.key);
    expect(asked).toBe(2);
  });

  it('are not fetched for tokens of others, of other clients, or signed in other ways', async () => {
    publish(first);
    const access = accessFrom();
    expect(await ask(access, await sign(first, { iss: 'https://other.example' }))).toBe(faults.issuer);
    expect(await ask(access, await sign(first, { aud: 'other' }))).toBe(faults.audience);
    expect(await ask(access, await sign(await makePair('EdDSA')))).toBe(faults.algorithm);
    expect(asked).toBe(0);
  });

  it('are fetched with the function that is given', async () => {
    const requested: string[] = [];
    const answerOf = async (input: unknown): Promise<Response> => {
      requested.push(String(input));
      return Response.json({ keys: [first.publicKey] });
    };
    const access = accessFrom('https://login.example/certs', { fetch: answerOf as typeof fetch });
    expect(await ask(access, await tokenOf(first))).toBe('readers');
    expect(requested).toEqual(['https://login.example/certs']);
  });

  it('don’t count where a public key is a secret, or weak', async () => {
    say(
      JSON.stringify({
        keys: [
          { kty: 'oct', k: 'AAAA', kid: '1' },
          { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: '2' },
        ],
      }),
    );
    expect(await ask(accessFrom(), await tokenOf(first))).toBe(faults.key);
    expect(await ask(accessFrom(), await tokenOf(second))).toBe(faults.other);
  });
});

describe('an issuer that fails', () => {
  test.each<[string, () => void, RegExp]>([
    ['an error', () => fail(500), /it answered 500\./],
    ['not found', () => fail(404), /it answered 404\./],
    ['nothing', () => fail(204), /it answered 204\./],
    ['a page', () => say('<html>'), /no JSON Web Key Set/],
    ['empty text', () => say(''), /no JSON Web Key Set/],
    ['null', () => say('null'), /no JSON Web Key Set/],
    ['something else', () => say('{"keys": {}}'), /no JSON Web Key Set/],
    ['no keys at all', () => say('{"keys": [1]}'), /no JSON Web Key Set/],
    ['too much', () => say(' '.repeat(1024 * 1024 + 1)), /more than 1 MiB/],
    [
      'an end in the middle',
      () => (answer = (response) => response.write('{"keys"', () => response.destroy())),
      /can’t be reached/,
    ],
    ['no answer', () => (answer = (response) => response.destroy()), /can’t be reached/],
    [
      'another place',
      () => (answer = (response) => response.writeHead(302, { location: '/certs' }).end()),
      /it answered 302\./,
    ],
  ])('with %s: its tokens don’t count, and the log says why', async (_, prepare, reason) => {
    prepare();
    const access = accessFrom();
    expect(await ask(access, await tokenOf(first))).toBe(faults.unavailable);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(reason);
    expect(told[0]).toContain(address);
  });

  it('that is not there is named with the reason, and without what could be a secret', async () => {
    const access = accessFrom('http://127.0.0.1:1/certs?secret=1');
    expect(await ask(access, await tokenOf(first))).toBe(faults.unavailable);
    expect(told[0]).toMatch(/^The keys at http:\/\/127\.0\.0\.1:1\/certs can’t be read: it can’t be reached/);
  });

  it('by hanging is given up', async () => {
    answer = () => undefined;
    const access = accessFrom();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf(first)));
    const outcomes = await Promise.all(tokens.map((token) => ask(access, token)));
    expect(new Set(outcomes)).toEqual(new Set([faults.unavailable]));
    expect(asked).toBe(1);
    expect(told).toEqual([expect.stringContaining('it did not answer in time')]);
  });

  it('is left alone for 10 seconds, is told of once a minute, and counts as soon as it is well', async () => {
    fail(503);
    const access = accessFrom();
    const token = await tokenOf(first);
    for (let at = 0; at < 5; at++) expect(await ask(access, token)).toBe(faults.unavailable);
    expect([asked, told.length]).toEqual([1, 1]);
    pass(10);
    expect(await ask(access, token)).toBe(faults.unavailable);
    expect([asked, told.length]).toEqual([2, 1]);
    pass(50);
    expect(await ask(access, token)).toBe(faults.unavailable);
    expect([asked, told.length]).toEqual([3, 2]);
    publish(first);
    pass(10);
    expect(await ask(access, token)).toBe('readers');
    expect([asked, told.length]).toEqual([4, 2]);
  });

  it('after its keys were read: those still count, an unknown one can’t be checked', async () => {
    publish(first);
    const access = accessFrom();
    expect(await ask(access, await tokenOf(first))).toBe('readers');
    fail(500);
    pass(60);
    expect(await ask(access, await tokenOf(second))).toBe(faults.unavailable);
    expect(await ask(access, await tokenOf(first))).toBe('readers');
  });

  it('leaves the other issuers as they are', async () => {
    fail(500);
    const local = { issuer: 'https://local.example', audience: 'x', roles: ['local'], keys: [third.publicKey] };
    const remote = { issuer, audience: 'lectern', roles: ['readers'], jwksAddress: address };
    const tokens = [remote, local].map((rule) => ({ ...rule, algorithms: ['ES256'] }));
    const access = createAccess({ ...noRules, tokens }, { onFault: (message) => told.push(message) });
    expect(await ask(access, await tokenOf(first))).toBe(faults.unavailable);
    expect(await ask(access, await sign(third, { iss: local.issuer, aud: 'x' }))).toBe('local');
  });
});
