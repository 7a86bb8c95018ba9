/** The parts in which a JPEG 2000 image is read as a whole. */
import { describe, expect, it, test } from 'vitest';
import type { CodeStream, Rect } from '../src/model.ts';
import { decodedParts } from '../src/model.ts';

const component = { bits: 8, signed: false, dx: 1, dy: 1 };

const streamOf = (area: Rect, tile: Rect, more: Partial<CodeStream> = {}): CodeStream => ({
  at: 0,
  bytes: 1,
  headerBytes: 1,
  area,
  tile,
  components: [component, component, component],
  reductions: 5,
  layers: 1,
  progression: 'LRCP',
  block: { width: 64, height: 64 },
  componentTransform: true,
  highThroughput: false,
  packetLengths: false,
  ...more,
});

const at = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height });
const untiled = (area: Rect, more?: Partial<CodeStream>) =>
  streamOf(area, at(0, 0, area.x + area.width, area.y + area.height), more);

/** The starts of the parts from left to right, or from top to bottom. */
const columnsOf = (stream: CodeStream) => decodedParts(stream)[0]?.map(({ x }) => x);
const rowsOf = (stream: CodeStream) => decodedParts(stream).map(([{ y }]) => y);

describe('the parts of an image', () => {
  test.each<[string, CodeStream]>([
    ['without tiles', untiled(at(0, 0, 10_000, 8000))],
    ['without tiles that begins off the origin', untiled(at(1234, 5678, 5001, 3003))],
    ['of small tiles', streamOf(at(0, 0, 3001, 2003), at(0, 0, 64, 96))],
    ['of tiles that begin off the origin', streamOf(at(33, 47, 3000, 5000), at(9, 14, 700, 500))],
    ['of huge tiles', streamOf(at(0, 0, 9000, 9000), at(0, 0, 5000, 5000))],
    ['of subsampled components', untiled(at(0, 0, 4000, 4000), { components: [{ ...component, dx: 2, dy: 2 }] })],
    ['of a single pixel', untiled(at(0, 0, 1, 1))],
  ])('%s cover each pixel once', (_, stream) => {
    const [{ dx, dy }] = stream.components;
    const rows = decodedParts(stream);
    let y = 0;
    for (const parts of rows) {
      let x = 0;
      for (const part of parts) {
        expect(part).toMatchObject({ x, y });
        expect(Math.min(part.width, part.height)).toBeGreaterThan(0);
        x += part.width;
      }
      expect(x).toBe(Math.ceil(stream.area.width / dx));
      y += parts[0].height;
    }
    expect(y).toBe(Math.ceil(stream.area.height / dy));
  });

  it('end where the decoder divides an image without tiles', () => {
    expect(columnsOf(untiled(at(0, 0, 10_000, 8000)))).toEqual([0, 1024, 3072, 5120, 7168, 9216]);
    expect(rowsOf(untiled(at(0, 0, 10_000, 8000), { reductions: 6 }))).toEqual([0, 2048, 6144]);
  });

  it('end at edges of tiles, of which small ones are read together', () => {
    const stream = streamOf(at(0, 0, 10_000, 8000), at(0, 0, 512, 256));
    expect(columnsOf(stream)?.slice(0, 3)).toEqual([0, 1024, 2048]);
    expect(rowsOf(stream).slice(0, 3)).toEqual([0, 1024, 2048]);
    expect(columnsOf(streamOf(at(33, 0, 3000, 500), at(9, 0, 1100, 500)))).toEqual([0, 1076, 2176]);
  });
});
