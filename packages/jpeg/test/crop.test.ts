/** A part of a JPEG is, unit by unit, the picture that its coefficients give alone. */
import { describe, expect, it, test } from 'vitest';
import { codedPartOf, cropJpeg, pixelsOf, unitsAround } from '../src/crop.ts';
import { completed, differenceTable } from '../src/huffman-table.ts';
import type { Rect } from '../src/scan.ts';
import { type Scan, scanOf, unitsOf } from '../src/scan.ts';
import type { ReadBytes } from '../src/scan-places.ts';
import { ScanPlaces } from '../src/scan-places.ts';
import { ScanReader } from '../src/scan-reader.ts';
import { maxKeptWasmBytes } from '../src/web-assembly.ts';
import { buildJpeg, type JpegSketch, noise, samplings, segment } from './build-jpeg.ts';

const whole = { width: 300, height: 170 };

const sketch = (more: Partial<JpegSketch> = {}): JpegSketch => ({
  ...whole,
  factors: samplings['4:2:0'],
  coefficients: noise,
  ...more,
});

function scanIn(stream: Buffer): Scan {
  const scan = scanOf(stream);
  if (typeof scan === 'string') throw new Error(scan);
  return scan;
}

/** A stream as a file, which counts the bytes that are read. */
function fileOf(stream: Buffer) {
  const counted = { bytes: 0 };
  const read: ReadBytes = async (at, bytes) => {
    const found = stream.subarray(at, at + bytes);
    counted.bytes += found.length;
    return found.length === bytes ? found : undefined;
  };
  return { counted, read };
}

const placesIn = (stream: Buffer, options = {}): ScanPlaces => new ScanPlaces(scanIn(stream), stream.length, options);

async function crop(stream: Buffer, units: Rect, places = placesIn(stream)): Promise<Buffer | undefined> {
  const scan = scanIn(stream);
  if (!(await places.findUpTo(units.y + units.height, fileOf(stream).read))) return undefined;
  const { at, bytes } = codedPartOf(places, units);
  const header = { bytes: stream.subarray(0, scan.dataAt), scan };
  return cropJpeg(header, places, { at, bytes: stream.subarray(at, at + bytes) }, units);
}

/** The same units, encoded alone. */
function expected(sketched: JpegSketch, units: Rect): Buffer {
  const scan = scanIn(buildJpeg(sketched));
  const { width, height } = pixelsOf(scan, units);
  const { factors, coefficients } = sketched;
  return buildJpeg({
    ...sketched,
    width,
    height,
    restartInterval: 0,
    coefficients: (component, column, row) => {
      const [across, down] = factors.length === 1 ? [1, 1] : (factors[component] ?? [1, 1]);
      return coefficients(component, column + units.x * across, row + units.y * down);
    },
  });
}

/** What a decoder reads: the coefficients behind the headers, which may define tables again. */
function dataOf(stream: Buffer | undefined): string | undefined {
  return stream?.subarray(scanIn(stream).dataAt).toString('hex');
}

const parts: readonly Rect[] = [
  { x: 0, y: 0, width: 1, height: 1 },
  { x: 1, y: 0, width: 3, height: 2 },
  { x: 0, y: 2, width: 4, height: 3 },
  { x: 2, y: 1, width: 5, height: 4 },
];

/** The last units, some of which reach beyond the picture's edge. */
function lastOf(scan: Scan): Rect {
  const { width, height } = unitsOf(scan);
  return { x: width - 3, y: height - 3, width: 3, height: 3 };
}

describe.each(Object.entries(samplings))('%s', (_name, factors) => {
  test.each([undefined, 1, 2, 5, 7, 1000])('restarts behind every %s units', async (restartInterval) => {
    const sketched = sketch({ factors, ...(restartInterval && { restartInterval }) });
    const stream = buildJpeg(sketched);
    const places = placesIn(stream);
    for (const units of [...parts, lastOf(scanIn(stream))]) {
      const cropped = await crop(stream, units, places);
      expect(cropped && scanIn(cropped).size).toEqual(scanIn(expected(sketched, units)).size);
      expect(dataOf(cropped)).toBe(dataOf(expected(sketched, units)));
    }
  });
});

describe('tables that lack codes', () => {
  const few = { counts: [0, 2, 1], symbols: [5, 0, 10] };

  it('are completed where a part has other differences than the whole', async () => {
    // Neighbors differ by 20, the ends of a row by 740; from part to part there are other steps.
    const coefficients = (_component: number, column: number) => [column * 20, ...new Array<number>(63).fill(0)];
    const sketched = sketch({ coefficients, differences: [few, few], factors: samplings.gray });
    const units = { x: 20, y: 3, width: 4, height: 5 };
    const cropped = await crop(buildJpeg(sketched), units);
    const { counts = [], symbols = [] } = (cropped && scanIn(cropped).blocks[0]?.differences) ?? {};
    const table = { counts: [...counts], symbols: [...symbols] };
    expect(dataOf(cropped)).toBe(dataOf(expected({ ...sketched, differences: [table, table] }, units)));
  });

  it('keep their own codes', () => {
    const own = differenceTable(
      Uint8Array.from([...few.counts, ...new Array<number>(13).fill(0)]),
      Uint8Array.from(few.symbols),
    );
    const all = own && completed(own);
    for (const category of few.symbols) {
      expect(all?.codes[category]).toBe(own?.codes[category]);
      expect(all?.lengths[category]).toBe(own?.lengths[category]);
    }
    const codes = [...(all?.lengths ?? [])].map((length, category) =>
      (all?.codes[category] ?? 0).toString(2).padStart(length, '0'),
    );
    expect(codes).toHaveLength(12);
    for (const code of codes) {
      expect(code).toContain('0');
      expect(codes.filter((other) => other.startsWith(code))).toEqual([code]);
    }
  });

  it('can have no room for others', () => {
    // One code is left of the longest ones, and it has only ones.
    const full = differenceTable(
      Uint8Array.from({ length: 16 }, (_, at) => (at < 8 ? 1 : at === 15 ? 255 : 0)),
      new Uint8Array(263),
    );
    expect(full && completed(full)).toBeUndefined();
  });
});

it('keeps the header’s other segments', async () => {
  const first = [segment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\0')), segment(0xe2, Buffer.alloc(1000, 7))];
  const cropped = await crop(buildJpeg(sketch({ first })), { x: 1, y: 1, width: 2, height: 2 });
  for (const each of first) expect(cropped?.includes(each)).toBe(true);
});

describe('places', () => {
  it('are looked for once', async () => {
    const stream = buildJpeg(sketch());
    const places = placesIn(stream);
    const { counted, read } = fileOf(stream);
    expect(await Promise.all([places.findUpTo(5, read), places.findUpTo(5, read)])).toEqual([true, true]);
    const before = counted.bytes;
    expect(await places.findUpTo(3, read)).toBe(true);
    expect(counted.bytes).toBe(before);
    expect(before).toBeLessThanOrEqual(stream.length);
  });

  it('are found where a row is longer than what is read at once', async () => {
    const stream = buildJpeg(sketch());
    const scan = scanIn(stream);
    const { read } = fileOf(stream);
    const [inSteps, atOnce] = [placesIn(stream, { sliceBytes: 16 }), placesIn(stream)];
    const { width, height } = unitsOf(scan);
    expect(await atOnce.findUpTo(height, read)).toBe(true);
    for (let row = 0; row < height; row++) {
      expect(await inSteps.findUpTo(row + 1, read)).toBe(true);
      expect(inSteps.before(row, width - 1)).toEqual(atOnce.before(row, width - 1));
      expect(inSteps.endOf(row, width)).toBe(atOnce.endOf(row, width));
    }
  });

  it('are some in each row of a wide image', async () => {
    const wide = sketch({ width: 1500, height: 40, factors: samplings.gray, restartInterval: 11 });
    const stream = buildJpeg(wide);
    const places = placesIn(stream);
    for (const x of [0, 31, 32, 33, 64, 100, 180]) {
      const units = { x, y: 2, width: 7, height: 3 };
      expect(dataOf(await crop(stream, units, places))).toBe(dataOf(expected(wide, units)));
    }
    expect(places.before(2, 100).unit % 188).toBe(96);
    const tile = codedPartOf(places, { x: 33, y: 2, width: 7, height: 1 });
    expect(tile.bytes).toBeLessThan((stream.length / 5) * 0.3);
  });

  it('are not found behind damage, nor where a file ends before them', async () => {
    const stream = buildJpeg(sketch());
    const scan = scanIn(stream);
    const cut = stream.subarray(0, scan.dataAt + Math.floor((stream.length - scan.dataAt) / 2));
    const places = placesIn(cut);
    const { height } = unitsOf(scan);
    expect(await places.findUpTo(height, fileOf(cut).read)).toBe(false);
    expect(await places.findUpTo(1, fileOf(cut).read)).toBe(true);
    expect(await crop(cut, { x: 0, y: height - 2, width: 2, height: 2 })).toBeUndefined();
    expect(await crop(cut, { x: 0, y: 0, width: 2, height: 2 })).toBeDefined();
    const failing = placesIn(stream);
    const failingRead = () => Promise.reject(new Error('EIO'));
    await expect(failing.findUpTo(2, failingRead)).rejects.toThrow('EIO');
    expect(await failing.findUpTo(2, fileOf(stream).read)).toBe(true);
  });
});

it('takes the units that a region touches, and those beside them', () => {
  const scan = scanIn(buildJpeg(sketch()));
  expect(unitsAround(scan, { x: 33, y: 17, width: 1, height: 20 })).toEqual({ x: 1, y: 0, width: 3, height: 4 });
  expect(unitsAround(scan, { x: 0, y: 0, ...whole })).toEqual({ x: 0, y: 0, width: 19, height: 11 });
});

it('goes on with the scan of the reader before, also where that one took much memory', () => {
  const stream = buildJpeg(sketch());
  const scan = scanIn(stream);
  const { width, height } = unitsOf(scan);
  const long = Buffer.concat([stream, Buffer.alloc(maxKeptWasmBytes)]);
  const upper = new ScanReader(scan, { bytes: long, at: 0 });
  upper.beginOutput();
  // Not at the end of a byte.
  while (upper.place().bit === 0 || upper.place().unit === 0) upper.copyUnits(1);
  const place = upper.place();
  const begun = upper.takeOutput('go-on');
  const lower = new ScanReader(scan, { bytes: stream, at: 0 }, place);
  lower.copyUnits(width * height - place.unit);
  const data = Buffer.concat([begun, lower.takeOutput('end')]);
  expect(data.equals(stream.subarray(scan.dataAt, -2))).toBe(true);
});
