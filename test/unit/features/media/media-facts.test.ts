/** What headers of sound and video tell, and how little of a file is read for it, also of damaged ones. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostBytes, mostReads, readMediaFacts } from '../../../../src/features/media/headers/media-facts.ts';
import { flacOf, mp3Of, mp4Of, oggOf, wavOf, webmOf } from '../../../fixtures/media-files.ts';

function sourceOf(bytes: Buffer) {
  const taken = { reads: 0, bytes: 0 };
  return {
    taken,
    source: {
      bytes: bytes.length,
      read: async (at: number, length: number): Promise<Buffer> => {
        taken.reads += 1;
        taken.bytes += length;
        return bytes.subarray(at, at + length);
      },
    },
  };
}

const factsOf = (extension: string, bytes: Buffer) => readMediaFacts(extension, sourceOf(bytes).source);

const frame = 1152 / 44_100;
const shape = { width: 320, height: 180 };

describe('the header of a file', () => {
  it.each([
    ['wav', wavOf(7200, 3000), { duration: 7200 }],
    ['flac', flacOf(12.5), { duration: 12.5 }],
    ['ogg', oggOf(30), { duration: 30 }],
    ['mp3', mp3Of(100), { duration: (100 * 417 * 8) / 128_000 }],
    ['mp3', mp3Of(5000, { counted: true }), { duration: 5000 * frame }],
    ['mp3', mp3Of(5000, { counted: true, tagBytes: 300_000 }), { duration: 5000 * frame }],
    ['m4a', mp4Of(61), { duration: 61 }],
    ['mp4', mp4Of(61, { size: shape }), { duration: 61, ...shape }],
    [
      'mp4',
      mp4Of(61, { size: shape, isTurned: true, dataBytes: 5_000_000 }),
      { duration: 61, width: 180, height: 320 },
    ],
  ])('of %s tells its length (%#)', async (extension, bytes, facts) => {
    const { source, taken } = sourceOf(bytes);
    const found = await readMediaFacts(extension, source);
    expect(found?.duration).toBeCloseTo(facts.duration, 2);
    expect({ ...found, duration: facts.duration }).toEqual(facts);
    expect(taken.reads).toBeLessThan(20);
    expect(taken.bytes).toBeLessThan(140_000);
  });

  it('of webm tells its length and size', async () => {
    expect(await factsOf('webm', await webmOf(20, shape))).toEqual({ duration: 20, ...shape });
  });

  it('of a recording that was cut off tells what is there', async () => {
    const bytes = wavOf(10);
    bytes.writeUInt32LE(0xffffffff, 40);
    expect(await factsOf('wav', bytes.subarray(0, 44 + 8000 * 4))).toEqual({ duration: 4 });
  });

  it.each(['wav', 'flac', 'ogg', 'mp3', 'm4a', 'mp4', 'webm', 'other'])(
    'of a %s that is none tells nothing',
    async (one) => {
      for (const bytes of [Buffer.alloc(0), Buffer.alloc(100_000), Buffer.from('no header at all')]) {
        expect(await factsOf(one, bytes)).toBeUndefined();
      }
    },
  );

  it('is read within bounds, whatever was changed in it', async () => {
    const files = [
      ['wav', wavOf(2)],
      ['flac', flacOf(2)],
      ['ogg', oggOf(2)],
      ['mp3', mp3Of(20, { counted: true, tagBytes: 200 })],
      ['mp4', mp4Of(2, { size: shape })],
      ['webm', await webmOf(2, shape)],
    ] as const;
    const change = fc.tuple(fc.nat(300), fc.nat(255));
    const damage = fc.tuple(fc.constantFrom(...files), fc.array(change, { maxLength: 8 }), fc.nat(100));
    await fc.assert(
      fc.asyncProperty(damage, async ([[extension, whole], changes, percent]) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const { source, taken } = sourceOf(bytes.subarray(0, Math.ceil((bytes.length * percent) / 100)));
        await readMediaFacts(extension, source);
        expect(taken.reads).toBeLessThanOrEqual(mostReads);
        expect(taken.bytes).toBeLessThanOrEqual(mostBytes);
      }),
      { numRuns: 1000 },
    );
  });

  it('that is full of tiny boxes is given up', async () => {
    const boxes = Buffer.concat(Array.from({ length: 5000 }, () => Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65])));
    const { source, taken } = sourceOf(boxes);
    expect(await readMediaFacts('mp4', source)).toBeUndefined();
    expect(taken.reads).toBe(mostReads);
  });
});
