import { createHmac, createPublicKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { type Access, createAccess } from '../../../../src/core/access/policy.ts';
import { cacheVerdicts, createTokenVerifier, type TokenRule } from '../../../../src/core/access/tokens.ts';
import { faults } from '../../../../src/core/access/verdict.ts';
import { noRules } from './access-rules.ts';
import { encode, goodClaims, issuer, type KeyPair, makePair, nowSeconds, outcome, sign } from './signed-tokens.ts';

const algorithms = ['RS256', 'PS384', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
const pairs = new Map<string, KeyPair>();
let rsa: KeyPair;
let otherRsa: KeyPair;
let ec: KeyPair;

const pairOf = (alg: string): KeyPair => {
  const pair = pairs.get(alg);
  if (pair === undefined) throw new Error(`no key for ${alg}`);
  return pair;
};

beforeAll(async () => {
  await Promise.all(algorithms.map(async (alg) => pairs.set(alg, await makePair(alg))));
  otherRsa = await makePair('RS256');
  rsa = pairOf('RS256');
  ec = pairOf('ES256');
});

let time = nowSeconds;
const reported: string[] = [];

function accessBy(...tokens: readonly TokenRule[]): Access {
  time = nowSeconds;
  const onFault = (message: string) => void reported.push(message);
  return createAccess({ ...noRules, tokens }, createTokenVerifier(tokens, { onFault, now: () => time * 1000 }));
}

const rule = (changes: Partial<TokenRule> = {}): TokenRule => ({
  issuer,
  audience: 'lectern',
  roles: ['readers'],
  keys: [rsa.publicKey],
  algorithms: ['RS256'],
  ...changes,
});

const resultOf = async (access: Access, token: string): Promise<string> => {
  const caller = await access.identify({ address: '192.0.2.1', token });
  expect(caller.authenticated).toBe(caller.tokenFault === undefined);
  if (caller.tokenFault !== undefined) expect([...caller.roles]).toEqual([]);
  return outcome(caller);
};

describe('a token that is signed', () => {
  test.each(algorithms)('by %s is accepted', async (alg) => {
    const pair = pairOf(alg);
    const access = accessBy(rule({ keys: [pair.publicKey], algorithms: [alg] }));
    expect(await resultOf(access, await sign(pair))).toBe('readers');
  });

  it('in a way that is not accepted is not accepted', async () => {
    const access = accessBy(rule({ keys: [rsa.publicKey, ec.publicKey] }));
    expect(await resultOf(access, await sign(ec))).toBe(faults.algorithm);
    expect(await resultOf(access, await sign(pairOf('PS384')))).toBe(faults.algorithm);
  });

  it('by another key is not accepted', async () => {
    expect(await resultOf(accessBy(rule()), await sign(otherRsa))).toBe(faults.signature);
  });

  it('by a key of another type than the issuer’s is not accepted', async () => {
    expect(await resultOf(accessBy(rule({ algorithms })), await sign(ec))).toBe(faults.key);
    expect(await resultOf(accessBy(rule({ algorithms, keys: [ec.publicKey] })), await sign(rsa))).toBe(faults.key);
    const lying = `${encode({ alg: 'ES256' })}.${encode(goodClaims)}.${(await sign(rsa)).split('.')[2]}`;
    expect(await resultOf(accessBy(rule({ algorithms })), lying)).toBe(faults.key);
  });

  it('for a key that is for something else is not accepted', async () => {
    const keys = [{ ...rsa.publicKey, use: 'enc' }];
    expect(await resultOf(accessBy(rule({ keys })), await sign(rsa))).toBe(faults.key);
    expect(await resultOf(accessBy(rule({ keys: [{ ...rsa.publicKey, alg: 'PS256' }] })), await sign(rsa))).toBe(
      faults.key,
    );
  });

  it('and changed afterward is not accepted', async () => {
    const [header, , signature] = (await sign(rsa)).split('.');
    const access = accessBy(rule({ rolesClaim: 'roles' }));
    const changed = `${header}.${encode({ ...goodClaims, roles: ['curators'] })}.${signature}`;
    expect(await resultOf(access, changed)).toBe(faults.signature);
    const cut = (await sign(rsa)).slice(0, -4);
    expect(await resultOf(access, cut)).toBe(faults.signature);
  });
});

describe('a token without a signature of the issuer’s', () => {
  // Even with dangerous rules, which the settings don’t allow.
  const lax = (): TokenRule => rule({ algorithms: ['RS256', 'none', 'HS256'] });

  test.each(['none', 'None', 'NONE', ''])('with alg %j is not accepted', async (alg) => {
    for (const signature of ['', 'x', (await sign(rsa)).split('.')[2]]) {
      const token = `${encode({ alg })}.${encode(goodClaims)}.${signature}`;
      expect(await resultOf(accessBy(rule()), token)).toBe(faults.algorithm);
      expect(await resultOf(accessBy(lax()), token)).toBe(faults.algorithm);
    }
  });

  it('without alg is not accepted', async () => {
    const token = `${encode({ typ: 'JWT' })}.${encode(goodClaims)}.`;
    expect(await resultOf(accessBy(rule()), token)).toBe(faults.algorithm);
    expect(await resultOf(accessBy(lax()), token)).toBe(faults.algorithm);
  });

  it('with the public key as the secret of an HMAC is not accepted', async () => {
    const key = createPublicKey({ key: rsa.publicKey as never, format: 'jwk' });
    const secrets = [
      key.export({ format: 'pem', type: 'spki' }),
      key.export({ format: 'der', type: 'spki' }),
      JSON.stringify(rsa.publicKey),
      String(rsa.publicKey['n']),
    ];
    for (const secret of secrets) {
      const signed = `${encode({ alg: 'HS256' })}.${encode(goodClaims)}`;
      const token = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
      expect(await resultOf(accessBy(rule()), token)).toBe(faults.algorithm);
      expect(await resultOf(accessBy(lax()), token)).toBe(faults.algorithm);
    }
  });

  it('that brings its own key is not accepted', async () => {
    const header = {
      alg: 'RS256',
      jwk: otherRsa.publicKey as never,
      jku: 'http://127.0.0.1:1/',
      x5u: 'http://127.0.0.1:1/',
    };
    const token = await new SignJWT({ ...goodClaims }).setProtectedHeader(header).sign(otherRsa.secret);
    expect(await resultOf(accessBy(rule()), token)).toBe(faults.signature);
  });
});

describe('the claims', () => {
  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['another issuer', { iss: 'https://login.example/realms/other' }, faults.issuer],
    ['the issuer with a slash more', { iss: `${issuer}/` }, faults.issuer],
    ['the issuer in a list', { iss: [issuer] }, faults.issuer],
    ['no issuer', { iss: undefined }, faults.issuer],
    ['another audience', { aud: 'lectern2' }, faults.audience],
    ['an audience in other letters', { aud: 'Lectern' }, faults.audience],
    ['other audiences', { aud: ['a', 'b'] }, faults.audience],
    ['no audience', { aud: undefined }, faults.audience],
    ['ours among several audiences', { aud: ['a', 'lectern'] }, 'readers'],
    ['expired', { exp: nowSeconds - 31 }, faults.expired],
    ['expired within the tolerance', { exp: nowSeconds - 29 }, 'readers'],
    ['without an end', { exp: undefined }, faults.endless],
    ['an end that is no number', { exp: '2030-01-01' }, faults.other],
    ['not valid yet', { nbf: nowSeconds + 31 }, faults.early],
    ['valid within the tolerance', { nbf: nowSeconds + 29 }, 'readers'],
    ['a beginning that is no number', { nbf: 'now' }, faults.early],
    ['valid for ages', { exp: 1e15 }, 'readers'],
  ])('%s', async (_, claims, expected) => {
    expect(await resultOf(accessBy(rule()), await sign(rsa, claims))).toBe(expected);
  });

  test.each<[string, unknown, string]>([
    ['roles', ['curators', 'staff'], 'curators readers staff'],
    ['roles', ['Reading Room', 7, null, '', ['x'], { y: 1 }], 'Reading Room readers'],
    ['roles', '  curators\tstaff ', 'curators readers staff'],
    ['roles', { curators: true }, 'readers'],
    ['roles', undefined, 'readers'],
    ['roles', 7, 'readers'],
    ['https://login.example/roles', ['curators'], 'curators readers'],
  ])('%s: %j', async (rolesClaim, value, expected) => {
    const token = await sign(rsa, { [rolesClaim]: value });
    expect(await resultOf(accessBy(rule({ rolesClaim })), token)).toBe(expected);
  });

  test.each([
    ['realm_access.roles', 'curators readers'],
    ['realm_access.groups', 'readers'],
    ['realm_access.roles.length', 'readers'],
    ['constructor.name', 'readers'],
    ['__proto__', 'readers'],
    ['no', 'readers'],
  ])('inside of claims: %s', async (rolesClaim, expected) => {
    const token = await sign(rsa, { realm_access: { roles: ['curators'] } });
    expect(await resultOf(accessBy(rule({ rolesClaim })), token)).toBe(expected);
  });

  it('that no rule names give no roles', async () => {
    expect(await resultOf(accessBy(rule()), await sign(rsa, { roles: ['curators'] }))).toBe('readers');
  });
});

describe('text that is no token', () => {
  test.each([
    'x',
    '..',
    'a.b.c',
    'a.b.c.d.e',
    `${encode({ alg: 'RS256' })}.${encode('text')}.x`,
    `${encode({ alg: 'RS256' })}.${encode(goodClaims)}`,
    `é.${encode(goodClaims)}.x`,
    'Bearer x',
    '\0',
  ])('%j', async (token) =>
    expect([faults.malformed, faults.other]).toContain(await resultOf(accessBy(rule()), token)),
  );

  it('that is empty counts as none', async () => {
    expect(await accessBy(rule()).identify({ address: '192.0.2.1', token: '' })).toEqual({
      roles: new Set(),
      authenticated: false,
    });
  });

  it('is longer than 16 KiB', async () => {
    const access = accessBy(rule());
    expect(await resultOf(access, await sign(rsa, { more: 'x'.repeat(12_500) }))).toBe(faults.long);
    expect(await resultOf(access, await sign(rsa, { more: 'x'.repeat(11_500) }))).toBe('readers');
  });
});

describe('several keys', () => {
  let first: KeyPair;
  let second: KeyPair;
  beforeAll(async () => {
    [first, second] = await Promise.all([makePair('ES256', '1'), makePair('ES256', '2')]);
  });
  const inEc = { algorithms: ['ES256'] };

  it('are distinguished by their kid', async () => {
    const access = accessBy(rule({ keys: [first.publicKey, second.publicKey], ...inEc }));
    expect(await resultOf(access, await sign(first, {}, { kid: '1' }))).toBe('readers');
    expect(await resultOf(access, await sign(second, {}, { kid: '2' }))).toBe('readers');
    expect(await resultOf(access, await sign(second, {}, { kid: '1' }))).toBe(faults.signature);
    expect(await resultOf(access, await sign(second, {}, { kid: '3' }))).toBe(faults.key);
  });

  it('are all tried for a token without kid', async () => {
    const access = accessBy(rule({ keys: [first.publicKey, second.publicKey], ...inEc }));
    expect(await resultOf(access, await sign(second))).toBe('readers');
    expect(await resultOf(access, await sign(second, { exp: nowSeconds - 60 }))).toBe(faults.expired);
    expect(await resultOf(access, await sign(first, { exp: nowSeconds - 60 }))).toBe(faults.expired);
    expect(await resultOf(access, await sign(ec))).toBe(faults.signature);
  });

  it('without kid are tried for every token', async () => {
    const access = accessBy(rule({ keys: [ec.publicKey], ...inEc }));
    expect(await resultOf(access, await sign(ec, {}, { kid: 'any' }))).toBe('readers');
  });
});

describe('several rules', () => {
  const other = 'https://other.example';

  it('accept tokens of their own issuer only', async () => {
    const access = accessBy(rule(), rule({ issuer: other, keys: [otherRsa.publicKey], roles: ['others'] }));
    expect(await resultOf(access, await sign(rsa))).toBe('readers');
    expect(await resultOf(access, await sign(otherRsa, { iss: other }))).toBe('others');
    expect(await resultOf(access, await sign(otherRsa))).toBe(faults.signature);
    expect(await resultOf(access, await sign(rsa, { iss: other }))).toBe(faults.signature);
  });

  it('of one issuer are distinguished by the audience, and add up where the token is for both', async () => {
    const access = accessBy(rule(), rule({ audience: 'viewer', roles: ['viewers'], rolesClaim: 'roles' }));
    expect(await resultOf(access, await sign(rsa, { aud: 'viewer', roles: ['a'] }))).toBe('a viewers');
    expect(await resultOf(access, await sign(rsa, { aud: ['viewer', 'lectern'] }))).toBe('readers viewers');
    expect(await resultOf(access, await sign(rsa, { aud: 'neither' }))).toBe(faults.audience);
  });

  it('need keys', () =>
    expect(() => accessBy(rule({ keys: undefined }))).toThrow(/have neither keys nor an address of keys/));

  it('may be missing, and no token is accepted', async () => {
    expect(await resultOf(accessBy(), await sign(rsa))).toBe(faults.issuer);
  });
});

describe('a token that was accepted', () => {
  /** Keys that count how often they are used. */
  function countingAccess(): { readonly access: Access; readonly verified: () => number } {
    const verify = crypto.subtle.verify;
    let count = 0;
    crypto.subtle.verify = function counted(this: SubtleCrypto, ...parameters: Parameters<typeof verify>) {
      count++;
      return verify.apply(crypto.subtle, parameters);
    };
    restore = () => {
      crypto.subtle.verify = verify;
    };
    return { access: accessBy(rule()), verified: () => count };
  }
  let restore = (): void => undefined;

  it('is verified once for a page of tiles, and again after 5 minutes', async () => {
    const { access, verified } = countingAccess();
    try {
      const token = await sign(rsa);
      const tiles = Array.from({ length: 100 }, () => resultOf(access, token));
      expect(new Set(await Promise.all(tiles))).toEqual(new Set(['readers']));
      time += 299;
      expect(await resultOf(access, token)).toBe('readers');
      expect(verified()).toBe(1);
      time += 1;
      expect(await resultOf(access, token)).toBe('readers');
      expect(verified()).toBe(2);
    } finally {
      restore();
    }
  });

  it('is not cached longer than it is valid', async () => {
    const access = accessBy(rule());
    const token = await sign(rsa, { exp: nowSeconds + 60 });
    expect(await resultOf(access, token)).toBe('readers');
    time += 89;
    expect(await resultOf(access, token)).toBe('readers');
    time += 1;
    expect(await resultOf(access, token)).toBe(faults.expired);
  });

  it('stays cached during a flood of refused tokens', async () => {
    const { access, verified } = countingAccess();
    try {
      const token = await sign(rsa);
      await resultOf(access, token);
      for (let at = 0; at < 1500; at++) await resultOf(access, `x.${at}.y`);
      await resultOf(access, token);
      expect(verified()).toBe(1);
    } finally {
      restore();
    }
  });

  it('that was refused is cached briefly', async () => {
    const { access, verified } = countingAccess();
    try {
      const early = await sign(rsa, { nbf: nowSeconds + 35 });
      expect(await resultOf(access, early)).toBe(faults.early);
      time += 9;
      expect(await resultOf(access, early)).toBe(faults.early);
      expect(verified()).toBe(1);
      time += 1;
      expect(await resultOf(access, early)).toBe('readers');
      expect(verified()).toBe(2);
    } finally {
      restore();
    }
  });
});

describe('the cache', () => {
  it('holds the 5,000 most recently used tokens', async () => {
    let checks = 0;
    const check = cacheVerdicts(
      async () => {
        checks++;
        return { kind: 'valid', roles: [], expiresMs: 60_000 };
      },
      () => 0,
    );
    for (let at = 0; at < 5000; at++) await check(`token ${at}`);
    await check('token 0');
    expect(checks).toBe(5000);
    await check('one more');
    await check('token 0');
    expect(checks).toBe(5001);
    await check('token 1');
    expect(checks).toBe(5002);
  });
});

describe('a message about a token', () => {
  it('contains nothing of it', async () => {
    const access = accessBy(rule());
    const secret = 'zq7secret';
    const header = { alg: secret, kid: secret };
    const tokens = [
      secret,
      `${encode(header)}.${encode(goodClaims)}.${secret}`,
      await sign(rsa, { iss: secret }),
      await sign(rsa, { aud: secret }),
      await sign(rsa, { exp: secret }),
      await sign(rsa, { nbf: secret, sub: secret }),
      await sign(otherRsa, {}, { kid: secret }),
    ];
    for (const token of tokens) {
      const result = await resultOf(access, token);
      expect(result).toMatch(/^The token .+\.$|^The signature .+\.$/);
      expect(result).not.toContain(secret);
    }
    expect(reported).toEqual([]);
  });
});
