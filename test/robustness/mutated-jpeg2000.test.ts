/** Whatever bytes of a JPEG 2000 file change, decoding it ends soon, in bounded memory, with a picture or a known error. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { reducedSize } from '@lectern/jpeg2000/model';
import { describe, expect, it } from 'vitest';
import { readerOf } from '../../packages/jpeg2000/src/bytes.ts';
import { Jpeg2000Error } from '../../packages/jpeg2000/src/error.ts';
import { findNativeDecoder } from '../../packages/jpeg2000/src/native.ts';
import { RegionReader } from '../../packages/jpeg2000/src/region.ts';
import { bufferSource } from '../../src/core/library/headers/byte-source.ts';
import { HeaderError, readHeader } from '../../src/core/library/headers/header.ts';
import { randomIntegers } from '../fixtures/files/random.mjs';

const folder = fileURLToPath(new URL('../fixtures/jpeg2000/', import.meta.url));
const files = readdirSync(folder)
  .filter((name) => /\.j(?:p2|2k|px|2c|ph|hc)$/.test(name) && !name.startsWith('large'))
  .map((name) => ({ name, bytes: readFileSync(path.join(folder, name)) }));

/** Files with tiles, which the addon gets as they are. */
const tiled = files.filter(({ name }) => /^(?:tile|offset|plt|tlm)/.test(name));

const count = Number(process.env['LECTERN_ROBUSTNESS_MUTATED_FILES'] ?? 2000);
const random = randomIntegers(11);

/** Headers are changed more often than the rest: most of what they say is acted upon. */
function mutate(original: Buffer): { readonly bytes: Buffer; readonly changes: readonly string[] } {
  const bytes = Buffer.from(original);
  const changes = Array.from({ length: 1 + (random() % 4) }, () => {
    const at = random() % (random() % 3 === 0 ? bytes.length : Math.min(bytes.length, 400));
    bytes[at] = random() % 256;
    return `${at}=${bytes[at]}`;
  });
  if (random() % 6 > 0) return { bytes, changes };
  const end = random() % bytes.length;
  return { bytes: bytes.subarray(0, end), changes: [...changes, `cut at ${end}`] };
}

const known = [HeaderError, Jpeg2000Error];

/** No request asks for more of such an image than its limits allow. */
const maxSide = 1000;

/** Decodes an image after some halvings, as many as it has at most. */
async function decode(reader: RegionReader, bytes: Buffer, key: string, halvings: number): Promise<void> {
  const { pages, truncated } = await readHeader(bufferSource(bytes));
  const jpeg2000 = pages[0].jpeg2000;
  if (jpeg2000 === undefined) return;
  const reduction = halvings % (jpeg2000.codeStream.reductions + 1);
  const { width, height } = reducedSize(jpeg2000.codeStream, reduction);
  const region = { x: 0, y: 0, width: Math.min(width, maxSide), height: Math.min(height, maxSide) };
  const file = { readAt: readerOf(bytes), bytes: bytes.length, key, header: jpeg2000 };
  await reader.readRegion(file, { reduction, region, lenient: truncated === true, bits: 8 });
}

const decoders = [
  { by: 'in WebAssembly', native: undefined, tags: [] },
  { by: 'by the addon', native: findNativeDecoder(), tags: ['openjpeg-native'] },
];

describe.each(decoders)('$by', ({ native, tags }) => {
  it(`of ${count} mutated files`, { tags }, async () => {
    const reader = new RegionReader(native);
    for (let index = 0; index < count; index++) {
      const { name, bytes: original } = files[random() % files.length] ?? { name: '', bytes: Buffer.alloc(0) };
      const { bytes, changes } = mutate(original);
      const said = `${name} with ${changes.join(', ')}`;
      const start = performance.now();
      try {
        await decode(reader, bytes, said, random());
      } catch (error) {
        if (!known.some((kind) => error instanceof kind)) throw new Error(said, { cause: error });
      }
      expect(performance.now() - start, said).toBeLessThan(20_000);
    }
    expect(process.memoryUsage().rss).toBeLessThan(1.5 * 2 ** 30);
  });
});

it('of 300 mutated files, what is damaged in WebAssembly has no picture by the addon', {
  tags: ['openjpeg-native'],
}, async () => {
  const [wasm, addon] = [new RegionReader(), new RegionReader(findNativeDecoder())];
  const isDamaged = (work: Promise<void>): Promise<boolean> =>
    work.then(
      () => false,
      (error: unknown) => error instanceof Jpeg2000Error && error.code === 'damaged',
    );
  let damaged = 0;
  for (let index = 0; index < 300; index++) {
    const { name, bytes: original } = tiled[index % tiled.length] ?? { name: '', bytes: Buffer.alloc(0) };
    const { bytes, changes } = mutate(original);
    const said = `${name} with ${changes.join(', ')}`;
    const halvings = random();
    if (!(await isDamaged(decode(wasm, bytes, said, halvings)))) continue;
    damaged++;
    expect(await isDamaged(decode(addon, bytes, said, halvings)), said).toBe(true);
  }
  expect(damaged).toBeGreaterThan(10);
});

it('of 200 mutated files that the addon decodes as they are', { tags: ['openjpeg-native'] }, () => {
  const native = findNativeDecoder();
  const outcomes = Array.from({ length: 200 }, () => {
    const { bytes } = mutate(files[random() % files.length]?.bytes ?? Buffer.alloc(0));
    try {
      return native?.decode(bytes, 0, 0, 0, 0, random() % 3, 2 ** 28).length && 'decoded';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
  });
  expect([...new Set(outcomes)].filter((outcome) => outcome !== 'memory' && outcome !== 'unsupported').sort()).toEqual([
    'damaged',
    'decoded',
  ]);
});
