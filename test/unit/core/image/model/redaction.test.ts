/** Redactions as they are written, and what they cover. */
import { describe, expect, it, test } from 'vitest';
import {
  isActive,
  joinRedactions,
  mentionsRedactions,
  parseRedactedRegion,
  parseRedaction,
  type Redaction,
  redactedRect,
} from '../../../../../src/core/image/model/redaction.ts';

describe('regions', () => {
  const size = { width: 1000, height: 500 };
  const rectOf = (text: string) => {
    const parsed = parseRedactedRegion(text);
    return 'value' in parsed ? redactedRect({ region: parsed.value, roles: [] }, size) : parsed.problem;
  };

  test.each([
    ['full', { x: 0, y: 0, width: 1000, height: 500 }],
    ['10,20,30,40', { x: 10, y: 20, width: 30, height: 40 }],
    ['990, 490, 30, 40', { x: 990, y: 490, width: 10, height: 10 }],
    ['pct:10,20,30,40', { x: 100, y: 100, width: 300, height: 200 }],
    ['pct:0.01,0.01,0.01,0.01', { x: 0, y: 0, width: 1, height: 1 }],
    ['pct:99.95,50,100,100', { x: 999, y: 250, width: 1, height: 250 }],
    ['1000,0,10,10', undefined],
  ])('%s covers whole pixels of the image', (text, rect) => {
    expect(rectOf(text)).toEqual(rect);
  });

  test.each([
    '',
    'square',
    '10,20,30',
    '10,20,30,40,50',
    '-1,0,10,10',
    '1.5,0,10,10',
    '1e3,0,10,10',
    '10,20,0,40',
    'pct:10,20,30,0',
    'pct:100,0,1,1',
    'pct:1;2;3;4',
    '٣,٣,٣,٣',
  ])('“%s” is none', (text) => {
    expect(rectOf(text)).toEqual(expect.stringMatching(/must be|has no|lies beside/));
  });
});

describe('ends', () => {
  const endOf = (until: string) => {
    const parsed = parseRedaction({ region: 'full', roles: [], until, page: undefined });
    return 'value' in parsed ? parsed.value.endMs : parsed.problem;
  };

  it('are those of the year, month or day that is named', () => {
    expect(endOf('2061')).toBe(Date.UTC(2062, 0));
    expect(endOf('2061-06-30')).toBe(Date.UTC(2061, 6));
    expect(endOf('soon')).toBe('The end “soon” must be a year, a month or a day, such as 2061 or 2061-12-31.');
  });

  it('covers up to the end, and not from it on', () => {
    const redaction: Redaction = { region: 'full', roles: [], endMs: 1000 };
    expect(isActive(redaction, 999)).toBe(true);
    expect(isActive(redaction, 1000)).toBe(false);
  });
});

it('reads roles by commas, and none where there is only blank', () => {
  const rolesOf = (...roles: string[]) => {
    const parsed = parseRedaction({ region: 'full', roles, until: undefined, page: undefined });
    return 'value' in parsed ? parsed.value.roles : parsed.problem;
  };
  expect(rolesOf('a, b', 'c')).toEqual(['a', 'b', 'c']);
  expect(rolesOf(' ')).toEqual([]);
  expect(rolesOf()).toEqual([]);
});

it('refuses a page that is no number from 1 on', () => {
  const problem = { problem: expect.stringContaining('must be a number') };
  for (const page of ['0', '-1', '1.5', 'two', ''])
    expect(parseRedaction({ region: 'full', roles: [], until: undefined, page })).toEqual(problem);
});

it('knows nothing of an image where one of several files can’t be read', () => {
  const one: Redaction = { region: 'full', roles: [] };
  expect(joinRedactions([undefined, [one], [one]])).toEqual([one, one]);
  expect(joinRedactions([[one], 'unreadable', undefined])).toBe('unreadable');
  expect(joinRedactions([undefined])).toBeUndefined();
});

test.each([
  ['redactions:', true],
  ['REDACTED', true],
  [Buffer.from('redactions:', 'utf16le').toString('utf8'), true],
  ['"\\x72edactions":', true],
  ['path: C:\\Users', false],
  ['label: Herbal', false],
])('%j may speak of redactions: %s', (text, may) => {
  expect(mentionsRedactions(text)).toBe(may);
});
