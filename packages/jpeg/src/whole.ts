/** Tells whether the coded data of a JPEG reach to the end of its image, without decoding them. */
import { endOfImage, fileHeaderOf, isOneOf, isOneScan, marker } from './file-header.ts';
import { dataAtOf, hasHole, holeBytes, mayHaveHole, zeros } from './holes.ts';
import { type Scan, scanOf, unitsOf } from './scan.ts';
import { ScanPlaces } from './scan-places.ts';

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

/**
 * Position of the coded data of a file that has all of them in one sequential scan with Huffman codes, by its first bytes. Undefined for other
 * files, and where the header is longer or unusual.
 */
export function sequentialDataAt(start: Buffer): number | undefined {
  const header = fileHeaderOf(start);
  return header && isOneScan(header) && isOneOf(marker.sequential, header.frame) ? dataAtOf(header.scan) : undefined;
}

/**
 * Whether a stream with a plain header may lack data though libjpeg does not warn: it has a hole, or is not coded in one sequential scan with
 * Huffman codes.
 */
export function mayLackData(stream: Buffer): boolean {
  const dataAt = sequentialDataAt(stream);
  if (dataAt === undefined) return true;
  const end = stream.indexOf(endOfImage, dataAt);
  return mayHaveHole(stream.subarray(dataAt, end === -1 ? stream.length : end));
}

/** Whether a file ends in zeros, with no end marker before, as a copy does that reserved its space first and was not finished. */
export function endsInHole(stream: Buffer): boolean {
  const header = fileHeaderOf(stream);
  if (header === undefined || !stream.subarray(-holeBytes).equals(zeros)) return false;
  return stream.indexOf(endOfImage, header.scan.at) === -1;
}

/** More bytes than encoders leave behind the last unit, unless these are padding. */
const maxBytesBehind = 16;

/** Whether there are data between the last unit and the next marker: plain blocks of a hole are more than it had before. */
function hasDataBehind(stream: Buffer, at: number): boolean {
  let end = stream.indexOf(marker.start, at);
  while (end !== -1 && stream[end + 1] === 0) end = stream.indexOf(marker.start, end + 2);
  const behind = stream.subarray(at, end === -1 ? stream.length : end);
  return behind.length > maxBytesBehind && behind.some((byte) => byte !== behind.at(-1));
}

/** The position behind the last unit of the image; undefined where the coded data do not reach to it. */
function endOfUnits(stream: Buffer, scan: Scan): number | undefined {
  const { height } = unitsOf(scan);
  const places = new ScanPlaces(scan, stream.length);
  const steps = places.steps(height);
  let step = steps.next();
  while (!step.done) step = steps.next(stream.subarray(step.value.at, step.value.at + step.value.bytes));
  if (!step.value) return undefined;
  const { at, bit } = places.before(height, 0);
  // A byte of 255 has a 0 behind it.
  return bit === 0 ? at : at + (stream[at] === marker.start ? 2 : 1);
}

/**
 * Whether a stream with a plain header has the data of all of its pixels, without a hole of zeros; undefined where only a decoder can tell:
 * several scans, arithmetic coding, four colors. Takes about 4 ns for each byte.
 */
export function isWholeJpeg(stream: Buffer): boolean | undefined {
  const scan = scanOf(stream);
  if (typeof scan === 'string') return hasHole(stream) ? false : undefined;
  const end = endOfUnits(stream, scan);
  if (end === undefined) return false;
  const hole = stream.subarray(0, end).indexOf(zeros, scan.dataAt);
  return hole === -1 || !(hasHole(stream) || hasDataBehind(stream, end));
}
