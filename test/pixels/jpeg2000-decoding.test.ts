/** What JPEG 2000 files decode to by each decoder, compared with opj_decompress: its checksums, and where it is installed, itself. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { reducedSize } from '@lectern/jpeg2000/model';
import { describe, expect, it } from 'vitest';
import { readerOf } from '../../packages/jpeg2000/src/bytes.ts';
import {
  componentBox,
  copyToPlane,
  createPlane,
  type Plane,
  readComponents,
  StreamCache,
} from '../../packages/jpeg2000/src/components.ts';
import type { Box } from '../../packages/jpeg2000/src/geometry.ts';
import { findNativeDecoder } from '../../packages/jpeg2000/src/native.ts';
import { RegionReader } from '../../packages/jpeg2000/src/region.ts';
import { bufferSource } from '../../src/core/library/headers/byte-source.ts';
import { readHeader } from '../../src/core/library/headers/header.ts';
import { randomIntegers } from '../fixtures/files/random.mjs';
import decoded from '../fixtures/jpeg2000/decoded.json' with { type: 'json' };
import { decodeWithOpj } from '../fixtures/jpeg2000/opj-decompress.mjs';
import { sampleOf } from '../sweep.ts';

const folder = fileURLToPath(new URL('../fixtures/jpeg2000/', import.meta.url));
const names = readdirSync(folder).filter((name) => /\.j(?:p2|2k|px|2c|ph|hc)$/.test(name));
const plain: Readonly<Record<string, readonly string[]>> = decoded;

async function openFixture(name: string) {
  const content = readFileSync(path.join(folder, name));
  const header = (await readHeader(bufferSource(content))).pages[0].jpeg2000;
  if (header === undefined) throw new TypeError(`${name} is no JPEG 2000 file`);
  return { readAt: readerOf(content), bytes: content.length, key: name, header };
}

type Opened = Awaited<ReturnType<typeof openFixture>>;

const cache = new StreamCache();

/** Each decoder, and what the machine needs for it. */
const decoders = [
  { by: 'WebAssembly', native: undefined, tags: [] },
  { by: 'the addon', native: findNativeDecoder(), tags: ['openjpeg-native'] },
];

type Native = (typeof decoders)[number]['native'];

/** All components, each in the part of its box that `choose` says. */
async function decodeComponents(
  { header, ...file }: Opened,
  reduction: number,
  native: Native,
  choose = (box: Box): Box => box,
) {
  const { codeStream } = header;
  const boxes = new Map(
    codeStream.components.map((_, index) => [index, choose(componentBox(codeStream, index, reduction))] as const),
  );
  const read = { reduction, boxes, lenient: false, maxBytes: 2 ** 29, native };
  const planes = await readComponents(cache, { ...file, codeStream }, read);
  return [...boxes].map(([component, box]) => {
    const found = planes.get(component);
    if (found === undefined) throw new TypeError('a component is missing');
    const plane = createPlane(box, found.bits);
    copyToPlane(found, box, plane);
    return plane;
  });
}

const checksumOf = (planes: readonly Plane[]): string => {
  const hash = createHash('sha256');
  for (const { samples } of planes) hash.update(Uint16Array.from(samples));
  return hash.digest('hex').slice(0, 16);
};

describe.each(decoders)(
  'by $by, the samples of a whole image are those of opj_decompress, at all reductions',
  ({ native, tags }) => {
    it.each(Object.entries(plain))('%s', { tags }, async (name, expected) => {
      const opened = await openFixture(name);
      expect(expected).toHaveLength(opened.header.codeStream.reductions + 1);
      const found: string[] = [];
      for (const reduction of expected.keys())
        found.push(checksumOf(await decodeComponents(opened, reduction, native)));
      expect(found).toEqual(expected);
    });
  },
);

/** A part of a span: at least one sample, and no more than take a moment. */
function cutSpan(start: number, end: number, random: () => number): readonly [number, number] {
  const from = start + (random() % (end - start));
  return [from, from + 1 + (random() % Math.min(end - from, 300))];
}

function partOf(random: () => number): (box: Box) => Box {
  return ({ left, top, right, bottom }) => {
    const [x, y] = [cutSpan(left, right, random), cutSpan(top, bottom, random)];
    return { left: x[0], right: x[1], top: y[0], bottom: y[1] };
  };
}

/** The samples of a part of a plane. */
function crop({ samples, box }: Plane, part: Box): Uint16Array {
  const width = part.right - part.left;
  const found = new Uint16Array(width * (part.bottom - part.top));
  for (let y = part.top; y < part.bottom; y++) {
    const row = (y - box.top) * (box.right - box.left) - box.left;
    found.set(samples.subarray(row + part.left, row + part.right), (y - part.top) * width);
  }
  return found;
}

const isSame = (one: Plane['samples'], other: Plane['samples']): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at]);

describe.each(decoders)(
  'by $by, the samples of 6 regions are those of the whole image, at all reductions',
  ({ native, tags }) => {
    it.each(sampleOf(names, 15))('%s', { tags: ['sampled', ...tags] }, async (name) => {
      const opened = await openFixture(name);
      const random = randomIntegers(3);
      for (let reduction = 0; reduction <= opened.header.codeStream.reductions; reduction++) {
        const whole = await decodeComponents(opened, reduction, undefined);
        for (let count = 0; count < 6; count++) {
          const parts = await decodeComponents(opened, reduction, native, partOf(random));
          for (const [index, plane] of parts.entries()) {
            const all = whole[index];
            const same = all !== undefined && isSame(plane.samples, crop(all, plane.box));
            if (!same) expect(plane.box, `reduction ${reduction}, component ${index}`).toBe('the same samples');
          }
        }
      }
    });
  },
);

/** opj_decompress converts these with a profile, or otherwise than to 8 bits. */
const notComparable = new Set(['adobe-rgb.jp2', 'gray-profile.jp2', 'gray-1.jp2']);
const eightBits = names.filter((name) => !notComparable.has(name));

/** Components beyond the colors are not shown. */
describe('the colors differ from those of opj_decompress by 1 at most', { tags: 'openjpeg' }, () => {
  it.each(sampleOf(eightBits, 12))('%s', { tags: 'sampled' }, async (name) => {
    const opened = await openFixture(name);
    const { codeStream, color } = opened.header;
    const bits = codeStream.components[0].bits > 8 ? 16 : 8;
    const scale = color.palette ? 1 : (2 ** bits - 1) / (2 ** codeStream.components[0].bits - 1);
    for (let reduction = 0; reduction <= codeStream.reductions; reduction++) {
      const size = reducedSize(codeStream, reduction);
      const region = { x: 0, y: 0, ...size };
      const read = { reduction, region, lenient: false, bits } as const;
      const { samples, channels } = await new RegionReader().readRegion(opened, read);
      const planes = decodeWithOpj(path.join(folder, name), reduction);
      for (let channel = 0; channel < channels; channel++) {
        const expected = planes[channel]?.samples ?? [];
        expect(expected).toHaveLength(size.width * size.height);
        const worst = [...expected].reduce(
          (most, value, at) => Math.max(most, Math.abs(value * scale - (samples[at * channels + channel] ?? -9))),
          0,
        );
        expect(worst, `reduction ${reduction}, channel ${channel}`).toBeLessThanOrEqual(1);
      }
    }
  });
});
