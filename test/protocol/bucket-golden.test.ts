// @module-tag object-store
/** The answers recorded from digilib, with the images in a bucket of an object store instead of folders. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeSettings } from '../s3/store-settings.ts';
import { type ObjectStore, startSwift } from '../s3/swift.ts';
import { isWhole } from '../sweep.ts';
import { startApp } from './running-app.ts';

const golden = fileURLToPath(new URL('../fixtures/golden/', import.meta.url));

let store: ObjectStore;
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-bucket-golden-'));

beforeAll(async () => {
  store = await startSwift();
  await store.createBucket('golden');
  await store.putFolder('golden', '', path.join(golden, 'images'));
});

afterAll(async () => {
  await store?.close();
  rmSync(scratch, { recursive: true, force: true });
});

describe('the answers recorded from digilib', () => {
  it('are given for images in a bucket as for those in folders', { tags: 'sampled', timeout: 240_000 }, async () => {
    const app = await startApp({
      library: { folders: ['s3://golden/hires', 's3://golden/scaled'] },
      objectStorage: storeSettings(scratch, store),
    });
    try {
      const checker = spawn(process.execPath, [
        path.join(golden, 'check.mjs'),
        app.url,
        ...['--group', isWhole ? 'dlinfo,scaler,iiif' : 'scaler-path', '--max', '1000'],
      ]);
      let output = '';
      for await (const chunk of checker.stdout) output += String(chunk);
      const lines = output.trim().split('\n');
      const failed = lines.filter((line) => /^[a-z0-9-]+-\d{3} {2}/.test(line)).map((line) => line.split(' ')[0]);
      // The same three as in golden.test.ts, which says why.
      expect(failed).toEqual(['scaler-path-008', 'scaler-path-014', 'scaler-path-053']);
      if (isWhole) expect(lines.at(-1)).toBe('432/435');
    } finally {
      await app.close();
    }
  });
});
