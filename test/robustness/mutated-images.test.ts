/**
 * Thousands of damaged images of every format, through a running server within 1 GiB: it lives, each is answered in time and
 * without a 500, no render process goes beyond its budget, and the next good picture is as before.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SourceFormat } from '../../src/core/image/model/formats.ts';
import { type ConfinedServer, rendersEachRequest, startConfinedServer } from '../fixtures/confined-server.ts';
import { type MutatedImage, mutatedImages, wholeFiles } from './mutated-images.ts';
import { type Answer, ask, MiB, peakOf, resetPeaks } from './watched-answers.ts';

const count = Number(process.env['LECTERN_ROBUSTNESS_IMAGES'] ?? 2000);
const seed = Number(process.env['LECTERN_ROBUSTNESS_SEED'] ?? 1);

const memoryBytes = 1024 * MiB;
/** What all render processes together may use is half of the server’s memory, and each has the program’s own besides. */
const maxProcessBytes = 700 * MiB;
/** The right picture or a clear error is there within this time (survive.md, "Files"). */
const maxMs = 10_000;
const inFolder = 250;

const partners = JSON.stringify([{ name: 'Tests', addresses: ['127.0.0.0/8'] }]);

describe('damaged images', { tags: 'memory-cgroup' }, () => {
  let root: string;
  let server: ConfinedServer;
  let good: Buffer;
  const goodAddress = '/iiif/3/good.jpg/full/!90,90/0/default.png';

  beforeAll(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'lectern-mutated-'));
    const [whole] = await wholeFiles.jpeg();
    writeFileSync(path.join(root, 'good.jpg'), whole ?? '');
    server = await startConfinedServer({
      memoryBytes,
      folders: [root],
      // Beside what looks like a reader, strangers are refused what would take long.
      env: { ...rendersEachRequest, LECTERN_SHIELD__PARTNERS: partners },
    });
    good = (await ask(server, goodAddress)).body;
    expect(good.subarray(1, 4).toString()).toBe('PNG');
  });

  afterAll(async () => {
    await server.stop();
    rmSync(root, { recursive: true });
  });

  const addressesOf = (name: string, index: number): readonly string[] => [
    `/iiif/3/${name}/full/${index % 3 === 0 ? 'max' : '!100,100'}/0/default.${index % 2 === 0 ? 'jpg' : 'png'}`,
    index % 2 === 0
      ? `/Scaler?fn=${name.replace('!', '/')}&dw=64&wx=0.4&ww=0.3&mo=errtxt`
      : `/iiif/3/${name}/info.json`,
  ];

  function writeImages(format: SourceFormat, images: readonly MutatedImage[]): readonly string[] {
    return images.map(({ bytes }, index) => {
      const folder = `${format}${Math.floor(index / inFolder)}`;
      if (index % inFolder === 0) mkdirSync(path.join(root, folder));
      const name = `${index}.${format}`.replace('tiff', 'tif').replace('jpeg', 'jpg');
      writeFileSync(path.join(root, folder, name), bytes);
      return `${folder}!${name}`;
    });
  }

  /** What was answered to the requests for one format, and all that should not have been. */
  interface Outcome {
    readonly statuses: Record<number, number>;
    readonly faults: string[];
    slowestMs: number;
    peakBytes: number;
  }

  function judge(outcome: Outcome, what: string, { status, ms, body }: Answer): void {
    const { statuses, faults } = outcome;
    statuses[status] = (statuses[status] ?? 0) + 1;
    outcome.slowestMs = Math.max(outcome.slowestMs, ms);
    if (ms > maxMs) faults.push(`${what}: ${Math.round(ms)} ms`);
    if (status >= 500 && status !== 501) faults.push(`${what}: ${status} ${body.toString('latin1', 0, 200)}`);
    if (status === 200 && body.length === 0) faults.push(`${what}: an empty body`);
  }

  async function askForEach(format: SourceFormat, images: readonly MutatedImage[]): Promise<Outcome> {
    const outcome: Outcome = { statuses: {}, faults: [], slowestMs: 0, peakBytes: 0 };
    for (const [index, name] of writeImages(format, images).entries()) {
      resetPeaks(server.renderProcessIds());
      const answers = await Promise.all(addressesOf(name, index).map((address) => ask(server, address)));
      const peak = peakOf(server.renderProcessIds());
      outcome.peakBytes = Math.max(outcome.peakBytes, peak);
      const what = `${name}, ${images[index]?.kind}`;
      if (peak > maxProcessBytes) outcome.faults.push(`${what}: ${Math.round(peak / MiB)} MiB`);
      for (const answer of answers) judge(outcome, what, answer);
      if (index % 50 !== 49) continue;
      const { body } = await ask(server, goodAddress);
      if (!body.equals(good)) outcome.faults.push(`the good picture after ${what}`);
    }
    return outcome;
  }

  const formats = Object.keys(wholeFiles) as SourceFormat[];

  it.each(formats)('of the format %s harm neither the server nor the next picture', async (format) => {
    const images = mutatedImages(await wholeFiles[format](), count, seed);
    const { statuses, faults, slowestMs, peakBytes } = await askForEach(format, images);
    const slowest = `slowest ${Math.round(slowestMs)} ms, at most ${Math.round(peakBytes / MiB)} MiB in a render process`;
    console.log(`${count} files of ${format}: ${JSON.stringify(statuses)}, ${slowest}`);
    expect(faults).toEqual([]);
    expect(server.isUnharmed(), server.log.slice(-5).join('\n')).toBe(true);
    expect((await ask(server, goodAddress)).body.equals(good)).toBe(true);
  });
});
