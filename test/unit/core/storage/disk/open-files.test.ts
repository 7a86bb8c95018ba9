import path from 'node:path';
import { expect, test } from 'vitest';
import { OpenFiles } from '../../../../../src/core/storage/disk/open-files.ts';

test.each([
  ['that is gone', 'gone.tif', 'changed'],
  ['below a file', `${path.basename(import.meta.filename)}/tile.tif`, 'changed'],
  ['that the system can’t open', `${'n'.repeat(300)}.tif`, 'failed'],
])('a file %s', async (_, name, code) => {
  const files = new OpenFiles();
  const file = { path: path.join(import.meta.dirname, name), bytes: 1, modifiedMs: 0, fingerprint: '' };
  await expect(files.read(file, async () => undefined)).rejects.toMatchObject({ code, cause: expect.any(Error) });
});
