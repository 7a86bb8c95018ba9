import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { accessBy } from './access-rules.ts';

const rolesOf = async (rules: Readonly<Record<string, string>>, address: string): Promise<readonly string[]> => {
  const addresses = Object.entries(rules).map(([text, roles]) => ({ address: text, roles: roles.split(' ') }));
  const { roles, authenticated } = await accessBy({ addresses }).identify({ address });
  expect(authenticated).toBe(false);
  return [...roles].sort();
};

const matches = async (rule: string, address: string): Promise<boolean> =>
  (await rolesOf({ [rule]: 'house' }, address)).includes('house');

describe('an address', () => {
  test.each([
    ['130.92.68.7', '130.92.68.7'],
    ['130.92.68.0/24', '130.92.68.255'],
    ['130.92.68.77/24', '130.92.68.1'],
    ['10.0.0.0/9', '10.127.255.255'],
    ['0.0.0.0/0', '203.0.113.9'],
    ['130.92', '130.92.0.0'],
    ['130.92', '130.92.255.255'],
    ['130.92.', '130.92.1.1'],
    ['130.92.68', '130.92.68.200'],
    ['130.92.68.', '130.92.68.200'],
    ['127', '127.9.9.9'],
    ['130.92', '::ffff:130.92.1.1'],
    ['130.92', '::FFFF:825c:0101'],
    ['130.92', '0:0:0:0:0:ffff:130.92.1.1'],
    ['::ffff:130.92.0.0/112', '130.92.1.1'],
    ['::ffff:130.92.1.1', '130.92.1.1'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:638::/32', '2001:638:ffff::1'],
    ['2001:638:0:8000::/49', '2001:638:0:ffff::1'],
    ['2001:638', '2001:0638:1::'],
    ['2001:638:', '2001:638::'],
    ['2001:0638', '2001:638::1'],
    ['2001:', '2001:ffff::'],
    ['2001:DB8:0:0', '2001:db8::1'],
    ['1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8'],
    ['1:2:3:4:5:6:7:', '1:2:3:4:5:6:7:8'],
    ['fe80::1', 'fe80::1%eth0'],
    ['fe80::1%eth1', 'fe80::1%eth0'],
    ['fe80::/10', 'fe80::abcd%2'],
    ['130.92', '::ffff:130.92.1.1%eth0'],
    ['::/0', 'ff02::1'],
  ])('of the rule %s: %s', async (rule, address) => expect(await matches(rule, address)).toBe(true));

  test.each([
    ['130.92.68.7', '130.92.68.77'],
    ['130.92.68.0/24', '130.92.69.0'],
    ['10.0.0.0/9', '10.128.0.0'],
    ['130.92', '130.921.0.1'],
    ['130.9', '130.92.0.1'],
    ['130.92', '30.92.0.1'],
    ['130.92', '1.130.92.1'],
    ['13', '130.92.0.1'],
    ['2001:638::/32', '2001:639::1'],
    ['2001:638:0:8000::/49', '2001:638:0:7fff::1'],
    ['2001:63', '2001:638::1'],
    ['2001:638', '2001:6380::1'],
    ['2001:638', '::2001:638'],
    ['::1', '::2'],
    ['::/0', '130.92.1.1'],
    ['::/0', '::ffff:130.92.1.1'],
    ['0.0.0.0/0', '::1'],
    ['130.92', '2001:638::1'],
    ['::ffff:130.92.0.0/95', '130.92.1.1'],
    ['130.92', ''],
    ['0.0.0.0/0', 'unknown'],
    ['0.0.0.0/0', '130.92.1'],
    ['0.0.0.0/0', '130.92.1.1, 10.0.0.1'],
    ['0.0.0.0/0', '130.92.1.01'],
  ])('not of the rule %s: %j', async (rule, address) => expect(await matches(rule, address)).toBe(false));

  it('has the roles of all rules that it matches', async () => {
    const rules = {
      '130.92': 'campus',
      '130.92.68.0/24': 'house reading-room',
      '130.92.68.7': 'house desk',
      '10': 'other',
    };
    expect(await rolesOf(rules, '130.92.68.7')).toEqual(['campus', 'desk', 'house', 'reading-room']);
    expect(await rolesOf(rules, '130.92.1.1')).toEqual(['campus']);
    expect(await rolesOf(rules, '192.0.2.1')).toEqual([]);
  });

  test.each([
    '',
    'library.example',
    '10.0.0.0/x/8',
    '10.0.0.0/8/8',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '130.92/16',
    '300.1',
    '1.2.3.4.5',
    '10.0.0.0.',
    ':',
    '2001',
    '12345:',
    '1.2.3.4-9',
  ])('can’t be %j in a rule', (address) =>
    expect(() => accessBy({ addresses: [{ address, roles: ['a'] }] })).toThrow(/no address, range or prefix/),
  );
});

/** A naive reference: addresses as strings of bits. */
const bitsOf = (parts: readonly number[], width: number): string =>
  parts.map((part) => part.toString(2).padStart(width, '0')).join('');

const short = { parts: 4, width: 8, format: (parts: readonly number[]): string => parts.join('.') };
const long = {
  parts: 8,
  width: 16,
  format: (parts: readonly number[]): string => parts.map((part) => part.toString(16)).join(':'),
};

describe.each([
  ['IPv4', short],
  ['IPv6', long],
])('ranges of %s', (_, { parts, width, format }) => {
  // Few different values, so that addresses often have the same prefix.
  const part = fc.oneof(fc.constantFrom(0, 1, 2 ** (width - 1), 2 ** width - 1), fc.nat(2 ** width - 1));
  const address = fc.array(part, { minLength: parts, maxLength: parts });
  const near = fc.tuple(address, address, fc.nat(parts)).map(([one, other, same]) => ({
    one,
    other: [...one.slice(0, same), ...other.slice(same)],
  }));

  it('contain exactly the addresses that begin with the same bits', async () => {
    await fc.assert(
      fc.asyncProperty(near, fc.nat(parts * width), async ({ one, other }, length) => {
        const expected = bitsOf(one, width).slice(0, length) === bitsOf(other, width).slice(0, length);
        expect(await matches(`${format(one)}/${length}`, format(other))).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('that are written as a prefix contain exactly the addresses with the same first parts', async () => {
    await fc.assert(
      fc.asyncProperty(near, fc.integer({ min: 2, max: parts - 1 }), async ({ one, other }, length) => {
        const prefix = format(one.slice(0, length));
        const expected = one.slice(0, length).join() === other.slice(0, length).join();
        expect(await matches(prefix, format(other))).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
