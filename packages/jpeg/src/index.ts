/** The package's API. */
export { codedPartOf, cropJpeg, type JpegHeader, pixelsOf, unitsAround } from './crop.ts';
export { cutJpeg } from './cut.ts';
export { type EighthPixels, eighthSteps } from './decode-eighth.ts';
export { decodeJpegPart } from './decode-part.ts';
export type { Rect, Size } from './geometry.ts';
export { type Scan, scanOf, unitsOf } from './scan.ts';
export { ScanPlaces } from './scan-places.ts';
export { type ReadBytes, readSlices } from './scan-rows.ts';
export { isFrame, type Segment, type Segments, segmentsOf } from './segments.ts';
export { noEnd, whyUnusable } from './tile-faults.ts';
export { jpegHeader, type TileSamples } from './tile-header.ts';
export { type StoredTile, upperRowsOf } from './upper-rows.ts';
export { isWholeJpeg, withPlainHeader } from './whole.ts';
export { zigzag } from './zigzag.ts';
