import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compose,
  mirrorHorizontally,
  mirrorVertically,
  noTurn,
  type Orientation,
  type Turn,
  toStored,
  turnBy,
  turned,
  upright,
} from '../../../../../src/core/image/model/geometry.ts';

/** A small picture as rows of letters. */
type Picture = readonly string[];

const flop = (picture: Picture): Picture => picture.map((row) => [...row].reverse().join(''));
const quarter = (picture: Picture): Picture =>
  [...(picture[0] ?? '')].map((_, column) =>
    picture
      .map((row) => row[column] ?? '')
      .reverse()
      .join(''),
  );

function apply(turn: Turn, picture: Picture): Picture {
  let result = turn.flop ? flop(picture) : picture;
  for (let turns = 0; turns < turn.turns; turns++) result = quarter(result);
  return result;
}

const turns: readonly Turn[] = [false, true].flatMap((flopped) =>
  ([0, 1, 2, 3] as const).map((count): Turn => ({ flop: flopped, turns: count })),
);
const picture = ['abc', 'def'];
const orientations: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8];

describe('turns', () => {
  it('compose as pictures do', () => {
    for (const first of turns) {
      for (const second of turns) {
        expect(apply(compose(first, second), picture)).toEqual(apply(second, apply(first, picture)));
      }
    }
  });

  it('mirror and turn the way their names say', () => {
    expect(apply(mirrorHorizontally, picture)).toEqual(['cba', 'fed']);
    expect(apply(mirrorVertically, picture)).toEqual(['def', 'abc']);
    expect(apply(turnBy(1), picture)).toEqual(['da', 'eb', 'fc']);
    expect(apply(noTurn, picture)).toEqual(picture);
  });
});

describe('rectangles', () => {
  it('lie after a turn where their pixels are', () => {
    const letters = ['abcde', 'fghij', 'klmno'];
    const cut = (from: Picture, x: number, y: number, w: number, h: number): Picture =>
      from.slice(y, y + h).map((row) => row.slice(x, x + w));
    for (const turn of turns) {
      const rect = turned({ x: 1, y: 0, width: 3, height: 2 }, { width: 5, height: 3 }, turn);
      const shown = cut(apply(turn, letters), rect.x, rect.y, rect.width, rect.height);
      expect(shown).toEqual(apply(turn, cut(letters, 1, 0, 3, 2)));
    }
  });
});

describe('EXIF orientation', () => {
  /** How EXIF defines each value: what stands in the stored first row and first column. */
  const stored: Readonly<Record<Orientation, Picture>> = {
    1: ['abc', 'def'],
    2: ['cba', 'fed'],
    3: ['fed', 'cba'],
    4: ['def', 'abc'],
    5: ['ad', 'be', 'cf'],
    6: ['cf', 'be', 'ad'],
    7: ['fc', 'eb', 'da'],
    8: ['da', 'eb', 'fc'],
  };

  it('shows each stored picture upright', () => {
    for (const orientation of orientations) expect(apply(upright(orientation), stored[orientation])).toEqual(picture);
  });

  it('finds any upright rectangle in the stored picture', () => {
    const letters = Array.from({ length: 5 }, (_, row) =>
      'abcdefg'
        .split('')
        .map((_c, column) => String.fromCharCode(65 + row * 7 + column))
        .join(''),
    );
    const cut = (from: Picture, x: number, y: number, w: number, h: number): Picture =>
      from.slice(y, y + h).map((row) => row.slice(x, x + w));
    fc.assert(
      fc.property(
        fc.constantFrom(...orientations),
        fc.nat(6),
        fc.nat(4),
        fc.nat(6),
        fc.nat(4),
        (orientation, x0, y0, w0, h0) => {
          const shown = apply(upright(orientation), letters);
          const size = { width: shown[0]?.length ?? 0, height: shown.length };
          const [x, y] = [Math.min(x0, size.width - 1), Math.min(y0, size.height - 1)];
          const [width, height] = [Math.min(w0 + 1, size.width - x), Math.min(h0 + 1, size.height - y)];
          const rect = toStored({ x, y, width, height }, { width: 7, height: 5 }, orientation);
          const read = cut(letters, rect.x, rect.y, rect.width, rect.height);
          expect(apply(upright(orientation), read)).toEqual(cut(shown, x, y, width, height));
        },
      ),
      { numRuns: 2000 },
    );
  });
});
