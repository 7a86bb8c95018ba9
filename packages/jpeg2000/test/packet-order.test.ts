/** The order of packets: five progressions, and changes of them. */
import { describe, expect, it } from 'vitest';
import type { TileCoding } from '../src/coding.ts';
import { resolutionsOf } from '../src/geometry.ts';
import { packetOrder, placePrecincts } from '../src/packet-order.ts';
import { unneededResolutions } from '../src/tile-packets.ts';

const component = {
  levels: 1,
  blockWidth: 2,
  blockHeight: 2,
  blockStyle: 0,
  transform: 1,
  precincts: [
    { width: 3, height: 15 },
    { width: 3, height: 15 },
  ],
};

/** Two components of 16 x 8 samples: one precinct in resolution 0, two in resolution 1; two layers. */
const coding: TileCoding = {
  layers: 2,
  progression: 'LRCP',
  packetMarkers: 0,
  componentTransform: false,
  components: [component, component],
  quantization: [],
  roiShifts: [],
  changes: [],
};

const resolutions = resolutionsOf({ left: 0, top: 0, right: 16, bottom: 8 }, component);
const places = placePrecincts(
  [0, 1].map(() => ({ dx: 1, dy: 1, levels: 1, resolutions })),
  0,
  0,
);

/** Layer, resolution, component and position of each packet. */
const orderOf = (changes: Partial<TileCoding>): string =>
  [...packetOrder(places, { ...coding, ...changes })]
    .map(({ precinct, layer }) => `${layer}${precinct.resolution}${precinct.component}${precinct.index}`)
    .join(' ');

describe('packets', () => {
  it.each([
    ['LRCP', '0000 0010 0100 0101 0110 0111 1000 1010 1100 1101 1110 1111'],
    ['RLCP', '0000 0010 1000 1010 0100 0101 0110 0111 1100 1101 1110 1111'],
    ['RPCL', '0000 1000 0010 1010 0100 1100 0110 1110 0101 1101 0111 1111'],
    ['PCRL', '0000 1000 0100 1100 0010 1010 0110 1110 0101 1101 0111 1111'],
    ['CPRL', '0000 1000 0100 1100 0101 1101 0010 1010 0110 1110 0111 1111'],
  ] as const)('of %s follow each other as it says', (progression, expected) => {
    expect(orderOf({ progression })).toBe(expected);
  });

  it('come once where progressions overlap', () => {
    const all = { layerEnd: 2, resolutionStart: 0, resolutionEnd: 2, componentStart: 0, componentEnd: 2 };
    const changes = [
      { ...all, progression: 'RLCP', resolutionEnd: 1, layerEnd: 1 },
      { ...all, progression: 'CPRL' },
    ] as const;
    expect(orderOf({ changes })).toBe('0000 0010 1000 0100 1100 0101 1101 1010 0110 1110 0111 1111');
  });

  it('of the first row and column begin with their tile', () => {
    const moved = resolutionsOf({ left: 5, top: 3, right: 21, bottom: 11 }, component);
    const found = placePrecincts([{ dx: 1, dy: 1, levels: 1, resolutions: moved }], 5, 3);
    expect(found.map(({ resolution, x, y }) => [resolution, x, y])).toEqual([
      [0, 5, 3],
      [0, 16, 3],
      [1, 5, 3],
      [1, 8, 3],
      [1, 16, 3],
    ]);
  });
});

describe('the largest resolutions need not be known', () => {
  it.each([
    [{ progression: 'RLCP' }, 1],
    [{ progression: 'RPCL' }, 1],
    [{ progression: 'LRCP', layers: 1 }, 1],
    [{ progression: 'LRCP' }, 0],
    [{ progression: 'PCRL' }, 0],
    [{ progression: 'CPRL' }, 0],
    [
      {
        progression: 'RLCP',
        changes: [
          {
            progression: 'RLCP',
            layerEnd: 2,
            resolutionStart: 0,
            resolutionEnd: 2,
            componentStart: 0,
            componentEnd: 2,
          },
        ],
      },
      0,
    ],
    [{ progression: 'RLCP', components: [component, { ...component, levels: 0 }] }, 0],
  ] as const)('of %o: %i of those beyond one halving', (changes, expected) => {
    expect(unneededResolutions({ ...coding, ...changes }, 1)).toBe(expected);
  });
});
