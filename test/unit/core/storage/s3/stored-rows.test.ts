/** What is known of single objects on a disk: of any number of keys within a bound, and nothing that is cut or damaged. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hexDigest } from '../../../../../src/core/storage/layout.ts';
import { keptSightings } from '../../../../../src/core/storage/s3/kept-objects.ts';
import { StoredRows } from '../../../../../src/core/storage/s3/stored-rows.ts';

let directory: string;
let faults: string[];

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'lectern-rows-'));
  faults = [];
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const open = (maxFileBytes?: number) =>
  new StoredRows({ directory, onFault: (message) => faults.push(message), ...(maxFileBytes && { maxFileBytes }) });

const files = (): readonly string[] =>
  readdirSync(path.join(directory, 'lectern-objects'))
    .filter((name) => name.endsWith('.rows'))
    .map((name) => path.join(directory, 'lectern-objects', name));

/** Keys whose rows are in one file. */
const keysOfOneFile = ((): readonly string[] => {
  const keys = new Map<string, string[]>();
  for (let index = 0; ; index++) {
    const name = `k${index}`;
    const file = hexDigest(name, 3);
    const own = keys.get(file) ?? [];
    own.push(name);
    keys.set(file, own);
    if (own.length === 20) return own;
  }
})();

describe('rows', () => {
  it('are those that were written last, also for another process, and for one that reads before they are on the disk', async () => {
    const rows = open();
    rows.write('a', [1, 'é\n']);
    rows.write('b', [2]);
    rows.write('a', [3]);
    expect(await rows.read('a')).toEqual([3]);
    await rows.flush();
    rows.write('b', null);
    await rows.flush();
    const others = open();
    expect([await others.read('a'), await others.read('b'), await others.read('c')]).toEqual([[3], null, undefined]);
    expect(statSync(files()[0] ?? '').mode & 0o77).toBe(0);
    expect(faults).toEqual([]);
  });

  it('that were cut or damaged count for nothing, and harm none that follow', async () => {
    const rows = open();
    rows.write('a', ['closed']);
    await rows.flush();
    const [file = ''] = files();
    const whole = readFileSync(file, 'utf8');
    for (const damaged of [whole.slice(0, -3), whole.replace('closed', 'opened')]) {
      writeFileSync(file, damaged);
      expect(await open().read('a')).toBeUndefined();
    }
    writeFileSync(file, whole.slice(0, -3));
    const others = open();
    others.write('a', ['again']);
    await others.flush();
    expect(await open().read('a')).toEqual(['again']);
  });

  it('are dropped, the oldest first, where a file would be longer than its bound', async () => {
    const rows = open(500);
    for (const [index, key] of keysOfOneFile.entries()) {
      rows.write(key, [index]);
      await rows.flush();
    }
    const [file = ''] = files();
    expect(statSync(file).size).toBeLessThanOrEqual(500);
    const found = await Promise.all(keysOfOneFile.map((key) => open().read(key)));
    expect(found.at(-1)).toEqual([19]);
    expect(found[0]).toBeUndefined();
    expect(faults).toEqual([]);
  });

  it('that can’t be written make their keys unknown, so that nothing older counts', async () => {
    const rows = open();
    rows.write('a', ['open']);
    await rows.flush();
    const [file = ''] = files();
    rmSync(file);
    // A folder in its place.
    mkdirSync(file);
    rows.write('a', ['closed']);
    await rows.flush();
    expect(await rows.read('a')).toBeUndefined();
    expect(faults.length).toBeGreaterThan(0);
  });
});

describe('what is kept of objects', () => {
  const object = { size: 3, etag: '"e"', modifiedMs: 7 };

  it('is what was seen, of one store and bucket, and not what was seen in the future', async () => {
    const rows = open();
    const kept = keptSightings({ rows, endpoint: 'http://one', bucket: 'scans', refreshMs: 1000 });
    kept?.write('a', { object, seenMs: 5 });
    kept?.write('b', { object: undefined, seenMs: 6 });
    kept?.write('c', { object, seenMs: Date.now() + 60_000 });
    const of = (endpoint: string, bucket: string) => keptSightings({ rows, endpoint, bucket, refreshMs: 1000 });
    expect(await of('http://one', 'scans')?.read('a')).toEqual({ object, seenMs: 5 });
    expect(await of('http://one', 'scans')?.read('b')).toEqual({ object: undefined, seenMs: 6 });
    expect(await of('http://one', 'scans')?.read('c')).toBeUndefined();
    expect(await of('http://two', 'scans')?.read('a')).toBeUndefined();
    expect(await of('http://one', 'books')?.read('a')).toBeUndefined();
    await rows.flush();
  });

  it('is written again when it has changed, or after ten times the time after which it is asked for', async () => {
    const written: unknown[] = [];
    const rows = open();
    rows.write = (_key, value) => void written.push(value);
    const kept = keptSightings({ rows, bucket: 'scans', refreshMs: 1000 });
    for (const [etag, seenMs] of [
      ['"a"', 1],
      ['"a"', 5000],
      ['"b"', 6000],
      ['"b"', 16_000],
    ] as const)
      kept?.write('key', { object: { ...object, etag }, seenMs });
    kept?.write('key', { object: undefined, seenMs: 16_001 });
    kept?.forget('key');
    expect(written).toEqual([[1, 3, '"a"', 7], [6000, 3, '"b"', 7], [16_000, 3, '"b"', 7], [16_001], null]);
  });
});
