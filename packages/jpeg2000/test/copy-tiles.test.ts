/** Which code-streams are copied tile by tile, and which are cut into code-blocks. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bufferSource, CodeStreamBytes, readerOf } from '../src/bytes.ts';
import { componentBox } from '../src/components.ts';
import { copyTiles } from '../src/copy-tiles.ts';
import { groupCells, touchedCells } from '../src/geometry.ts';
import { readHeader } from '../src/header.ts';
import type { CodeStream } from '../src/model.ts';
import { readStreamIndex } from '../src/tile-parts.ts';

const folder = fileURLToPath(new URL('../../../test/fixtures/jpeg2000/', import.meta.url));

const codeStreamOf = async (file: string): Promise<CodeStream> =>
  (await readHeader(bufferSource(readFileSync(file)))).codeStream;

/** For each group of tiles, whether it is copied; `inset` samples at the right of the image are not needed. */
function copied(file: string, facts: CodeStream, reduction: number, inset = 0): readonly boolean[] {
  const content = readFileSync(file);
  const bytes = new CodeStreamBytes(readerOf(content), Math.min(facts.at + facts.bytes, content.length));
  const index = readStreamIndex(bytes, facts);
  const boxes = new Map(
    facts.components.map((_, each) => {
      const box = componentBox(facts, each, reduction);
      return [each, { ...box, right: box.right - inset }] as const;
    }),
  );
  const groups = [...groupCells(facts, touchedCells(facts, boxes, reduction), reduction)];
  return groups.map((cells) => copyTiles({ bytes, index }, { cells, reduction, boxes }) !== undefined);
}

describe('a code-stream whose first packets are those of the smallest resolutions is copied', () => {
  it.each([
    'block-modes.jp2',
    'high-throughput.jph',
    'large-lossy.jp2',
    'large-precincts.jp2',
    'large-tiles.jp2',
    'offset-markers.jp2',
    'plt.jp2',
    'progression-rlcp.jp2',
    'progression-rpcl.jp2',
    'tile-parts.jp2',
    'tiled-lossless.jp2',
    'upshift.jp2',
  ])('%s', async (name) => {
    const file = path.join(folder, name);
    const facts = await codeStreamOf(file);
    expect(new Set(copied(file, facts, Math.min(1, facts.reductions)))).toEqual(new Set([true]));
  });
});

describe('others are not', () => {
  it.each([
    ['packets ordered by component', 'progression-cprl.jp2'],
    ['packets ordered by position', 'progression-pcrl.jp2'],
    ['changes of the progression', 'progression-changes.j2k'],
    ['packet headers in the main header', 'ppm.j2k'],
    ['packet headers in those of tile-parts', 'ppt.j2k'],
    ['resolutions in several layers', 'progression-lrcp.jp2'],
    ['four components', 'four-components.jp2'],
    ['subsampled components', 'sycc-420.jp2'],
  ])('%s', async (_, name) => {
    const file = path.join(folder, name);
    const facts = await codeStreamOf(file);
    expect(new Set(copied(file, facts, Math.min(1, facts.reductions)))).toEqual(new Set([false]));
  });

  it.each([
    ['tiles of which most is needed are', 60, true],
    ['tiles of which a part is needed are not', 120, false],
  ])('%s', async (_, inset, expected) => {
    const file = path.join(folder, 'block-modes.jp2');
    expect(copied(file, await codeStreamOf(file), 0, inset)).toEqual([expected]);
  });
});
