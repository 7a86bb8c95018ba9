/** Reads the header of a JPEG 2000 file, with boxes around its code-stream (JP2, JPX, JPH) or without (ISO 15444-1). */
import { type Boxes, readBoxes, type SamplesPerMeter } from './boxes.ts';
import { type ByteSource, required } from './bytes.ts';
import { type ColorKind, resolveColor } from './color.ts';
import { isCutShort, readCodeStream } from './main-header.ts';
import type { CodeStream, Jpeg2000, StoredBytes } from './model.ts';

export interface Jpeg2000Header extends Jpeg2000 {
  /** What the samples of the colors are. */
  readonly kind: ColorKind;
  /** Bits of the widest channel of the colors. */
  readonly bits: number;
  /** The resolution at which the image was captured, else that at which it is to be shown. */
  readonly resolution?: SamplesPerMeter;
  /** The EXIF block. */
  readonly exif?: StoredBytes;
  /** Whether the file ends before its code-stream does, or the code-stream ends in zeros that were never written. */
  readonly isTruncated: boolean;
}

/** Reads a header; that of a file of gigabytes takes a few reads. Rejects with Jpeg2000Error `damaged` where it is no readable image. */
export async function readHeader(source: ByteSource): Promise<Jpeg2000Header> {
  const isBare = (await source.read(0, 2)).equals(Buffer.of(0xff, 0x4f));
  const boxes: Boxes = isBare ? bare(source) : await readBoxes(source);
  const box = required(boxes.codeStream, 'The JPEG 2000 file ends or breaks before its code-stream.');
  const codeStream = await readCodeStream(box.body, box.at);
  const { color, stored: kind, bits } = resolveColor(boxes, codeStream);
  const { capture, display, exif } = boxes;
  const resolution = capture ?? display;
  const isTruncated = box.isCutOff || (await isCutShort(box.body, codeStream, box.isOpen ? 'unknown' : 'known'));
  return {
    mediaType: mediaTypeOf(boxes, codeStream, isBare),
    codeStream,
    color,
    kind,
    bits,
    ...(resolution && { resolution }),
    ...(exif && { exif }),
    isTruncated,
  };
}

/** JPX and JPH by their brands; High-Throughput code-streams also count as JPH in a file that says JP2. */
function mediaTypeOf({ brand }: Boxes, { highThroughput }: CodeStream, isBare: boolean): Jpeg2000['mediaType'] {
  if (isBare) return highThroughput ? 'image/jphc' : 'image/j2c';
  return brand === 'jpx ' ? 'image/jpx' : brand === 'jph ' || highThroughput ? 'image/jph' : 'image/jp2';
}

const bare = (source: ByteSource): Boxes => ({
  count: 0,
  codeStream: { type: 'jp2c', body: source, at: 0, isCutOff: false, isOpen: true },
});
