/** Tells whether the coded data of a JPEG reach to the end of its image, without decoding them. */
import { type Scan, scanOf, unitsOf } from './scan.ts';
import { ScanPlaces } from './scan-places.ts';

const marker = { start: 0xff, scan: 0xda, sequential: [0xc0, 0xc1] } as const;

const isApplication = (code: number): boolean => code >= 0xe0 && code <= 0xef;

/**
 * The stream with a header that libjpeg does not warn about: without bytes between segments and without those of
 * applications, and with the parameters of a sequential scan that it assumes. Undefined where there is no scan.
 */
export function withPlainHeader(stream: Buffer): Buffer | undefined {
  const parts = [stream.subarray(0, 2)];
  let isSequential = false;
  for (let at = 2; at + 4 <= stream.length; ) {
    const code = stream[at + 1] ?? 0;
    if (stream[at] !== marker.start || code === 0 || code === marker.start) {
      at++;
      continue;
    }
    const end = at + 2 + stream.readUInt16BE(at + 2);
    const segment = Buffer.from(stream.subarray(at, end));
    if (!isApplication(code)) parts.push(segment);
    isSequential ||= marker.sequential.some((sequential) => sequential === code);
    if (code === marker.scan) {
      if (isSequential && segment.length > 5) segment.set([0, 63, 0], segment.length - 3);
      return Buffer.concat([...parts, stream.subarray(end)]);
    }
    at = end;
  }
  return undefined;
}

/** Whether the coded data of the scan reach to the last unit of the image. */
function reachesEnd(stream: Buffer, scan: Scan): boolean {
  const steps = new ScanPlaces(scan, stream.length).steps(unitsOf(scan).height);
  let step = steps.next();
  while (!step.done) step = steps.next(stream.subarray(step.value.at, step.value.at + step.value.bytes));
  return step.value;
}

/**
 * Whether a stream with a plain header has the data of all of its pixels; undefined where only a decoder can tell: several
 * scans, arithmetic coding, four colors. Takes about 4 ns for each byte.
 */
export function isWholeJpeg(stream: Buffer): boolean | undefined {
  const scan = scanOf(stream);
  return typeof scan === 'string' ? undefined : reachesEnd(stream, scan);
}
