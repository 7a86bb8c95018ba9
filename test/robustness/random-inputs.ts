/**
 * Many thousands of random inputs for a parser: how many, how they are made, and how long one may take. Properties use
 * node:assert, since an `expect` takes longer than most of the parsers.
 */
import { ok } from 'node:assert/strict';
import fc from 'fast-check';

/** Inputs of each property; more find rarer faults. */
export const inputCount = Number(process.env['LECTERN_ROBUSTNESS_INPUTS'] ?? 100_000);

/** The longest that one input may take, in ms: far more than any needs, also on a machine that does other work. */
const maxMs = 3000;

/** Holds a property for each input, and each within its time. A failure says the seed, and the smallest input found. */
export async function holdsForEach<T>(
  inputs: fc.Arbitrary<T>,
  property: (input: T) => void | Promise<void>,
  numRuns = inputCount,
): Promise<void> {
  let slowestMs = 0;
  const timed = async (input: T): Promise<void> => {
    const start = performance.now();
    const done = property(input);
    if (done !== undefined) await done;
    const ms = performance.now() - start;
    slowestMs = Math.max(slowestMs, ms);
    if (ms > maxMs) throw new Error(`took ${Math.round(ms)} ms`);
  };
  await fc.assert(fc.asyncProperty(inputs, timed), { numRuns });
  console.log(`${numRuns} inputs, the slowest took ${slowestMs.toFixed(1)} ms`);
}

/** Runs a parser that may throw only this error; undefined where it did. */
export function unlessRefused<T>(refusal: abstract new (...args: never[]) => Error, parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof refusal) return undefined;
    throw error;
  }
}

/** The longest run of a repeated piece, in characters. */
const maxInserted = 300;

interface Edit {
  /** In ten thousandths of the length. */
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
  readonly times: number;
}

/**
 * Texts near to valid ones: some characters are taken out, and pieces put in, a few of them hundreds of times, so that what
 * takes more than linear time shows.
 */
export function editedTexts(seeds: readonly string[], pieces: readonly string[]): fc.Arbitrary<string> {
  const edit: fc.Arbitrary<Edit> = fc.record({
    at: fc.noBias(fc.nat({ max: 9999 })),
    remove: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 12 })),
    insert: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...pieces) },
      { weight: 2, arbitrary: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)) },
      { weight: 2, arbitrary: fc.constantFrom('', ...seeds) },
    ),
    times: fc.oneof(
      { weight: 30, arbitrary: fc.constant(1) },
      { weight: 4, arbitrary: fc.integer({ min: 2, max: 20 }) },
      { weight: 1, arbitrary: fc.integer({ min: 100, max: 900 }) },
    ),
  });
  return fc.tuple(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 4 })).map(([seed, edits]) =>
    edits.reduce((text, { at, remove, insert, times }) => {
      const start = Math.floor((at / 10_000) * (text.length + 1));
      const repeated = insert.repeat(Math.min(times, Math.ceil(maxInserted / Math.max(1, insert.length))));
      return text.slice(0, start) + repeated + text.slice(start + remove);
    }, seed),
  );
}

/** Values of a byte or a word that break the arithmetic of readers. */
const extremes = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff] as const;

/** Bytes near to valid ones: flipped bits, words of extreme values in either order, cuts, and parts moved elsewhere. */
export function damagedBytes(seeds: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const at = fc.noBias(fc.nat({ max: 9999 }));
  // Half of the damage is to the first bytes, where the header is.
  const position = fc.oneof(
    at.map(
      (part) =>
        (length: number): number =>
          Math.floor((part / 10_000) * length),
    ),
    fc.nat({ max: 200 }).map(
      (offset) =>
        (length: number): number =>
          Math.min(offset, length),
    ),
  );
  type Damage = (bytes: Buffer) => Buffer;
  const flip = fc.tuple(position, fc.nat({ max: 7 })).map(
    ([place, bit]): Damage =>
      (bytes) => {
        const index = place(bytes.length);
        if (index < bytes.length) bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        return bytes;
      },
  );
  const word = fc.tuple(position, fc.constantFrom(1, 2, 4, 8), fc.boolean(), fc.constantFrom(...extremes)).map(
    ([place, length, little, value]): Damage =>
      (bytes) => {
        const index = place(bytes.length);
        const written = Buffer.alloc(8);
        if (little) written.writeUInt32LE(value);
        else written.writeUInt32BE(value, 4);
        (little ? written.subarray(0, length) : written.subarray(8 - length)).copy(bytes, index);
        return bytes;
      },
  );
  const cut = position.map(
    (place): Damage =>
      (bytes) =>
        bytes.subarray(0, place(bytes.length)),
  );
  const splice = fc.tuple(position, position, position).map(
    ([from, to, target]): Damage =>
      (bytes) => {
        const [start, end] = [from(bytes.length), to(bytes.length)].sort((one, other) => one - other);
        const place = target(bytes.length);
        return Buffer.concat([bytes.subarray(0, place), bytes.subarray(start, end), bytes.subarray(place)]);
      },
  );
  const damage = fc.oneof(
    { weight: 4, arbitrary: flip },
    { weight: 6, arbitrary: word },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: splice },
  );
  return fc
    .tuple(fc.constantFrom(...seeds), fc.array(damage, { minLength: 1, maxLength: 6 }))
    .map(([seed, damages]) => damages.reduce<Buffer>((bytes, apply) => apply(bytes), Buffer.from(seed)));
}

/** Fails unless all numbers in a value, however deep, are finite. */
export function expectFiniteNumbers(value: unknown): void {
  if (typeof value === 'number') ok(Number.isFinite(value));
  if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) expectFiniteNumbers(member);
}
