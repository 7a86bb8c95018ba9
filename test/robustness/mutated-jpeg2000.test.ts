/** Whatever bytes of a JPEG 2000 file change, decoding it ends soon, in bounded memory, with a picture or a known error. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ImageError } from '../../src/core/image/model/errors.ts';
import { reducedSize } from '../../src/core/image/model/jpeg2000.ts';
import { bufferSource } from '../../src/core/library/headers/byte-source.ts';
import { HeaderError, readHeader } from '../../src/core/library/headers/header.ts';
import { CodeStreamDamage } from '../../src/core/render/jpeg2000/damage.ts';
import { DecoderMemoryError } from '../../src/core/render/jpeg2000/openjpeg.ts';
import { readRegion } from '../../src/core/render/jpeg2000/read-region.ts';
import { randomIntegers } from '../fixtures/files/random.mjs';

const folder = fileURLToPath(new URL('../fixtures/jpeg2000/', import.meta.url));
const files = readdirSync(folder)
  .filter((name) => /\.j(?:p2|2k|px|2c|ph|hc)$/.test(name) && !name.startsWith('large'))
  .map((name) => ({ name, bytes: readFileSync(path.join(folder, name)) }));

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

const known = [HeaderError, ImageError, CodeStreamDamage, DecoderMemoryError];

/** No request asks for more of such an image than its limits allow. */
const maxSide = 1000;

async function decode(file: string, bytes: Buffer, key: string): Promise<void> {
  const { pages, truncated } = await readHeader(bufferSource(bytes));
  const jpeg2000 = pages[0].jpeg2000;
  if (jpeg2000 === undefined) return;
  await writeFile(file, bytes);
  const handle = await open(file);
  try {
    const reduction = random() % (jpeg2000.codeStream.reductions + 1);
    const { width, height } = reducedSize(jpeg2000.codeStream, reduction);
    const region = { x: 0, y: 0, width: Math.min(width, maxSide), height: Math.min(height, maxSide) };
    const lenient = truncated === true;
    await readRegion({ handle, fileBytes: bytes.length, key, jpeg2000, reduction, region, lenient, bits: 8 });
  } finally {
    await handle.close();
  }
}

it(`of ${count} mutated files`, async () => {
  const scratch = await mkdtemp(path.join(tmpdir(), 'lectern-mutated-'));
  try {
    for (let index = 0; index < count; index++) {
      const { name, bytes: original } = files[random() % files.length] ?? { name: '', bytes: Buffer.alloc(0) };
      const { bytes, changes } = mutate(original);
      const said = `${name} with ${changes.join(', ')}`;
      const start = performance.now();
      try {
        await decode(path.join(scratch, 'mutated'), bytes, said);
      } catch (error) {
        if (!known.some((kind) => error instanceof kind)) throw new Error(said, { cause: error });
      }
      expect(performance.now() - start, said).toBeLessThan(20_000);
    }
  } finally {
    await rm(scratch, { recursive: true });
  }
  expect(process.memoryUsage().rss).toBeLessThan(1.5 * 2 ** 30);
});
