import { describe, expect, it } from 'vitest';
import { type AccessRules, anyone, createAccess } from '../../../../src/core/access/policy.ts';
import { unreadableAccess } from '../../../../src/core/image/model/image-set.ts';
import { callerWith, identifierOf, noRules } from './access-rules.ts';

const before = Date.parse('2030-12-31T23:59:59Z');
const after = Date.parse('2031-01-01T00:00:00Z');

/** Whether callers with these roles may see a path of this type at a time. */
function maySee(
  rules: Partial<AccessRules>,
  atMs: number,
  { path = 'a/b.jpg', type, roles = [] }: { path?: string; type?: string; roles?: readonly string[] } = {},
): boolean {
  const access = createAccess({ ...noRules, ...rules }, undefined, () => atMs);
  const subject = { paths: [identifierOf(path)], ...(type !== undefined && { type }) };
  return access.grantFor(subject, roles.length > 0 ? callerWith(...roles) : anyone) !== undefined;
}

describe('a rule by path', () => {
  const closed = [{ path: 'a', roles: ['staff'], until: '2030' }];

  it('holds through its date, and opens then', () => {
    expect([maySee({ paths: closed }, before), maySee({ paths: closed }, after)]).toEqual([false, true]);
  });

  it('leaves what the rules around it say', () => {
    const paths = [
      { path: '', roles: ['house'] },
      { path: 'a', roles: [], until: '2030' },
    ];
    expect(maySee({ paths }, before, { roles: ['house'] })).toBe(false);
    expect(maySee({ paths }, after, { roles: ['house'] })).toBe(true);
    expect(maySee({ paths }, after)).toBe(false);
  });

  it('that opened a part again leaves that closed', () => {
    const paths = [
      { path: '', roles: ['house'] },
      { path: 'a', roles: ['guests'], until: '2030' },
    ];
    expect(maySee({ paths }, before, { roles: ['guests'] })).toBe(true);
    expect(maySee({ paths }, after, { roles: ['guests'] })).toBe(false);
  });

  it('is no error of a clock that is set back', () => {
    let nowMs = after;
    const access = createAccess({ ...noRules, paths: closed }, undefined, () => nowMs);
    const subject = { paths: [identifierOf('a/b.jpg')] };
    expect(access.isOpen(subject)).toBe(true);
    nowMs = before;
    expect(access.isOpen(subject)).toBe(false);
  });

  it('hides images of a folder until then', () => {
    const paths = [{ path: 'a/b.jpg', roles: ['staff'], until: '2030' }];
    const hides = (atMs: number) =>
      createAccess({ ...noRules, paths }, undefined, () => atMs).mayHide('images', [identifierOf('a')], anyone);
    expect([hides(before), hides(after)]).toEqual([true, false]);
  });

  it('with a text that is no date is an error', () => {
    expect(() => maySee({ paths: [{ path: 'a', roles: [], until: 'soon' }] }, before)).toThrow('no date until');
  });
});

describe('a rule by type', () => {
  const types = [
    { type: 'estate', roles: ['staff'], until: '2030' },
    { type: 'letters', roles: ['staff'] },
  ];

  it('holds through its date, and the type is free then', () => {
    expect([maySee({ types }, before, { type: 'estate' }), maySee({ types }, after, { type: 'estate' })]).toEqual([
      false,
      true,
    ]);
  });

  it('leaves other types closed, unlisted and unreadable ones too', () => {
    for (const type of ['letters', 'other', unreadableAccess])
      expect(maySee({ types }, after, { type }), type).toBe(false);
    const [estate] = types;
    for (const type of ['other', unreadableAccess])
      expect(maySee({ types: estate ? [estate] : [] }, after, { type }), type).toBe(false);
  });

  it('beside one that still holds for the same type leaves that', () => {
    const twice = [...types, { type: 'estate', roles: ['guests'] }];
    expect(maySee({ types: twice }, after, { type: 'estate' })).toBe(false);
    expect(maySee({ types: twice }, after, { type: 'estate', roles: ['guests'] })).toBe(true);
  });

  it('for all others opens these', () => {
    const byDefault = [{ type: 'default', roles: ['staff'], until: '2030' }];
    expect(
      [undefined, 'other'].map((type) => maySee({ types: byDefault }, after, type === undefined ? {} : { type })),
    ).toEqual([true, true]);
    expect(
      [undefined, 'other'].map((type) => maySee({ types: byDefault }, before, type === undefined ? {} : { type })),
    ).toEqual([false, false]);
  });
});
