/** What rules with tiers give: the best of a caller's roles, the worst of a subject's paths and its type. */
import { describe, expect, it, test } from 'vitest';
import type { PathRule, TypeRule } from '../../../../src/core/access/path-rules.ts';
import type { Tier } from '../../../../src/core/image/model/tier.ts';
import { accessBy, callerWith, identifierOf } from './access-rules.ts';

const tierOf = (name: string, maxSide: number): Tier => ({
  name,
  maxSide,
  originals: false,
  documents: false,
  texts: false,
});

const tiers = [tierOf('large', 2000), tierOf('medium', 1000), tierOf('small', 500)];

const paths: readonly PathRule[] = [
  {
    path: 'books',
    roles: ['staff'],
    tiers: [
      { tier: 'small', roles: ['guests'] },
      { tier: 'large', roles: ['members'] },
    ],
    everyone: 'small',
  },
  { path: 'books/rare', roles: ['curators'], tiers: [{ tier: 'medium', roles: ['guests'] }] },
  { path: 'books/sealed', roles: [] },
  { path: 'books/sealed/list', roles: ['guests'], everyone: 'medium' },
  { path: 'books/sample', roles: [], everyone: 'medium' },
  { path: 'maps', roles: [], everyone: 'small' },
  { path: 'maps/old', roles: ['staff'], tiers: [{ tier: 'medium', roles: ['guests'] }] },
  { path: 'letters', roles: ['staff'] },
];

const types: readonly TypeRule[] = [
  { type: 'group:a', roles: ['staff'], tiers: [{ tier: 'medium', roles: ['members'] }] },
  { type: 'default', roles: ['staff', 'members', 'guests'], everyone: 'large' },
];

const nameOf = (grant: Tier | 'all' | undefined): string =>
  grant === undefined ? 'nothing' : grant === 'all' ? 'all' : grant.name;

describe('paths', () => {
  const access = accessBy({ tiers, paths });
  test.each([
    ['books/x', [], 'small'],
    ['books/x', ['guests'], 'small'],
    ['books/x', ['members'], 'large'],
    ['books/x', ['guests', 'members'], 'large'],
    ['books/x', ['staff', 'guests'], 'all'],
    ['books/rare/x', [], 'small'],
    ['books/rare/x', ['guests'], 'medium'],
    ['books/rare/x', ['members'], 'large'],
    ['books/rare/x', ['curators'], 'all'],
    ['books/rare/x', ['staff'], 'all'],
    ['books/sealed/x', ['staff'], 'nothing'],
    ['books/sealed/x', ['members'], 'nothing'],
    ['books/sealed/list', [], 'medium'],
    ['books/sealed/list', ['guests'], 'all'],
    ['books/sealed/list', ['staff'], 'medium'],
    ['books/sample', ['staff'], 'medium'],
    ['books/sample', [], 'medium'],
    ['maps', ['staff'], 'small'],
    ['maps/old', [], 'small'],
    ['maps/old', ['guests'], 'medium'],
    ['maps/old', ['staff'], 'all'],
    ['letters', ['guests'], 'nothing'],
    ['open', [], 'all'],
  ])('%s for %j gives %s', (path, roles, expected) => {
    expect(nameOf(access.grantAt([identifierOf(path)], callerWith(...roles)))).toBe(expected);
  });

  test.each([
    [['books/x', 'maps'], ['members'], 'small'],
    [['books/x', 'open'], ['members'], 'large'],
    [['books/rare', 'maps/old'], ['guests'], 'medium'],
    [['books/x', 'letters'], ['members'], 'nothing'],
    [[], ['staff'], 'nothing'],
  ])('%j for %j give the worst of them: %s', (places, roles, expected) => {
    expect(nameOf(access.grantAt(places.map(identifierOf), callerWith(...roles)))).toBe(expected);
  });
});

describe('types', () => {
  const access = accessBy({ tiers, paths, types });
  test.each([
    ['open', 'group:a', ['staff'], 'all'],
    ['open', 'group:a', ['members'], 'medium'],
    ['open', 'group:a', [], 'nothing'],
    ['open', undefined, [], 'large'],
    ['open', 'free', [], 'all'],
    ['books/x', 'group:a', ['members'], 'medium'],
    ['books/x', undefined, [], 'small'],
    ['books/x', undefined, ['members'], 'large'],
    ['letters', undefined, [], 'nothing'],
    ['books/x', '(unreadable)', ['staff'], 'nothing'],
  ])('%s of type %j for %j gives the worst of both: %s', (path, type, roles, expected) => {
    const subject = { paths: [identifierOf(path)], ...(type === undefined ? {} : { type }) };
    expect(nameOf(access.grantFor(subject, callerWith(...roles)))).toBe(expected);
  });
});

describe('two rules for the same', () => {
  const grantBy = (one: PathRule, other: PathRule, ...roles: readonly string[]): string =>
    nameOf(accessBy({ tiers, paths: [one, other] }).grantAt([identifierOf('a')], callerWith(...roles)));
  it('give what either does', () => {
    const [one, other] = [
      { path: 'a', roles: ['x'], everyone: 'small' },
      { path: 'A', roles: ['y'], everyone: 'medium' },
    ];
    expect([grantBy(one, other), grantBy(one, other, 'x'), grantBy(other, one, 'y')]).toEqual(['medium', 'all', 'all']);
  });
  it('give nobody more than a tier where one says so', () => {
    const [one, other] = [
      { path: 'a', roles: [], everyone: 'small' },
      { path: 'a', roles: ['y'], everyone: 'medium' },
    ];
    expect([grantBy(one, other, 'y'), grantBy(other, one, 'y')]).toEqual(['small', 'small']);
  });
});

describe('tiers', () => {
  const access = accessBy({ tiers, paths });
  it('are open where everyone may see them, or better', () => {
    const [large, medium, small] = tiers;
    const books = { paths: [identifierOf('books')] };
    const sample = { paths: [identifierOf('books/sample')] };
    expect([access.isOpen(books), access.isOpen(books, large), access.isOpen(books, small)]).toEqual([
      false,
      false,
      true,
    ]);
    expect([access.isOpen(sample, medium), access.isOpen(sample, small)]).toEqual([true, true]);
    expect(access.isOpen({ paths: [identifierOf('open')] }, small)).toBe(true);
  });
  it('include those after them', () => {
    const [large, medium] = tiers;
    if (large === undefined || medium === undefined) throw new Error('three tiers');
    expect([access.includes(large, medium), access.includes(medium, large)]).toEqual([true, false]);
    expect([access.includes('all', large), access.includes(large, 'all'), access.includes(large, large)]).toEqual([
      true,
      false,
      true,
    ]);
  });
  it('have to be there where a rule names them', () => {
    expect(() => accessBy({ paths: [{ path: 'a', roles: [], everyone: 'tiny' }] })).toThrow('“tiny”');
    expect(() => accessBy({ types: [{ type: 'a', roles: [], tiers: [{ tier: 'tiny', roles: [] }] }] })).toThrow(
      '“tiny”',
    );
  });
});
