/** Whatever happens to the cache, an answer is what making the key yields. */
import { appendFileSync, copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Derivatives } from '../../../../src/core/cache/derivatives.ts';
import { entryOverheadBytes } from '../../../../src/core/cache/memory-cache.ts';
import { runsOf } from '../../../sweep.ts';
import { bytesIn, fileOf, makeFolder, open, request, until } from './cache-folder.ts';

const keys = Array.from({ length: 12 }, (_, index) => `key ${index}`);
const lengthOf = (key: string): number => 100 + 150 * keys.indexOf(key);
const maxBytes = 8000;
const memoryBytes = 8 * (entryOverheadBytes + 1500);

const damages = {
  cut: (file: string, at: number) => truncateSync(file, Math.floor(at * readFileSync(file).length)),
  grow: (file: string) => appendFileSync(file, 'x'),
  flip: (file: string, at: number) => {
    const bytes = readFileSync(file);
    const position = Math.floor(at * bytes.length);
    bytes[position] = (bytes[position] ?? 0) ^ 0x10;
    writeFileSync(file, bytes);
  },
  swap: (file: string, at: number, directory: string) => {
    const other = fileOf(directory, keys[Math.floor(at * keys.length)] ?? '');
    if (existsSync(other) && other !== file) copyFileSync(other, file);
  },
  remove: (file: string) => rmSync(file),
} as const;

const key = fc.constantFrom(...keys);
const at = fc.double({ min: 0, max: 0.999, noNaN: true });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('ask' as const), key }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('ask many' as const), key }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fail' as const), key }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('empty' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('damage' as const),
      key,
      how: fc.constantFrom(...(Object.keys(damages) as (keyof typeof damages)[])),
      at,
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

class World {
  readonly directory = makeFolder();
  cache: Derivatives = this.#open();

  #open(): Derivatives {
    return open({ memoryBytes, disk: { directory: this.directory, maxBytes } }).cache;
  }

  async run(one: Step): Promise<void> {
    switch (one.kind) {
      case 'ask':
        await request(this.cache, one.key, lengthOf(one.key));
        return;
      case 'ask many': {
        const answers = await Promise.all(keys.map((each) => request(this.cache, each, lengthOf(each))));
        expect(answers).toHaveLength(keys.length);
        return;
      }
      case 'fail': {
        const make = () => Promise.reject(new Error('can’t be made'));
        await this.cache.getOrCreate(`${one.key} fails`, make).then(
          () => expect.unreachable(),
          (error: unknown) => expect(error).toMatchObject({ message: 'can’t be made' }),
        );
        return;
      }
      case 'restart':
        await this.cache.close();
        this.cache = this.#open();
        return;
      case 'wait':
        return until(() => this.cache.stats().disk?.waitingBytes === 0);
      case 'empty':
        return rmSync(this.directory, { recursive: true, force: true, maxRetries: 9 });
      case 'damage': {
        const file = fileOf(this.directory, one.key);
        if (existsSync(file)) damages[one.how](file, one.at, this.directory);
      }
    }
  }
}

/** The cache notices a file that something else made longer only in the next walk. */
const grownBytes = (steps: readonly Step[]): number =>
  2000 * steps.filter((one) => one.kind === 'damage' && (one.how === 'grow' || one.how === 'swap')).length;

it('asking, failing, evicting, restarting, emptying and damaging never change an answer, nor pass the bounds', async () => {
  let cachedCount = 0;
  let faults = 0;
  const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
    const world = new World();
    for (const one of steps) {
      await world.run(one);
      const { memory, disk } = world.cache.stats();
      expect(memory.bytes).toBeLessThanOrEqual(memoryBytes);
      expect(disk?.bytes).toBeLessThanOrEqual(maxBytes + grownBytes(steps));
    }
    await world.cache.close();
    const { hits, faults: counted } = world.cache.stats();
    cachedCount += hits.memory + hits.disk;
    faults += counted;
    if (existsSync(world.directory)) expect(bytesIn(world.directory)).toBeLessThanOrEqual(maxBytes + grownBytes(steps));
  });
  await fc.assert(property, { numRuns: runsOf(80) });
  // Otherwise the steps would have tested nothing.
  expect(cachedCount).toBeGreaterThan(100);
  expect(faults).toBeGreaterThan(0);
});
