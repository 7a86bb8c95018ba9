/** What links open among the paths and the types of a subject. */
import { describe, expect, it } from 'vitest';
import type { LinkGrant } from '../../../../src/core/access/link-grants.ts';
import { anyone, createAccess } from '../../../../src/core/access/policy.ts';
import { type Identifier, parseIdentifier } from '../../../../src/core/image/model/identifier.ts';

const at = (path: string): Identifier => {
  const identifier = parseIdentifier(path);
  if (identifier === undefined) throw new TypeError(path);
  return identifier;
};

const access = createAccess({
  addresses: [],
  tokens: [],
  tiers: [
    {
      name: 'small',
      maxSide: 9,
      maxPixels: undefined,
      formats: undefined,
      documents: false,
      texts: false,
      originals: false,
    },
  ] as never,
  paths: [
    { path: 'a', roles: ['x'] },
    { path: 'b', roles: ['y'] },
    { path: 'none', roles: [] },
    { path: 'a/deep', roles: ['z'] },
  ],
  types: [{ type: 'secret', roles: ['x'] }],
});

const link = (paths: readonly string[], more: Partial<LinkGrant> = {}): LinkGrant => ({
  id: 'i',
  paths: paths.map(at),
  ...more,
});

const granted = (paths: readonly string[], links: readonly LinkGrant[], type?: string) => {
  const grant = access.grantFor({ paths: paths.map(at), type: type ?? 'free' }, { ...anyone, links });
  return typeof grant === 'object' ? grant.name : grant;
};

describe('a link', () => {
  it.each([
    ['its own path', ['a'], ['a'], 'all'],
    ['what is below it', ['a/deep/p.jpg'], ['a'], 'all'],
    ['a page of its file', ['a/p.tif;2'], ['a/p.tif'], 'all'],
    ['nothing around it', ['a'], ['a/p.tif'], undefined],
    ['nothing whose name begins with its own', ['a/p.tiff'], ['a/p.tif'], undefined],
    ['no other spelling', ['A'], ['a'], undefined],
    ['no folder named like a page of its file', ['a/p.tif;2/q.jpg'], ['a/p.tif'], undefined],
    ['nothing with another closed path', ['a/p.jpg', 'b/p.jpg'], ['a'], undefined],
    ['what has all of its paths signed', ['a/p.jpg', 'b/p.jpg'], ['a', 'b'], 'all'],
    ['what is open by its other path', ['a/p.jpg', 'c/p.jpg'], ['a'], 'all'],
    ['nothing that is for nobody', ['none/p.jpg'], ['none'], undefined],
    ['nothing that is for nobody, from the root on', ['none/p.jpg'], [''], undefined],
  ] as const)('opens %s: %j by %j', (_what, paths, signed, expected) =>
    expect(granted(paths, [link(signed)])).toBe(expected),
  );

  it('opens a type where it is for all paths', () => {
    expect(granted(['c/p.jpg'], [], 'secret')).toBeUndefined();
    expect(granted(['c/p.jpg'], [link(['c'])], 'secret')).toBe('all');
    expect(granted(['c/p.jpg', 'd/p.jpg'], [link(['c'])], 'secret')).toBeUndefined();
    expect(granted(['c/p.jpg'], [link(['c'])], 'other')).toBeUndefined();
  });

  it('opens no more than its tier, and nothing in a tier that there is not', () => {
    expect(granted(['a'], [link(['a'], { tier: 'small' })])).toBe('small');
    expect(granted(['a'], [link(['a'], { tier: 'gone' })])).toBeUndefined();
    expect(granted(['a'], [link(['a'], { tier: 'small' }), link(['a'])])).toBe('all');
  });

  it('opens what its signer may see by the rules of the moment', () => {
    const roles = new Set(['x']);
    expect(granted(['a/p.jpg'], [link([''], { roles })])).toBe('all');
    expect(granted(['b/p.jpg'], [link([''], { roles })])).toBeUndefined();
    expect(granted(['b/p.jpg'], [link([''], { roles }), link(['a'])])).toBeUndefined();
  });

  it('hides nothing of a folder that it opens', () => {
    expect(access.mayHide('folders', [at('a')], { ...anyone, links: [link(['a'])] })).toBe(false);
    expect(access.mayHide('folders', [at('')], { ...anyone, links: [link(['a'])] })).toBe(true);
  });
});
