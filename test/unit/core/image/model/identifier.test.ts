import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { formatIdentifier, parseIdentifier } from '../../../../../src/core/image/model/identifier.ts';

describe('identifiers', () => {
  test.each([
    ['', ''],
    ['/', ''],
    ['a/b', 'a/b'],
    ['/a//b/', 'a/b'],
    ['./a/./b/.', 'a/b'],
    ['a b/ü&"c', 'a b/ü&"c'],
    ['a..b/c...', 'a..b/c...'],
    ['100%/x', '100%/x'],
    ['C:/x', 'C:/x'],
    ['line\r\nbreak', 'line\r\nbreak'],
  ])('%j is %j', (path, formatted) => {
    const identifier = parseIdentifier(path);
    expect(identifier && formatIdentifier(identifier)).toBe(formatted);
  });

  test.each([
    '..',
    'a/..',
    '../a',
    'a/../b',
    '%2e%2e',
    'a/%2E%2e/b',
    '%252e%252e',
    '.%2e',
    '..%2f..',
    'x%2f..%2fy',
    '.hidden',
    'a/.git/b',
    'a\0b',
    'a\\b',
    '..\\..',
    'caf\uFFFD',
  ])('%j names nothing', (path) => expect(parseIdentifier(path)).toBeUndefined());

  it('never holds a segment that leaves its folder, and reads back as itself', () => {
    const piece = fc.constantFrom('.', '..', '/', '%2e', '%2f', 'a', ' ', '%', '25', '\\', 'ü');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const identifier = parseIdentifier(pieces.join(''));
        if (identifier === undefined) return;
        for (const segment of identifier.segments) {
          expect(segment).not.toMatch(/^\.|[/\\\0]/);
          expect(segment).not.toBe('');
        }
        expect(parseIdentifier(formatIdentifier(identifier))).toEqual(identifier);
      }),
      { numRuns: 3000 },
    );
  });
});
