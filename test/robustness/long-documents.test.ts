import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../cli/run-command.ts';

let folder: string;
const lengths = [200, 2000] as const;

/** Books with this number of names of one scan of about 600 KB. */
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'long-documents-'));
  const noise = { type: 'gaussian', mean: 200, sigma: 14 } as const;
  const scan = path.join(folder, 'scan.jpg');
  await sharp({ create: { width: 1700, height: 2400, channels: 3, background: '#000', noise } })
    .jpeg({ quality: 75 })
    .toFile(scan);
  for (const length of lengths) {
    const book = path.join(folder, 'library', `book-${length}`);
    mkdirSync(book, { recursive: true });
    for (let page = 0; page < length; page++) linkSync(scan, path.join(book, `p${page}.jpg`));
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

/** The most memory that the process had, in MiB. */
async function peakOf(length: number): Promise<number> {
  const output = path.join(folder, 'book.pdf');
  const { child, ended } = runCommand(['pdf', `book-${length}`, path.join(folder, 'library'), '--output', output], {
    env: { XDG_CACHE_HOME: path.join(folder, 'cache') },
  });
  let peak = 0;
  while (child.exitCode === null) {
    try {
      peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? peak);
    } catch {
      // It has ended.
    }
    await setTimeout(20);
  }
  expect((await ended).code).toBe(0);
  expect(statSync(output).size).toBeGreaterThan(length * 400_000);
  return peak / 1024;
}

describe('the memory for a document', () => {
  it('of 2,000 scans, which has more than a GB, is about that for 200', async () => {
    const [short, long] = [await peakOf(lengths[0]), await peakOf(lengths[1])];
    expect(short).toBeGreaterThan(50);
    expect(long - short).toBeLessThan(120);
  }, 180_000);
});
