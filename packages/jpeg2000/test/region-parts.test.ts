/** Regions that are decoded from parts of a file are those of the whole file, and what the parts are found by is not believed. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { randomIntegers } from '../../../test/fixtures/files/random.mjs';
import { bufferSource, readerOf } from '../src/bytes.ts';
import { type FilePart, MissingBytes, readerOfParts } from '../src/file-parts.ts';
import { readHeader } from '../src/header.ts';
import { reducedSize } from '../src/model.ts';
import { type RegionPlace, RegionReader } from '../src/region.ts';
import { PartsReader } from '../src/region-parts.ts';
import { segment, u16, u32 } from './build-code-stream.ts';
import { type EditedStream, findSegment, joinStream, splitFixture } from './edit-code-stream.ts';

const folder = new URL('../../../test/fixtures/jpeg2000/', import.meta.url);
const names = readdirSync(folder).filter((name) => /\.j(?:p2|2k|px|2c|ph|hc)$/.test(name));
const fixture = (name: string): Buffer => readFileSync(new URL(name, folder));

/** So small that of the small files here most is not read. */
const sizes = { first: 200, smallTile: 64, header: [128, 256], next: 1024, packets: 2048, gap: 64 } as const;
const limits = { bytes: 10_000_000, reads: 200 };

const plt = 0xff58;

let files = 0;

/** A file whose reads are counted. */
async function openRemote(content: Buffer) {
  const header = await readHeader(bufferSource(content));
  const counts = { reads: 0, bytes: 0, first: content.length };
  const read = async (at: number, bytes: number): Promise<Buffer> => {
    expect(at >= 0 && bytes > 0 && at + bytes <= content.length).toBe(true);
    counts.reads++;
    counts.bytes += bytes;
    counts.first = Math.min(counts.first, at);
    return content.subarray(at, at + bytes);
  };
  return { bytes: content.length, key: `${files++}`, header, content, counts, read };
}

type Remote = Awaited<ReturnType<typeof openRemote>>;

/** The samples of a region, from parts or from the whole file. */
async function decode(reader: RegionReader, remote: Remote, place: RegionPlace, parts?: readonly FilePart[]) {
  const { header, bytes, content } = remote;
  const readAt = parts ? readerOfParts(parts) : readerOf(content);
  const key = `${remote.key} ${parts !== undefined}`;
  const file = { header, bytes, readAt, key, isPartial: parts !== undefined };
  const { samples } = await reader.readRegion(file, { ...place, lenient: false, bits: 8 });
  return Buffer.from(samples);
}

/** Regions of each resolution: all of it, and parts. */
function* placesIn({ header }: Remote, random: () => number): Generator<RegionPlace> {
  const { codeStream } = header;
  for (let reduction = 0; reduction <= codeStream.reductions; reduction++) {
    const { width, height } = reducedSize(codeStream, reduction);
    if (width < 1 || height < 1) continue;
    yield { reduction, region: { x: 0, y: 0, width, height } };
    for (let count = 0; count < 2; count++) {
      const [x, y] = [random() % width, random() % height];
      const side = 1 + (random() % 60);
      yield { reduction, region: { x, y, width: Math.min(side, width - x), height: Math.min(side, height - y) } };
    }
  }
}

/** Compares regions from parts with those of the whole file, and returns how many there were in parts. */
async function compareRegions(content: Buffer): Promise<number> {
  const remote = await openRemote(content);
  const [partsReader, reader] = [new PartsReader(sizes), new RegionReader()];
  let found = 0;
  for (const place of placesIn(remote, randomIntegers(7))) {
    const parts = await partsReader.readParts(remote, place, limits);
    if (parts === undefined) continue;
    found++;
    const decoded = await decode(reader, remote, place, parts);
    expect([place, decoded.equals(await decode(reader, remote, place))]).toEqual([place, true]);
  }
  return found;
}

/** TLM of these tile-parts: tiles in one byte, lengths in four. */
const lengthsOf = (parts: EditedStream['parts']): Buffer =>
  segment(
    0x55,
    Buffer.of(0, 0x50),
    ...parts.flatMap(({ tile, header, packets }) => [Buffer.of(tile), u32(14 + header.length + packets.length)]),
  );

const withLengths = ({ main, parts }: EditedStream, lengths = lengthsOf(parts)): Buffer =>
  joinStream({ main: Buffer.concat([main, lengths]), parts });

/** Their packet headers are in the main header, or they have many tiles and nothing says where these are. */
const copied = ['offset-markers.jp2', 'ppm.j2k', 'tile-offset.jp2', 'tile-parts.jp2', 'tiled-lossless.jp2'];

describe('the pixels of regions from parts are those of the whole file', () => {
  it.each(names)('%s', async (name) => {
    expect((await compareRegions(fixture(name))) > 0).toBe(!copied.includes(name));
  });

  it.each(copied.filter((name) => name !== 'ppm.j2k'))('%s, with the lengths of its tile-parts', async (name) => {
    expect(await compareRegions(withLengths(splitFixture(name)))).toBeGreaterThan(2);
  });
});

describe('of a file is read', () => {
  it.each([
    ['large-precincts.jp2', 'packets with lengths', 0.4],
    ['large-tiles.jp2', 'tiles with lengths', 0.3],
  ])('%s: the %s that a region needs', async (name, _, share) => {
    const remote = await openRemote(fixture(name));
    const place = { reduction: 0, region: { x: 700, y: 600, width: 100, height: 100 } };
    expect(await new PartsReader(sizes).readParts(remote, place, limits)).toBeDefined();
    expect(remote.counts.bytes).toBeLessThan(remote.bytes * share);
  });

  it('the beginning for a small resolution that comes first, without any lengths', async () => {
    const remote = await openRemote(fixture('large-lossy.jp2'));
    const { width, height } = reducedSize(remote.header.codeStream, 4);
    const place = { reduction: 4, region: { x: 0, y: 0, width, height } };
    expect(await new PartsReader(sizes).readParts(remote, place, limits)).toBeDefined();
    expect(remote.counts.bytes).toBeLessThan(remote.bytes / 4);
  });

  it('no header twice', async () => {
    const remote = await openRemote(fixture('large-precincts.jp2'));
    const reader = new PartsReader(sizes);
    const place = (x: number) => ({ reduction: 0, region: { x, y: 600, width: 100, height: 100 } });
    await reader.readParts(remote, place(700), limits);
    remote.counts.first = remote.bytes;
    await reader.readParts(remote, place(710), limits);
    const { at, headerBytes } = remote.header.codeStream;
    // SOT and PLT follow the main header, then the packets.
    expect(remote.counts.first).toBeGreaterThan(at + headerBytes + 100);
  });

  it('no more than the limits', async () => {
    const place = { reduction: 0, region: { x: 700, y: 600, width: 100, height: 100 } };
    for (const tight of [
      { ...limits, bytes: 1500 },
      { ...limits, reads: 2 },
    ]) {
      const remote = await openRemote(fixture('large-precincts.jp2'));
      expect(await new PartsReader(sizes).readParts(remote, place, tight)).toBeUndefined();
      expect(remote.counts.bytes <= tight.bytes && remote.counts.reads <= tight.reads).toBe(true);
    }
  });
});

describe('a file that lies about its parts', () => {
  const place = { reduction: 0, region: { x: 60, y: 50, width: 20, height: 20 } };

  /** What becomes of a region from parts: none, an error, or its samples. */
  async function outcomeOf(content: Buffer): Promise<'copy' | 'error' | 'right' | 'wrong'> {
    const remote = await openRemote(content);
    const parts = await new PartsReader(sizes).readParts(remote, place, limits);
    expect(remote.counts.reads).toBeLessThanOrEqual(limits.reads);
    if (parts === undefined) return 'copy';
    const [decoded, whole] = await Promise.all(
      [parts, undefined].map((each) => decode(new RegionReader(), remote, place, each).catch(() => undefined)),
    );
    if (decoded === undefined) return 'error';
    // What is damaged elsewhere in the file, the parts can’t show.
    return whole === undefined || decoded.equals(whole) ? 'right' : 'wrong';
  }

  it.each([
    [
      'TLM of other lengths',
      (parts: EditedStream['parts']) => parts.map((part) => ({ ...part, packets: Buffer.of(0) })),
    ],
    ['TLM of other tiles', (parts: EditedStream['parts']) => parts.toReversed()],
    ['TLM of fewer tile-parts', (parts: EditedStream['parts']) => parts.slice(1)],
    [
      'TLM of tiles that are not there',
      (parts: EditedStream['parts']) => parts.map((part) => ({ ...part, tile: 250 })),
    ],
  ])('by %s is copied', async (_, change) => {
    const stream = splitFixture('tile-parts.jp2');
    expect(await outcomeOf(withLengths(stream, lengthsOf(change(stream.parts))))).toBe('copy');
  });

  it('by TLM that ends within a length is copied', async () => {
    const stream = splitFixture('tiled-lossless.jp2');
    expect(await outcomeOf(withLengths(stream, segment(0x55, Buffer.of(0, 0x50, 1, 0, 0))))).toBe('copy');
    expect(await outcomeOf(withLengths(stream, segment(0x55, Buffer.of(0, 0x70), u16(1))))).toBe('copy');
  });

  it('by PLT of other packets yields no pixels, and the next right file is decoded', async () => {
    const { main, parts } = splitFixture('plt.jp2');
    const [part] = parts;
    if (part === undefined) throw new TypeError('no tile-part');
    const { at, body } = findSegment(part.header, plt);
    const changed = Buffer.from(part.header);
    changed.set(body.subarray(1).toReversed(), at + 5);
    const outcome = await outcomeOf(joinStream({ main, parts: [{ ...part, header: changed }] }));
    expect(['copy', 'error', 'right']).toContain(outcome);
    expect(await outcomeOf(fixture('plt.jp2'))).toBe('right');
  });

  it('in any byte of its headers yields no wrong pixels', async () => {
    const random = randomIntegers(11);
    for (const name of ['plt.jp2', 'tlm.jp2', 'large-precincts.jp2', 'sop-eph.jp2']) {
      const content = fixture(name);
      const { codeStream } = await readHeader(bufferSource(content));
      for (let count = 0; count < 40; count++) {
        const changed = Buffer.from(content);
        changed[codeStream.at + (random() % (codeStream.headerBytes + 300))] = random() % 256;
        const isReadable = await readHeader(bufferSource(changed)).then(
          ({ codeStream: { area } }) => area.width > 100 && area.height > 100,
          () => false,
        );
        if (isReadable) expect([name, count, await outcomeOf(changed)]).not.toContain('wrong');
      }
    }
  }, 120_000);
});

it('bytes that no part has are an error, after which other parts are decoded right', async () => {
  const remote = await openRemote(fixture('large-precincts.jp2'));
  const [reader, partsReader] = [new RegionReader(), new PartsReader(sizes)];
  const place = { reduction: 0, region: { x: 700, y: 600, width: 100, height: 100 } };
  const parts = (await partsReader.readParts(remote, place, limits)) ?? [];
  const shortened = parts.map(({ at, bytes }, index) =>
    index === parts.length - 1 ? { at, bytes: bytes.subarray(0, bytes.length >> 1) } : { at, bytes },
  );
  await expect(decode(reader, remote, place, shortened)).rejects.toThrow(MissingBytes);
  const decoded = await decode(reader, remote, place, parts);
  expect(decoded.equals(await decode(reader, remote, place))).toBe(true);
});
