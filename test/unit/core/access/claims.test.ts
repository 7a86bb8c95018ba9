import { describe, expect, it } from 'vitest';
import { rolesOfClaims, wordsOfClaim } from '../../../../src/core/access/claims.ts';

const claims = {
  groups: ['staff', 'north'],
  email: 'anna@library.example',
  level: 3,
  verified: false,
  known: true,
  empty: '',
  realm: { roles: ['curators'], 'a.b': 'dotted' },
  'a.b': 'whole name',
  words: 'one  two',
};

describe('a rule by a claim', () => {
  it.each([
    ['groups', 'staff', true],
    ['groups', 'Staff', false],
    ['groups', 'staf', false],
    ['groups', 'st*', true],
    ['groups', undefined, true],
    ['email', '*@library.example', true],
    ['email', '*@rary.example', false],
    ['email', '*', false],
    ['level', '3', true],
    ['known', 'true', true],
    ['known', undefined, true],
    ['verified', undefined, false],
    ['verified', 'false', true],
    ['empty', undefined, false],
    ['realm.roles', 'curators', true],
    ['realm', undefined, false],
    ['a.b', 'whole name', true],
    ['words', 'one', false],
    ['missing', undefined, false],
    ['__proto__', undefined, false],
    ['constructor.name', 'Object', false],
  ] as const)('%s = %s is met: %s', (claim, value, expected) =>
    expect(rolesOfClaims([{ claim, value, roles: ['r'] }], claims)).toEqual(expected ? ['r'] : []),
  );

  it('gives the roles of all that are met', () =>
    expect(
      rolesOfClaims(
        [
          { claim: 'groups', value: 'staff', roles: ['a', 'b'] },
          { claim: 'groups', value: 'south', roles: ['c'] },
          { claim: 'known', roles: ['d'] },
        ],
        claims,
      ),
    ).toEqual(['a', 'b', 'd']));
});

describe('the words of a claim', () => {
  it.each([
    ['groups', ['staff', 'north']],
    ['words', ['one', 'two']],
    ['realm.roles', ['curators']],
    ['level', []],
    ['missing', []],
  ] as const)('%s', (name, expected) => expect(wordsOfClaim(claims, name)).toEqual(expected));
});
