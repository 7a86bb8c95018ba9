/** A folder that servers share and whose disk hangs: pictures are made, and it is waited for once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createDerivatives } from '../../../../src/core/cache/derivatives.ts';
import { nodeFileSystem } from '../../../../src/core/storage/file-system.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-shared-folder-'));

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it('that hangs is waited for once, at most 2 s, and then left out', async () => {
  const faults: string[] = [];
  const hanging = <T>(): Promise<T> => new Promise(() => undefined);
  const derivatives = createDerivatives({
    memoryBytes: 0,
    sharedFolder: { directory: scratch, maxBytes: 1e9 },
    onFault: (message) => faults.push(message),
    fileSystem: {
      ...nodeFileSystem,
      isAbsent: () => expect.fail('a disk that may hang is asked synchronously'),
      openToRead: hanging,
      create: hanging,
      list: hanging,
      lstat: hanging,
      stat: hanging,
      makeFolder: hanging,
    },
  });
  const startMs = performance.now();
  const make = async (): Promise<Buffer> => Buffer.from('made');
  expect(String(await derivatives.getOrCreate('one', make))).toBe('made');
  const firstMs = performance.now() - startMs;
  expect(firstMs).toBeLessThan(3000);
  for (let count = 0; count < 20; count++) await derivatives.getOrCreate(`${count}`, make);
  expect(performance.now() - startMs - firstMs).toBeLessThan(500);
  expect(faults.filter((fault) => /does not answer/.test(fault))).toHaveLength(1);
  await derivatives.close();
}, 20_000);
