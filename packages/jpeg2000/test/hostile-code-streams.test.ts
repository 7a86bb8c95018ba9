/** Code-streams that lie: whoever believed them would compute for minutes, take all memory, or show wrong pixels. */
import { beforeAll, describe, expect, it } from 'vitest';
import { BitReader } from '../src/bits.ts';
import { CodeStreamBytes, readerOf } from '../src/bytes.ts';
import type { TileCoding } from '../src/coding.ts';
import { cutCodeStream, splitRegion } from '../src/cut.ts';
import { Jpeg2000Error } from '../src/error.ts';
import { resolutionsOf, tileBox } from '../src/geometry.ts';
import type { Rect } from '../src/model.ts';
import { reducedSize } from '../src/model.ts';
import { createBlockArrays, readPacketHeader } from '../src/packet.ts';
import { packetOrder, placePrecincts } from '../src/packet-order.ts';
import { RegionReader } from '../src/region.ts';
import { TilePackets } from '../src/tile-packets.ts';
import { readStreamIndex, readTileStream } from '../src/tile-parts.ts';
import { cod, codeStreamOf, segment, siz } from './build-code-stream.ts';
import { type EditedStream, findSegment, joinStream, splitFixture } from './edit-code-stream.ts';
import { openBytes } from './open-bytes.ts';

/** The samples of a part of a code-stream, by default of all of it. */
async function decode(content: Buffer, part?: Rect): Promise<Buffer> {
  const file = await openBytes(content);
  const region = part ?? { x: 0, y: 0, ...reducedSize(file.header.codeStream, 0) };
  const { samples } = await new RegionReader().readRegion(file, { region, reduction: 0, lenient: false, bits: 8 });
  return Buffer.from(samples);
}

/** The first tile of a file: its facts, how it is coded, and where its packets are. */
async function readFirstTile(content: Buffer) {
  const { header } = await openBytes(content);
  const bytes = new CodeStreamBytes(readerOf(content), content.length);
  return { facts: header.codeStream, stream: readTileStream(bytes, readStreamIndex(bytes, header.codeStream), 0) };
}

function edit(name: string, change: (stream: EditedStream) => EditedStream): Buffer {
  return joinStream(change(splitFixture(name)));
}

const original = (name: string): Buffer => edit(name, (stream) => stream);

/** The first tile-part with another header, or other packets. */
const changeFirst =
  (change: (part: EditedStream['parts'][number]) => Partial<EditedStream['parts'][number]>) =>
  ({ main, parts }: EditedStream): EditedStream => ({
    main,
    parts: parts.map((part, index) => (index === 0 ? { ...part, ...change(part) } : part)),
  });

const [plt, tlm, poc] = [0xff58, 0xff55, 0xff5f];

/** The lengths in a PLT segment's body as their bytes, without the segment’s number. */
const lengthsIn = (body: Buffer): Buffer[] =>
  body
    .subarray(1)
    .toString('latin1')
    .match(/[\x80-\xff]*[\0-\x7f]/gs)
    ?.map((each) => Buffer.from(each, 'latin1')) ?? [];

describe('right pixels come from a file', () => {
  it('whose packet lengths are those of other packets', async () => {
    const swapped = edit(
      'plt.jp2',
      changeFirst(({ header }) => {
        const { at, body } = findSegment(header, plt);
        const lengths = lengthsIn(body);
        expect(lengths.length).toBeGreaterThan(20);
        const changed = segment(0x58, body.subarray(0, 1), ...lengths.toReversed());
        return { header: Buffer.concat([header.subarray(0, at), changed, header.subarray(at + 4 + body.length)]) };
      }),
    );
    const part = { x: 60, y: 50, width: 70, height: 60 };
    expect((await decode(swapped, part)).equals(await decode(original('plt.jp2'), part))).toBe(true);
    expect((await decode(swapped)).equals(await decode(original('plt.jp2')))).toBe(true);
  });

  it('that has more packet lengths than packets', async () => {
    const many = Array.from({ length: 5 }, (_, index) => segment(0x58, Buffer.of(index + 1), Buffer.alloc(65_000)));
    const changed = edit(
      'plt.jp2',
      changeFirst(({ header }) => ({ header: Buffer.concat([header, ...many]) })),
    );
    expect((await decode(changed)).equals(await decode(original('plt.jp2')))).toBe(true);
  });

  it('whose tile-part lengths in the main header are wrong', async () => {
    const changed = edit('tlm.jp2', ({ main, parts }) => {
      const { at, body } = findSegment(main, tlm);
      return { main: Buffer.from(main).fill(0x55, at + 6, at + 4 + body.length), parts };
    });
    expect((await decode(changed)).equals(await decode(original('tlm.jp2')))).toBe(true);
  });

  it('whose components can’t be transformed together, as it says', async () => {
    const changed = edit('sycc-420.jp2', ({ main, parts }) => {
      const { at } = findSegment(main, 0xff52);
      const changedMain = Buffer.from(main);
      changedMain[at + 8] = 1;
      return { main: changedMain, parts };
    });
    expect((await decode(changed)).equals(await decode(original('sycc-420.jp2')))).toBe(true);
  });

  it('whose tile-parts each say the progression of their own packets', async () => {
    const changes = edit('progression-changes.j2k', ({ main, parts: [part] }) => {
      if (part === undefined) throw new TypeError('no tile-part');
      const inMain = main.includes(Buffer.of(0xff, 0x5f));
      const { at, body } = findSegment(inMain ? main : part.header, poc);
      const without = (header: Buffer) =>
        Buffer.concat([header.subarray(0, at), header.subarray(at + 4 + body.length)]);
      const [first, second] = [segment(0x5f, body.subarray(0, 7)), segment(0x5f, body.subarray(7))] as const;
      const header = inMain ? part.header : without(part.header);
      return {
        main: inMain ? without(main) : main,
        parts: [
          { ...part, header: Buffer.concat([header, first]) },
          { tile: 0, header: second, packets: Buffer.alloc(0) },
        ],
      };
    });
    const [
      {
        stream: { coding: found },
      },
      {
        stream: { coding: expected },
      },
    ] = await Promise.all([readFirstTile(changes), readFirstTile(original('progression-changes.j2k'))]);
    expect(expected.changes).toHaveLength(2);
    expect(found.changes).toEqual(expected.changes);
  });
});

describe('a file is damaged', () => {
  it.each([
    [
      'whose tile-part ends before its packets',
      changeFirst(({ packets }) => ({ length: Math.floor(packets.length / 2) })),
    ],
    ['of which a tile is missing', ({ main, parts }: EditedStream) => ({ main, parts: parts.slice(0, -1) })],
    [
      'of which a tile has the number of another',
      ({ main, parts }: EditedStream) => ({ main, parts: parts.map((part) => ({ ...part, tile: part.tile & ~1 })) }),
    ],
    ['with a tile without layers', changeFirst(() => ({ header: cod({ layers: 0, levels: 3 }) }))],
    [
      'with a tile in more parts than can be numbered',
      ({ main, parts }: EditedStream) => {
        const empty = { tile: 0, header: Buffer.alloc(0), packets: Buffer.alloc(0) };
        return { main, parts: [...Array.from({ length: 300 }, () => empty), ...parts] };
      },
    ],
    [
      'whose tile-part header has thousands of segments',
      changeFirst(() => ({ header: Buffer.concat(Array.from({ length: 5000 }, () => segment(0x64))) })),
    ],
    [
      'that changes its progression hundreds of times',
      changeFirst(() => ({
        header: segment(0x5f, ...Array.from({ length: 300 }, () => Buffer.of(0, 0, 0, 1, 33, 3, 0))),
      })),
    ],
  ])('%s', async (_, change) => {
    await expect(decode(edit('tiled-lossless.jp2', change))).rejects.toMatchObject({
      name: 'Jpeg2000Error',
      code: 'damaged',
    });
  });
});

describe('there is no work', () => {
  const coding = { levels: 0, blockWidth: 6, blockHeight: 6, blockStyle: 0, transform: 1 };

  it('with a length whose bits go on to the end of the file', () => {
    const [resolution] = resolutionsOf(
      { left: 0, top: 0, right: 64, bottom: 64 },
      { ...coding, precincts: [{ width: 15, height: 15 }] },
    );
    if (resolution === undefined) throw new TypeError('no resolution');
    let last = 0;
    const reader = new BitReader((position) => {
      last = position;
      // Bits of one, as far as a byte after 0xFF can have them.
      return position % 2 === 0 ? 0xff : 0x7f;
    }, 0);
    expect(() => readPacketHeader(reader, createBlockArrays(resolution, 0), 0, 0)).toThrow(Jpeg2000Error);
    expect(last).toBeLessThan(100);
  });

  it('in layers that a repeated progression has had already', () => {
    const side = 2 ** 8;
    const precincts = [{ width: 0, height: 0 }];
    const resolutions = resolutionsOf({ left: 0, top: 0, right: side, bottom: side }, { ...coding, precincts });
    const places = placePrecincts([{ dx: 1, dy: 1, levels: 0, resolutions }], 0, 0);
    const all = { layerEnd: 65_535, resolutionStart: 0, resolutionEnd: 1, componentStart: 0, componentEnd: 1 };
    const changes: TileCoding['changes'] = [
      { ...all, layerEnd: 1, progression: 'LRCP' },
      ...Array.from({ length: 60 }, () => ({ ...all, layerEnd: 1, progression: 'PCRL' as const })),
      { ...all, progression: 'CPRL' },
    ];
    const whole = {
      layers: 65_535,
      progression: 'LRCP',
      packetMarkers: 0,
      componentTransform: false,
      components: [],
    } as const;
    const order = packetOrder(places, { ...whole, quantization: [], roiShifts: [], changes });
    const start = performance.now();
    for (let count = 0; count <= side ** 2; count++) order.next();
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});

describe('a part of an image without tiles', () => {
  /** Precincts as large as can be, but for one resolution, where they are smaller than a code-block. */
  const style = { levels: 5, precincts: [0xff, 0x55, 0xff, 0xff, 0xff, 0xff] };
  const side = 12_000;
  const header = [siz({ width: side, height: side, components: [[7, 1, 1]] }), cod(style)];
  const quantization = segment(0x5c, Buffer.of(0x40, ...Array.from({ length: 16 }, () => 0x48)));

  let packets: TilePackets;
  beforeAll(async () => {
    const { facts, stream } = await readFirstTile(codeStreamOf([...header, quantization]));
    packets = new TilePackets(facts, stream, tileBox(facts, 0));
  });

  it('is decoded without the rest of it, whatever its precincts', () => {
    const region = { left: 6000, top: 6000, right: 6500, bottom: 6500 };
    const cut = { components: [0], reduction: 0, region };
    const bytes = new CodeStreamBytes(readerOf(new Uint8Array()), 0);
    for (const part of splitRegion(packets, cut)) {
      const { box } = cutCodeStream(
        bytes,
        { ...cut, tiles: [packets], region: part, lenient: true },
        { bitsOf: () => 8, capabilities: undefined },
      );
      expect(box.right - box.left).toBeLessThanOrEqual(4096);
      expect(box.bottom - box.top).toBeLessThanOrEqual(4096);
    }
  });
});
