/** The headers of real JPEG 2000 files; `opj_decompress -r` gives each reduction the same size. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isImageName } from '../../../../../src/core/image/model/formats.ts';
import type { PageFacts } from '../../../../../src/core/image/model/image-set.ts';
import { bufferSource } from '../../../../../src/core/library/headers/byte-source.ts';
import { readHeader } from '../../../../../src/core/library/headers/header.ts';

const folder = fileURLToPath(new URL('../../../../fixtures/jpeg2000/', import.meta.url));
const several = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** The facts in a line. */
function outline({ levels, color, bits, alpha, jpeg2000 }: PageFacts): string {
  const { codeStream, color: colors } = jpeg2000 ?? {};
  const [{ tile }, smallest] = [levels[0], levels.at(-1)];
  const finest = codeStream?.precincts?.at(-1);
  return [
    `${several(levels.length, 'level')} to ${smallest?.width}x${smallest?.height}`,
    tile && `tiles of ${tile.width}x${tile.height}`,
    `${color} ${bits}`,
    colors?.space,
    alpha && 'alpha',
    codeStream?.progression,
    several(codeStream?.layers ?? 0, 'layer'),
    finest && `precincts of ${finest.width}`,
    codeStream?.highThroughput && 'HT',
    codeStream?.packetLengths && 'PLT',
  ]
    .filter(Boolean)
    .join(', ');
}

const files: readonly (readonly [name: string, facts: string])[] = [
  ['adobe-rgb.jp2', '6 levels to 7x5, rgb 8, profile, LRCP, 2 layers'],
  ['block-bypass.jp2', '6 levels to 7x5, gray 8, gray, LRCP, 1 layer'],
  ['block-modes.jp2', '6 levels to 7x5, gray 8, gray, LRCP, 1 layer'],
  ['brand.jpx', '6 levels to 7x5, rgb 8, srgb, LRCP, 2 layers'],
  ['channels-bgr.jp2', '6 levels to 7x5, rgb 8, srgb, LRCP, 2 layers'],
  ['cmyk.jp2', '6 levels to 7x5, cmyk 8, cmyk, LRCP, 2 layers'],
  ['eight-resolutions.jp2', '8 levels to 2x2, gray 8, gray, LRCP, 2 layers'],
  ['four-components.jp2', '6 levels to 7x5, rgb 8, srgb, LRCP, 2 layers'],
  ['gray-1.jp2', '6 levels to 7x5, bilevel 1, gray, LRCP, 1 layer'],
  ['gray-12.jp2', '6 levels to 7x5, gray 12, gray, LRCP, 2 layers'],
  ['gray-16.jp2', '6 levels to 7x5, gray 16, gray, LRCP, 2 layers'],
  ['gray-alpha.jp2', '6 levels to 7x5, gray 8, gray, alpha, LRCP, 2 layers'],
  ['gray-profile.jp2', '6 levels to 7x5, gray 8, profile, LRCP, 2 layers'],
  ['gray.jp2', '6 levels to 7x5, gray 8, gray, LRCP, 2 layers'],
  ['high-throughput-16.jhc', '6 levels to 7x5, gray 16, unknown, RPCL, 1 layer, HT'],
  ['high-throughput-lossless.jhc', '6 levels to 7x5, gray 8, unknown, RPCL, 1 layer, HT'],
  ['high-throughput.jph', '6 levels to 7x5, rgb 8, srgb, RPCL, 1 layer, HT'],
  ['image-offset.jp2', '6 levels to 6x5, rgb 8, srgb, LRCP, 2 layers'],
  ['large-lossy.jp2', '6 levels to 51x38, rgb 8, srgb, LRCP, 1 layer'],
  ['large-precincts.jp2', '6 levels to 51x38, gray 8, gray, RPCL, 1 layer, precincts of 256, PLT'],
  ['large-tiles.jp2', '5 levels to 101x76, tiles of 256x256, gray 8, gray, LRCP, 1 layer, PLT'],
  ['names.j2c', '6 levels to 7x5, gray 8, unknown, LRCP, 2 layers'],
  ['offset-markers.jp2', '4 levels to 25x20, tiles of 70x50, rgb 8, srgb, RPCL, 2 layers, precincts of 32'],
  ['one-resolution.jp2', '1 level to 203x155, gray 8, gray, LRCP, 2 layers'],
  ['open-end.jp2', '6 levels to 7x5, gray 8, gray, LRCP, 2 layers'],
  ['palette.jp2', '6 levels to 7x5, palette 8, srgb, LRCP, 1 layer'],
  ['plt.jp2', '6 levels to 7x5, rgb 8, srgb, RPCL, 2 layers, precincts of 64, PLT'],
  ['ppm.j2k', '4 levels to 26x20, tiles of 96x80, rgb 8, unknown, LRCP, 3 layers, precincts of 64'],
  ['ppt.j2k', '4 levels to 26x20, tiles of 96x80, rgb 8, unknown, LRCP, 3 layers, precincts of 64'],
  ['progression-changes.j2k', '6 levels to 7x5, rgb 8, unknown, LRCP, 2 layers'],
  ['progression-cprl.jp2', '4 levels to 26x20, tiles of 96x80, rgb 8, srgb, CPRL, 3 layers, precincts of 64'],
  ['progression-lrcp.jp2', '4 levels to 26x20, tiles of 96x80, rgb 8, srgb, LRCP, 3 layers, precincts of 64'],
  ['progression-pcrl.jp2', '4 levels to 26x20, tiles of 96x80, rgb 8, srgb, PCRL, 3 layers, precincts of 64'],
  ['progression-rlcp.jp2', '4 levels to 26x20, tiles of 96x80, rgb 8, srgb, RLCP, 3 layers, precincts of 64'],
  ['progression-rpcl.jp2', '4 levels to 26x20, tiles of 96x80, rgb 8, srgb, RPCL, 3 layers, precincts of 64'],
  ['resolution.jp2', '6 levels to 7x5, gray 8, gray, LRCP, 2 layers'],
  ['rgb-12.jp2', '6 levels to 7x5, rgb 12, srgb, LRCP, 2 layers'],
  ['rgb-16.jp2', '6 levels to 7x5, rgb 16, srgb, LRCP, 2 layers'],
  ['rgb-alpha.jp2', '6 levels to 7x5, rgb 8, srgb, alpha, LRCP, 2 layers'],
  ['signed.jp2', '6 levels to 7x5, rgb 8, srgb, LRCP, 2 layers'],
  ['small-blocks.jp2', '6 levels to 7x5, gray 8, gray, LRCP, 2 layers'],
  ['sop-eph.jp2', '4 levels to 26x20, tiles of 96x80, rgb 8, srgb, LRCP, 3 layers, precincts of 64'],
  ['sycc-420.jp2', '6 levels to 7x5, rgb 8, sycc, LRCP, 2 layers'],
  ['sycc-422.jp2', '6 levels to 7x5, rgb 8, sycc, LRCP, 2 layers'],
  ['sycc-444.jp2', '6 levels to 7x5, rgb 8, sycc, LRCP, 2 layers'],
  ['tile-offset.jp2', '4 levels to 25x20, tiles of 70x50, rgb 8, srgb, LRCP, 2 layers'],
  ['tile-parts.jp2', '4 levels to 26x20, tiles of 96x80, rgb 8, srgb, RLCP, 3 layers, precincts of 64'],
  ['tiled-lossless.jp2', '4 levels to 26x20, tiles of 64x64, rgb 8, srgb, LRCP, 1 layer'],
  ['tiled-lossy.j2k', '6 levels to 7x5, tiles of 128x64, rgb 8, unknown, LRCP, 2 layers'],
  ['tlm.jp2', '4 levels to 26x20, tiles of 64x64, rgb 8, srgb, LRCP, 2 layers'],
  ['untiled-lossless.jp2', '6 levels to 7x5, rgb 8, srgb, LRCP, 1 layer'],
  ['untiled-lossy.jp2', '6 levels to 7x5, rgb 8, srgb, LRCP, 2 layers'],
  ['upshift.jp2', '4 levels to 26x20, rgb 8, srgb, LRCP, 1 layer'],
];

describe('the header of', () => {
  it.each(files)('%s', async (name, facts) => {
    const { format, pages, truncated } = await readHeader(bufferSource(readFileSync(`${folder}${name}`)));
    expect([format, truncated, pages.length, outline(pages[0])]).toEqual(['jp2', undefined, 1, facts]);
  });
});

it('is tested of every file', () => {
  const names = readdirSync(folder).filter(isImageName);
  expect(names.sort()).toEqual(files.map(([name]) => name).sort());
});
