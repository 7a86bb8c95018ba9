import { describe, expect, it, test } from 'vitest';
import type { TypeRule } from '../../../../src/core/access/path-rules.ts';
import { type AccessRules, openAccess } from '../../../../src/core/access/policy.ts';
import { accessBy, callerWith, identifierOf } from './access-rules.ts';

const maySee = (types: readonly TypeRule[], type: string | undefined, ...roles: readonly string[]): boolean =>
  accessBy({ types }).grantFor(
    { paths: [identifierOf('a.jpg')], ...(type === undefined ? {} : { type }) },
    callerWith(...roles),
  ) !== undefined;

describe('access types', () => {
  const listed = [
    { type: 'group:mpiwg', roles: ['mpiwg', 'guests'] },
    { type: 'embargo', roles: [] },
  ];
  const withDefault = [...listed, { type: 'default', roles: ['reader'] }];
  test.each([
    ['no rules', [], 'group:mpiwg', [], true],
    ['no rules', [], undefined, [], true],
    ['free', listed, 'free', [], true],
    ['free is exact', listed, 'Free', ['mpiwg'], false],
    ['free, even with a rule', [{ type: 'free', roles: ['x'] }], 'free', [], true],
    ['listed', listed, 'group:mpiwg', [], false],
    ['listed', listed, 'group:mpiwg', ['other'], false],
    ['listed', listed, 'group:mpiwg', ['guests'], true],
    ['listed, other case', listed, 'group:MPIWG', ['mpiwg', 'guests'], false],
    ['for nobody', listed, 'embargo', ['mpiwg', 'admin', 'embargo', ''], false],
    ['not listed', listed, 'group:other', ['mpiwg', 'admin'], false],
    ['an empty type is not listed', listed, '', ['mpiwg'], false],
    ['a name of every object', listed, 'constructor', ['mpiwg'], false],
    ['no type', listed, undefined, [], true],
    ['not listed, with a default', withDefault, 'group:other', ['reader'], true],
    ['not listed, with a default', withDefault, 'group:other', ['mpiwg'], false],
    ['listed, with a default', withDefault, 'group:mpiwg', ['reader'], false],
    ['for nobody, with a default', withDefault, 'embargo', ['reader'], false],
    ['no type, with a default', withDefault, undefined, [], false],
    ['no type, with a default', withDefault, undefined, ['reader'], true],
    ['free, with a default', withDefault, 'free', [], true],
    ['no type, nobody by default', [{ type: 'default', roles: [] }], undefined, ['reader'], false],
    ['twice', [...listed, { type: 'group:mpiwg', roles: ['more'] }], 'group:mpiwg', ['more'], true],
    ['twice, once for nobody', [...listed, { type: 'embargo', roles: ['more'] }], 'embargo', ['more'], false],
  ] as const)('%s: %j, %j, %j: %s', (_, rules, type, roles, expected) => {
    expect(maySee(rules, type, ...roles)).toBe(expected);
  });
});

describe('paths and types', () => {
  const access = accessBy({
    paths: [{ path: 'private', roles: ['staff'] }],
    types: [{ type: 'group:a', roles: ['a'] }],
  });
  test.each([
    ['private/x', 'group:a', ['staff'], false],
    ['private/x', 'group:a', ['a'], false],
    ['private/x', 'group:a', ['a', 'staff'], true],
    ['private/x', 'free', [], false],
    ['private/x', 'free', ['staff'], true],
    ['public/x', 'group:a', ['staff'], false],
    ['public/x', 'group:a', ['a'], true],
    ['public/x', 'free', [], true],
  ])('both decide: %s of type %s for %j: %s', (path, type, roles, expected) => {
    expect(access.grantFor({ paths: [identifierOf(path)], type }, callerWith(...roles)) !== undefined).toBe(expected);
  });

  it('is open where nobody needs a role', () => {
    expect(access.isOpen({ paths: [identifierOf('public/x')] })).toBe(true);
    expect(access.isOpen({ paths: [identifierOf('public/x')], type: 'free' })).toBe(true);
    expect(access.isOpen({ paths: [identifierOf('public/x')], type: 'group:a' })).toBe(false);
    expect(access.isOpen({ paths: [identifierOf('private/x')], type: 'free' })).toBe(false);
    expect(access.isOpen({ paths: [identifierOf('public/x'), identifierOf('private/x')] })).toBe(false);
  });

  it('ignores types where only the path is checked', () => {
    expect(access.grantAt([identifierOf('public')], callerWith()) !== undefined).toBe(true);
    expect(access.grantAt([identifierOf('private')], callerWith('a')) !== undefined).toBe(false);
  });
});

describe('access', () => {
  const somebody = { address: '127.0.0.1', roles: ['staff'] };
  test.each<[keyof AccessRules, Partial<AccessRules>]>([
    ['addresses', { addresses: [somebody] }],
    ['tokens', { tokens: [{ issuer: 'https://i', audience: 'a', roles: [], keys: [], algorithms: ['RS256'] }] }],
    ['paths', { paths: [{ path: '', roles: [] }] }],
    ['types', { types: [{ type: 'default', roles: [] }] }],
  ])('is on with a rule of %s', (_, rules) => expect(accessBy(rules).isOn).toBe(true));

  it('is off without rules, and everyone sees everything', async () => {
    expect(openAccess.isOn).toBe(false);
    const caller = await openAccess.identify({ address: '192.0.2.1' });
    expect(caller).toEqual({ roles: new Set(), authenticated: false });
    expect(openAccess.grantFor({ paths: [identifierOf('a')], type: 'group:x' }, caller) !== undefined).toBe(true);
    expect(openAccess.isOpen({ paths: [identifierOf('a')], type: 'group:x' })).toBe(true);
    expect(openAccess.grantAt([identifierOf('a')], caller) !== undefined).toBe(true);
  });

  it('accepts the roles of a trusted proxy, beside those of the address', async () => {
    const access = accessBy({ addresses: [somebody] });
    const client = { address: '127.0.0.1' };
    const { roles, authenticated } = await access.identify({ ...client, roles: ['readers', 'staff'] });
    expect([[...roles].sort(), authenticated]).toEqual([['readers', 'staff'], true]);
    expect((await access.identify({ ...client, roles: [] })).authenticated).toBe(false);
    expect((await access.identify(client)).authenticated).toBe(false);
  });
});
