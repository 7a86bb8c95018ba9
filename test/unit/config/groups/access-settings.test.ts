import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { settingsSchema } from '../../../../src/app/settings/settings.ts';
import { accessSettings } from '../../../../src/config/groups/access-settings.ts';
import type { AccessRules } from '../../../../src/core/access/policy.ts';
import { accessBy } from '../../core/access/access-rules.ts';

const publicKey = (kind: 'rsa' | 'ec' | 'ed25519' | 'ed448', size: number | string = 2048): JsonWebKey => {
  const options = kind === 'rsa' ? { modulusLength: size } : { namedCurve: size };
  return generateKeyPairSync(kind as 'rsa', options as { modulusLength: number }).publicKey.export({ format: 'jwk' });
};
const rsa = publicKey('rsa');
const ec = publicKey('ec', 'P-256');
const weak = publicKey('rsa', 1024);
const secret = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });

/** What is wrong with the settings of access; none where nothing is. */
const problemsOf = (settings: unknown): readonly string[] =>
  accessSettings.safeParse(settings).error?.issues.map(({ message }) => message) ?? [];

const token = { issuer: 'https://login.example', audience: 'lectern', roles: ['readers'] };
const tokenProblems = (changes: object): readonly string[] => problemsOf({ tokens: [{ ...token, ...changes }] });

/** The rules without watermarks, whose pictures would have to be read. */
function rulesOf(settings: unknown): AccessRules {
  const { tiers, ...rules } = accessSettings.parse(settings);
  return { ...rules, tiers: tiers.map(({ watermark, ...tier }) => tier) };
}

describe('the settings of access', () => {
  it('are rules as they stand, and open without any', () => {
    expect(accessBy(rulesOf({})).isOn).toBe(false);
  });

  test.each([
    '130.92.68.7',
    '10.0.0.0/8',
    '130',
    '130.92',
    '130.92.68.',
    '::1',
    '2001:638',
    '2001:638:',
    '2001:db8::/32',
    '2001:',
  ])('take %s for an address, and access takes it too', (address) => {
    const addresses = [{ address, roles: ['house'] }];
    expect(problemsOf({ addresses })).toEqual([]);
    expect(accessBy(rulesOf({ addresses })).isOn).toBe(true);
  });

  test.each([
    '',
    'localhost',
    '130.921',
    '256',
    '130.092',
    '1.2.3.4.',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/8/8',
    '130.92/16',
    '2001',
    '2001:63g',
    '1:2:3:4:5:6:7:8:',
  ])('don’t take %j for one', (address) => {
    const problems = problemsOf({ addresses: [{ address, roles: [] }] });
    expect(problems).toEqual([expect.stringContaining(`${JSON.stringify(address)} must be an address, a range`)]);
  });

  test.each(['', '/', 'books', '/books/rare/', './books', 'a//b', 'a..b', 'Kräuter & "x"'])(
    'take the path %j',
    (path) => expect(problemsOf({ paths: [{ path, roles: [] }] })).toEqual([]),
  );

  test.each(['..', '../books', 'books/..', '.git', 'books/.hidden', 'books\\rare', 'a\0', 'Kr\uFFFDuter'])(
    'don’t take the path %j',
    (path) =>
      expect(problemsOf({ paths: [{ path, roles: [] }] })).toEqual([expect.stringContaining('can name no folder')]),
  );

  test.each(['', ' ', ' staff', 'staff\n'])('don’t take the role %j', (role) => {
    const expected = `the role ${JSON.stringify(role)} must be a name without blanks around it`;
    expect(problemsOf({ paths: [{ path: '', roles: [role] }] })).toEqual([expected]);
  });
});

describe('the keys of tokens', () => {
  test.each<[string, object, readonly string[]]>([
    ['a key', { keys: [rsa] }, []],
    ['an address', { jwksAddress: 'https://login.example/certs' }, []],
    ['a curve and its signature', { keys: [ec], algorithms: ['ES256'] }, []],
    ['Ed25519', { keys: [publicKey('ed25519')], algorithms: ['EdDSA'] }, []],
    ['neither', {}, ['https://login.example needs either keys or jwksAddress']],
    ['both', { keys: [rsa], jwksAddress: 'https://x' }, ['https://login.example needs either keys or jwksAddress']],
    [
      'an address of a file',
      { jwksAddress: 'file:///x' },
      ['"file:///x" must be an address that begins with https:// or http://'],
    ],
    [
      'a private key',
      { keys: [secret] },
      ['key 1 of https://login.example is a private key; only its public members belong here'],
    ],
    ['a weak key', { keys: [rsa, weak] }, ['key 2 of https://login.example has 1024 bits; RSA keys need 2048']],
    [
      'a part of a key',
      { keys: [{ kty: 'RSA', e: 'AQAB' }] },
      ['key 1 of https://login.example is no complete public key in the form of a JSON Web Key'],
    ],
    [
      'a point off the curve',
      { keys: [{ ...ec, x: ec.y }] },
      ['key 1 of https://login.example is no complete public key in the form of a JSON Web Key'],
    ],
    ['a shared secret', { keys: [{ kty: 'oct', k: 'AAAA' }] }, ['must be a key of kty RSA, EC or OKP']],
    [
      'a key for encryption',
      { keys: [{ ...rsa, use: 'enc' }] },
      ['key 1 of https://login.example is not for signatures; its use must be sig, or left out'],
    ],
    [
      'a key without its signature',
      { keys: [ec] },
      ['key 1 of https://login.example is of no use, since algorithms lists none of ES256'],
    ],
    [
      'a key that says another one',
      { keys: [{ ...ec, alg: 'RS256' }] },
      ['key 1 of https://login.example has an alg that is not its own; it can be ES256'],
    ],
    [
      'an unknown curve',
      { keys: [publicKey('ed448')], algorithms: ['EdDSA'] },
      [
        'key 1 of https://login.example is of a curve that is not known here; known are P-256, P-384, P-521 and Ed25519',
      ],
    ],
  ])('%s', (_, changes, expected) => expect(tokenProblems(changes)).toEqual(expected));

  test.each(['none', 'HS256', 'HS512', 'RS1', 'rs256', ''])('never take the signature %j', (algorithm) => {
    const problems = tokenProblems({ keys: [rsa], algorithms: ['RS256', algorithm] });
    expect(problems).toEqual([
      expect.stringMatching(/^"\w*" is no signature that can be accepted; these can: RS256, .*EdDSA/),
    ]);
  });
});

describe('the guide', () => {
  const guide = readFileSync(new URL('../../../../docs/guide/access.md', import.meta.url), 'utf8');
  const examples = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => text);
  const parts = settingsSchema.partial();

  it('has examples', () => expect(examples.length).toBeGreaterThan(3));

  test.each(examples)('shows settings that are taken: %s', (text) => {
    const { access } = parts.parse(JSON.parse(text));
    expect(accessBy(rulesOf(access)).isOn).toBe(true);
  });
});

describe('a watermark', () => {
  const problems = (watermark: object, changes: object = {}) =>
    problemsOf({ tiers: [{ name: 'marked', watermark, ...changes }] });

  it('is of a tier of any size, with defaults for how it lies', () => {
    expect(accessSettings.parse({ tiers: [{ name: 'marked', watermark: { text: ' © Library ' } }] }).tiers[0]).toEqual({
      name: 'marked',
      originals: false,
      documents: false,
      texts: false,
      wholeInfo: false,
      watermark: { text: '© Library', place: 'bottom-right', opacity: 0.5, width: 0.25, minSide: 200 },
    });
    expect(problems({ picture: 'mark.svg' }, { maxSide: 500 })).toEqual([]);
  });

  test.each([
    [{}, 'either a picture or a text'],
    [{ picture: 'mark.svg', text: 'x' }, 'either a picture or a text'],
    [{ text: ' ' }, 'Too small'],
    [{ text: 'two\nlines' }, 'one line'],
    [{ text: 'x', opacity: 0 }, 'Too small'],
    [{ text: 'x', opacity: 1.1 }, 'Too big'],
    [{ text: 'x', width: 0 }, 'Too small'],
    [{ text: 'x', place: 'left' }, 'Invalid option'],
    [{ text: 'x', color: 'red' }, 'Unrecognized key'],
  ])('%j is refused', (watermark, problem) => {
    expect(problems(watermark).join()).toContain(problem);
  });

  it('goes with no originals, which have none', () => {
    expect(problems({ text: 'x' }, { originals: true })).toEqual([
      'a tier with a watermark can’t have originals, which have none',
    ]);
  });
});
