/** The package's API. */
export { cutJpeg } from './crop.ts';
export { decodeJpegPart } from './decode-part.ts';
export { holeBytes, mayHaveHole } from './holes.ts';
export { joinJpegs } from './join.ts';
export { lacksScans, withZerosBehind, type ZerosBehind } from './missing-data.ts';
export type { Rect, Size } from './scan.ts';
export type { ReadBytes } from './scan-places.ts';
export { isFrame, type Segment, type Segments, segmentsOf } from './segments.ts';
export { type Crop, openSequentialJpeg, type SequentialJpeg } from './sequential-jpeg.ts';
export { jpegHeader, noEnd, type TileSamples, whyUnusable } from './tile.ts';
export { endsInHole, isWholeJpeg, mayLackData, sequentialDataAt, withPlainHeader } from './whole.ts';
