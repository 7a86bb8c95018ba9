/** What makes a JPEG 2000 file slow, as its headers say, and what an encoder has to do otherwise (docs/decisions/0015-jpeg-2000.md). */

import { type CodeStream, tileCounts, unitSide } from '@lectern/jpeg2000/model';
import type { Size } from '../model/geometry.ts';
import type { Resolution } from '../model/image-set.ts';

/** Smaller images are decoded fast, whatever their shape. */
const smallPixels = 4_000_000;

/** The sides of tiles that are neither decoded in vain nor too many for a view. */
const [minTileSide, maxTileSide] = [128, 1024];

/** A thumbnail is made of the smallest resolution; of more pixels it takes as long as ten tiles. */
const mostOverviewPixels = 1_000_000;

/** Code-blocks of fewer samples take longer to be found than to be decoded. */
const minBlockSamples = 1024;

/** Sides beyond which a part of a tile can't be decoded without most of the tile. */
const maxUnitSide = 4096;

const sizeText = ({ width, height }: Size): string => `${width} x ${height}`;
const megapixels = (pixels: number): string => `${Math.round(pixels / 1e5) / 10} megapixels`;

/** The tile, at most as large as the image. */
const tileOf = ({ tile, area }: CodeStream): Size => ({
  width: Math.min(tile.width, area.width),
  height: Math.min(tile.height, area.height),
});

const isUntiled = (codeStream: CodeStream): boolean => {
  const { columns, rows } = tileCounts(codeStream);
  return columns * rows === 1;
};

function tileFault(codeStream: CodeStream): string | undefined {
  const { packetLengths, precincts } = codeStream;
  const tile = tileOf(codeStream);
  if (isUntiled(codeStream)) {
    const hasPlaces = precincts !== undefined && packetLengths;
    return hasPlaces ? undefined : 'it has neither tiles nor precincts with PLT markers';
  }
  if (Math.max(tile.width, tile.height) > maxTileSide) return `its tiles of ${sizeText(tile)} are large`;
  return Math.min(tile.width, tile.height) < minTileSide
    ? `its tiles of ${sizeText(tile)} are so small that views and thumbnails take hundreds of them`
    : undefined;
}

function resolutionFault({ block, reductions, ...codeStream }: CodeStream, smallest: Size): string | undefined {
  const pixels = smallest.width * smallest.height;
  if (pixels > mostOverviewPixels) return `its smallest resolution has ${megapixels(pixels)}`;
  const tile = tileOf({ block, reductions, ...codeStream });
  const unit = unitSide(Math.max(block.width, block.height), reductions);
  const isDeep = unit > maxUnitSide && Math.max(tile.width, tile.height) > maxUnitSide;
  return isDeep
    ? `it has ${reductions + 1} resolutions, of which parts can be decoded only in areas of ${sizeText({ width: unit, height: unit })}`
    : undefined;
}

const blockFault = ({ block }: CodeStream): string | undefined =>
  block.width * block.height < minBlockSamples ? `its code-blocks have only ${sizeText(block)} samples` : undefined;

/** Why parts of a JPEG 2000 file are slow to decode: ends of a sentence; none where its shape is right, or it is small. */
export function slowShape({ jpeg2000, levels, width, height }: Resolution): readonly string[] {
  if (jpeg2000 === undefined || width * height <= smallPixels) return [];
  const { codeStream } = jpeg2000;
  const smallest = levels.at(-1) ?? levels[0];
  return [tileFault(codeStream), resolutionFault(codeStream, smallest), blockFault(codeStream)].filter(
    (fault) => fault !== undefined,
  );
}

/** The settings of encoders that make files of a good shape, a line for each. */
export const encoderSettings: readonly string[] = [
  'Encoders help by tiles of 512 or 1024 pixels or precincts of 256, 6 resolutions, code-blocks of 64 x 64, and PLT markers:',
  '  Kakadu: kdu_compress Stiles={512,512} Clevels=5 Cblk={64,64} Corder=RPCL ORGgen_plt=yes',
  '  OpenJPEG: opj_compress -t 512,512 -n 6 -b 64,64 -p RPCL -PLT',
  '  Grok: grk_compress -t 512,512 -n 6 -b 64,64 -p RPCL, with its option for PLT markers',
];
