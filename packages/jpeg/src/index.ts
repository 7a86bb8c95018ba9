/** The package's API. */
export { isFrame, type Segment, type Segments, segmentsOf } from './segments.ts';
