import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { PathRule } from '../../../../src/core/access/path-rules.ts';
import { parseIdentifier } from '../../../../src/core/image/model/identifier.ts';
import { accessBy, callerWith, identifierOf } from './access-rules.ts';

/** Rules as `path: roles`, roles with blanks between them. */
const pathRules = (rules: Readonly<Record<string, string>>): readonly PathRule[] =>
  Object.entries(rules).map(([path, roles]) => ({ path, roles: roles.split(' ').filter((role) => role !== '') }));

const maySee = (rules: Readonly<Record<string, string>>, path: string, ...roles: readonly string[]): boolean =>
  accessBy({ paths: pathRules(rules) }).grantAt([identifierOf(path)], callerWith(...roles)) !== undefined;

describe('a folder with a rule', () => {
  const rules = { 'private/letters': 'staff friends' };
  test.each([
    ['private/letters', [], false],
    ['private/letters/1890/scan.tif', [], false],
    ['private/letters', ['guest'], false],
    ['private/letters', ['admin'], false],
    ['private/letters', ['Staff'], false],
    ['private/letters', ['staff'], true],
    ['private/letters/1890/scan.tif', ['friends'], true],
    ['private', [], true],
    ['private/letters2', [], true],
    ['private/letter', [], true],
    ['private/other/letters', [], true],
    ['letters', [], true],
    ['', [], true],
  ])('%j with the roles %j: %s', (path, roles, expected) => expect(maySee(rules, path, ...roles)).toBe(expected));

  test.each([
    '/private/letters/',
    'private//letters',
    './private/./letters',
    'private/letters//',
    '/./private/letters/.',
  ])('is the same with the path %j in the rule', (path) => {
    expect(maySee({ [path]: 'staff' }, 'private/letters/a.tif')).toBe(false);
    expect(maySee({ [path]: 'staff' }, 'private/letters/a.tif', 'staff')).toBe(true);
    expect(maySee({ [path]: 'staff' }, 'private')).toBe(true);
  });

  test.each(['', '/', '.', '//'])('is the whole library with the path %j in the rule', (path) => {
    expect(maySee({ [path]: 'staff' }, '')).toBe(false);
    expect(maySee({ [path]: 'staff' }, 'any/thing.jpg')).toBe(false);
    expect(maySee({ [path]: 'staff' }, 'any/thing.jpg', 'staff')).toBe(true);
  });

  test.each(['..', 'a/../b', 'a\\b', 'a\0', '.git', 'caf\uFFFD'])('can’t have the path %j', (path) =>
    expect(() => maySee({ [path]: 'staff' }, 'a')).toThrow(/can name no folder/),
  );
});

describe('rules inside of rules', () => {
  const rules = {
    '': 'staff',
    books: 'readers',
    'books/rare': 'curators',
    'books/sealed': '',
    'books/sealed/list': 'readers',
  };
  test.each([
    ['maps', 'readers', false],
    ['books', 'readers', true],
    ['books', 'staff', true],
    ['books', 'curators', false],
    ['books/rare/x', 'curators', true],
    ['books/rare/x', 'readers', true],
    ['books/rare/x', 'staff', true],
    ['books/rare/x', 'guests', false],
    ['books/sealed', 'staff', false],
    ['books/sealed/x', 'readers', false],
    ['books/sealed/list', 'readers', true],
    ['books/sealed/list', 'staff', false],
  ])('%s for %s: %s', (path, role, expected) => expect(maySee(rules, path, role)).toBe(expected));

  it('without roles close a folder to everyone, and open none', () => {
    expect(maySee({ a: '' }, 'a/b', 'staff', 'admin')).toBe(false);
    expect(maySee({ a: '' }, 'b')).toBe(true);
  });

  test.each([
    ['staff', 'friends', 'friends', true],
    ['staff', 'friends', 'staff', true],
    ['staff', '', 'staff', false],
    ['', 'staff', 'staff', false],
  ])('of the same folder, %j and %j, for %s: %s', (one, other, role, expected) => {
    expect(maySee({ a: one, 'A/': other }, 'a', role)).toBe(expected);
  });
});

describe('spellings', () => {
  test.each([
    ['Straße', 'STRASSE'],
    ['Straße', 'STRAẞE'],
    ['STRAẞE', 'strasse'],
    ['kräuter', 'KRA\u0308UTER'],
    ['Kra\u0308uter', 'kräuter'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδος', 'οδοσ'],
    ['ΐ', '\u03aa\u0301'],
    ['İzmir', 'i̇zmir'],
    ['kelvin', '\u212Aelvin'],
    ['office', 'o\uFB03ce'],
    ['secret', 'sec\u200Dret'],
    ['secret', '\uFEFFsecret'],
    ['x y', 'X Y'],
  ])('a rule for %j protects %j', (rule, path) => {
    expect(maySee({ [`top/${rule}`]: 'staff' }, `TOP/${path}/a.jpg`)).toBe(false);
    expect(maySee({ [`top/${rule}`]: 'staff' }, `TOP/${path}/a.jpg`, 'staff')).toBe(true);
  });

  test.each([
    ['krauter', 'kräuter'],
    ['a', 'а'],
    ['ab', 'a b'],
    ['a.b', 'a'],
  ])('a rule for %j does not apply to %j', (rule, path) => expect(maySee({ [rule]: 'staff' }, path)).toBe(true));
});

describe('a file with a rule', () => {
  test.each([
    ['a/scan.tif', false],
    ['a/SCAN.tif', false],
    ['a/scan.tif;2', false],
    ['a/Scan.TIF;317', false],
    ['a/scan.tiff', true],
    ['a/scan.tif2', true],
    ['a/scan', true],
  ])('%s: %s', (path, expected) => expect(maySee({ 'a/scan.tif': 'staff' }, path)).toBe(expected));

  it('is not a folder with a semicolon', () => expect(maySee({ 'a/b': 'staff' }, 'a/b;2')).toBe(true));
});

describe('an image with several paths', () => {
  const access = accessBy({ paths: pathRules({ a: 'x', b: 'y' }) });
  test.each([
    [['open'], [], true],
    [['open', 'a'], [], false],
    [['a', 'open'], ['x'], true],
    [['a', 'b'], ['x'], false],
    [['b', 'a'], ['x'], false],
    [['a', 'b'], ['x', 'y'], true],
  ])('%j for %j: %s', (paths, roles, expected) => {
    const places = paths.map(identifierOf);
    expect(access.grantAt(places, callerWith(...roles)) !== undefined).toBe(expected);
    expect(access.grantFor({ paths: places }, callerWith(...roles)) !== undefined).toBe(expected);
  });

  it('is closed without a path, as long as there are rules for paths', () => {
    expect(access.grantFor({ paths: [] }, callerWith('x', 'y')) !== undefined).toBe(false);
    expect(accessBy({}).grantFor({ paths: [] }, callerWith()) !== undefined).toBe(true);
  });
});

const name = fc
  .oneof(
    fc.constantFrom('a', 'b', 'B', 'Straße', 'é', 'e\u0301', 'Σίσυφος', 'x.jpg', 'ﬁn', 'İ', 'ǅ', '中'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
  )
  .filter((text) => !text.includes('/') && parseIdentifier(text)?.segments.length === 1);
const path = fc.array(name, { minLength: 1, maxLength: 4 });

/** Other spellings of a name that are the same on some file systems. */
const respell = fc.constantFrom<((text: string) => string)[]>(
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.normalize('NFC'),
  (text) => text.normalize('NFD'),
  (text) => text.normalize('NFD').toUpperCase(),
  (text) => text.toLowerCase().normalize('NFD'),
  (text) => [...text].map((letter, at) => (at % 2 ? letter.toUpperCase() : letter.toLowerCase())).join(''),
  (text) => [...text].join('\u200d'),
);
const noise = fc.constantFrom('/', '//', '/./', '/.//./');

describe('the access rules for paths', () => {
  it('refuse every spelling of every path at or below a rule', () => {
    const aliases = fc.tuple(
      path,
      fc.array(name, { maxLength: 3 }),
      fc.array(fc.tuple(respell, noise), { minLength: 7, maxLength: 7 }),
    );
    fc.assert(
      fc.property(aliases, ([rule, below, changes]) => {
        const alias = [...rule, ...below].map((text, at) => {
          const [change, slash] = changes[at] ?? [(same: string) => same, '/'];
          return slash + change(text);
        });
        const identifier = parseIdentifier(alias.join(''));
        // A respelling can begin with a dot or contain a slash; such a name is invalid or different.
        fc.pre(identifier?.segments.length === rule.length + below.length);
        const access = accessBy({ paths: [{ path: rule.join('/'), roles: ['staff'] }] });
        expect(access.grantAt([identifier], callerWith('guest')) !== undefined).toBe(false);
        expect(access.grantAt([identifier], callerWith('staff')) !== undefined).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('allow every path that is not at or below a rule', () => {
    const plain = fc.array(fc.constantFrom('a', 'b', 'ab', 'c'), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1, maxLength: 4 }), plain, (rules, requested) => {
        const isBelow = rules.some((rule) => rule.every((text, at) => text === requested[at]));
        const access = accessBy({ paths: rules.map((rule) => ({ path: rule.join('/'), roles: ['staff'] })) });
        expect(access.grantAt([identifierOf(requested.join('/'))], callerWith()) !== undefined).toBe(!isBelow);
      }),
      { numRuns: 3000 },
    );
  });

  it('accept any role of all rules around a path', () => {
    const segments = fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 });
    const roles = fc.uniqueArray(fc.constantFrom('r', 's', 't'), { minLength: 1 });
    const rule = fc.record({ segments, roles });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), segments, roles, (rules, requested, own) => {
        const around = rules.filter((one) => one.segments.every((text, at) => text === requested[at]));
        const needed = new Set(around.flatMap((one) => one.roles));
        const access = accessBy({ paths: rules.map((one) => ({ path: one.segments.join('/'), roles: one.roles })) });
        const expected = around.length === 0 || own.some((role) => needed.has(role));
        expect(access.grantAt([identifierOf(requested.join('/'))], callerWith(...own)) !== undefined).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });
});
