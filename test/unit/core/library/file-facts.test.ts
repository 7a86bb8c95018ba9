/** The facts of files on the disk that no header says alone: whether a JPEG 2000 file is there to its end. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createFileProbe } from '../../../../src/core/library/file-facts.ts';

const fixtures = fileURLToPath(new URL('../../../fixtures/jpeg2000/', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'lectern-probe-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fixture = (name: string): Buffer => readFileSync(path.join(fixtures, name));

/** What is said of a file with these bytes. */
async function factsOf(
  name: string,
  bytes: Buffer,
): Promise<readonly [complete: boolean | undefined, truncated: true | undefined]> {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  const [first] = await createFileProbe()(file);
  return [first?.complete, first?.truncated];
}

describe('a JPEG 2000 file', () => {
  it.each([
    ['in boxes', 'gray.jp2', (bytes: Buffer) => bytes, [true, undefined]],
    [
      'with a box behind the code-stream',
      'gray.jp2',
      (bytes: Buffer) => Buffer.concat([bytes, box]),
      [true, undefined],
    ],
    ['without boxes', 'names.j2c', (bytes: Buffer) => bytes, [true, undefined]],
    ['whose last box has no length', 'open-end.jp2', (bytes: Buffer) => bytes, [true, undefined]],
    ['in boxes that is cut', 'gray.jp2', (bytes: Buffer) => bytes.subarray(0, -40), [false, true]],
    ['without boxes that is cut', 'tiled-lossy.j2k', (bytes: Buffer) => bytes.subarray(0, -40), [false, true]],
    [
      'whose last box has no length and that is cut',
      'open-end.jp2',
      (bytes: Buffer) => bytes.subarray(0, -40),
      [false, true],
    ],
    [
      'whose code-stream has lost its end',
      'gray.jp2',
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -2), Buffer.alloc(2)]),
      [false, undefined],
    ],
  ])('%s', async (_name, name, change, expected) => {
    expect(await factsOf(name, change(fixture(name)))).toEqual(expected);
  });
});

const box = Buffer.concat([Buffer.of(0, 0, 0, 12), Buffer.from('free'), Buffer.alloc(4)]);
