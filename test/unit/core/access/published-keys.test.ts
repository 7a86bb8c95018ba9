import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { type Access, createAccess } from '../../../../src/core/access/policy.ts';
import { createTokenVerifier, type TokenOptions, type TokenRule } from '../../../../src/core/access/tokens.ts';
import { faults } from '../../../../src/core/access/verdict.ts';
import { noRules } from './access-rules.ts';
import { issuer, type KeyPair, makePair, nowSeconds, outcome, sign } from './signed-tokens.ts';

let first: KeyPair;
let second: KeyPair;
let third: KeyPair;

/** The issuer: responds as a test configures it, and counts its requests. */
let answer: (response: ServerResponse) => void;
let requests = 0;
let address = '';
let server: Server;

beforeAll(async () => {
  [first, second, third] = await Promise.all(
    ['1', '2', '3'].map((kid) => makePair('ES256', kid)) as [Promise<KeyPair>, Promise<KeyPair>, Promise<KeyPair>],
  );
  server = createServer((_, response) => {
    requests++;
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

const reported: string[] = [];
beforeEach(() => {
  requests = 0;
  reported.length = 0;
  // jose reads the fake time; sockets and timeouts use the real one.
  vi.useFakeTimers({ toFake: ['Date'], now: nowSeconds * 1000 });
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

const accessBy = (tokens: readonly TokenRule[], options: Partial<TokenOptions> = {}): Access => {
  const onFault = (message: string) => void reported.push(message);
  return createAccess({ ...noRules, tokens }, createTokenVerifier(tokens, { onFault, ...options }));
};

const accessFrom = (jwksAddress = address, options: Partial<TokenOptions> = {}): Access => {
  const rule = { issuer, audience: 'lectern', roles: ['readers'], jwksAddress, algorithms: ['ES256'] };
  return accessBy([rule], options);
};

/** A token of this pair, each one different from the others. */
let serial = 0;
const tokenOf = (pair: KeyPair, kid: string | undefined = String(pair.publicKey['kid'])): Promise<string> =>
  sign(pair, { jti: serial++, exp: nowSeconds + 36_000 }, kid === '' ? {} : { kid });
const resultOf = async (access: Access, token: string): Promise<string> =>
  outcome(await access.identify({ address: '192.0.2.1', token }));

describe('published keys of an issuer', () => {
  it('are fetched once, when the first token comes', async () => {
    publish(first, second);
    const access = accessFrom();
    expect(requests).toBe(0);
    const tokens = await Promise.all([first, second, first, second].map((pair) => tokenOf(pair)));
    expect(await Promise.all(tokens.map((token) => resultOf(access, token)))).toEqual(Array(4).fill('readers'));
    expect(requests).toBe(1);
    expect(reported).toEqual([]);
  });

  it('are all tried for a token without kid', async () => {
    publish(first, second);
    expect(await resultOf(accessFrom(), await tokenOf(second, ''))).toBe('readers');
    expect(await resultOf(accessFrom(), await tokenOf(third, ''))).toBe(faults.signature);
  });

  it('can change: a new one is fetched, but not twice in 30 seconds', async () => {
    publish(first);
    const access = accessFrom();
    expect(await resultOf(access, await tokenOf(first))).toBe('readers');
    publish(second);
    expect(await resultOf(access, await tokenOf(second))).toBe(faults.key);
    expect(requests).toBe(1);
    pass(30);
    expect(await resultOf(access, await tokenOf(second))).toBe('readers');
    expect(await resultOf(access, await tokenOf(third))).toBe(faults.key);
    expect(await resultOf(access, await tokenOf(first))).toBe(faults.key);
    expect(requests).toBe(2);
  });

  it('are fetched again after 10 minutes, so that a withdrawn key is no longer accepted', async () => {
    publish(first);
    const access = accessFrom();
    expect(await resultOf(access, await tokenOf(first))).toBe('readers');
    publish(second);
    pass(600);
    expect(await resultOf(access, await tokenOf(first))).toBe(faults.key);
    expect(requests).toBe(2);
  });

  it('are not fetched for tokens of others, of other clients, or signed in other ways', async () => {
    publish(first);
    const access = accessFrom();
    expect(await resultOf(access, await sign(first, { iss: 'https://other.example' }))).toBe(faults.issuer);
    expect(await resultOf(access, await sign(first, { aud: 'other' }))).toBe(faults.audience);
    expect(await resultOf(access, await sign(await makePair('EdDSA')))).toBe(faults.algorithm);
    expect(requests).toBe(0);
  });

  it('are fetched with the function in the options', async () => {
    const requested: string[] = [];
    const answerOf = async (input: unknown): Promise<Response> => {
      requested.push(String(input));
      return Response.json({ keys: [first.publicKey] });
    };
    const access = accessFrom('https://login.example/certs', { fetch: answerOf as typeof fetch });
    expect(await resultOf(access, await tokenOf(first))).toBe('readers');
    expect(requested).toEqual(['https://login.example/certs']);
  });

  it('are not accepted where a public key is a secret, or weak', async () => {
    say(
      JSON.stringify({
        keys: [
          { kty: 'oct', k: 'AAAA', kid: '1' },
          { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: '2' },
        ],
      }),
    );
    expect(await resultOf(accessFrom(), await tokenOf(first))).toBe(faults.key);
    expect(await resultOf(accessFrom(), await tokenOf(second))).toBe(faults.other);
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
  ])('with %s: its tokens are not accepted, and the log names the reason', async (_, prepare, reason) => {
    prepare();
    const access = accessFrom();
    expect(await resultOf(access, await tokenOf(first))).toBe(faults.unavailable);
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatch(reason);
    expect(reported[0]).toContain(address);
  });

  it('that can’t be reached is logged with the reason, and without possible secrets', async () => {
    const access = accessFrom('http://127.0.0.1:1/certs?secret=1');
    expect(await resultOf(access, await tokenOf(first))).toBe(faults.unavailable);
    expect(reported[0]).toMatch(/^The keys at http:\/\/127\.0\.0\.1:1\/certs can’t be read: it can’t be reached/);
  });

  it('by hanging is abandoned', async () => {
    answer = () => undefined;
    const access = accessFrom();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf(first)));
    const outcomes = await Promise.all(tokens.map((token) => resultOf(access, token)));
    expect(new Set(outcomes)).toEqual(new Set([faults.unavailable]));
    expect(requests).toBe(1);
    expect(reported).toEqual([expect.stringContaining('it did not answer in time')]);
  });

  it('is not requested for 10 seconds, is logged once a minute, and is accepted as soon as it recovers', async () => {
    fail(503);
    const access = accessFrom();
    const token = await tokenOf(first);
    for (let at = 0; at < 5; at++) expect(await resultOf(access, token)).toBe(faults.unavailable);
    expect([requests, reported.length]).toEqual([1, 1]);
    pass(10);
    expect(await resultOf(access, token)).toBe(faults.unavailable);
    expect([requests, reported.length]).toEqual([2, 1]);
    pass(50);
    expect(await resultOf(access, token)).toBe(faults.unavailable);
    expect([requests, reported.length]).toEqual([3, 2]);
    publish(first);
    pass(10);
    expect(await resultOf(access, token)).toBe('readers');
    expect([requests, reported.length]).toEqual([4, 2]);
  });

  it('after its keys were fetched: those are still accepted, an unknown one can’t be checked', async () => {
    publish(first);
    const access = accessFrom();
    expect(await resultOf(access, await tokenOf(first))).toBe('readers');
    fail(500);
    pass(60);
    expect(await resultOf(access, await tokenOf(second))).toBe(faults.unavailable);
    expect(await resultOf(access, await tokenOf(first))).toBe('readers');
  });

  it('does not affect other issuers', async () => {
    fail(500);
    const local = { issuer: 'https://local.example', audience: 'x', roles: ['local'], keys: [third.publicKey] };
    const remote = { issuer, audience: 'lectern', roles: ['readers'], jwksAddress: address };
    const tokens = [remote, local].map((rule) => ({ ...rule, algorithms: ['ES256'] }));
    const access = accessBy(tokens);
    expect(await resultOf(access, await tokenOf(first))).toBe(faults.unavailable);
    expect(await resultOf(access, await sign(third, { iss: local.issuer, aud: 'x' }))).toBe('local');
  });
});
