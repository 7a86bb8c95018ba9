/** What the header of a file of sound or video tells: its length and the size of its picture. Reads no more than some parts of it. */
import type { MediaFacts, MediaSource } from './media-source.ts';
import { readMp4 } from './mp4.ts';
import { readFlac, readMp3, readOgg, readWav } from './sound.ts';
import { readWebm } from './webm.ts';

type Reader = (source: MediaSource) => Promise<MediaFacts | undefined>;

const readers: Readonly<Record<string, Reader>> = {
  mp3: readMp3,
  m4a: readMp4,
  mp4: readMp4,
  ogg: readOgg,
  flac: readFlac,
  wav: readWav,
  webm: readWebm,
};

/** A longer file is damaged, or what was read is no header. */
const longestSeconds = 7 * 86_400;

/** How often a file is read, and how many bytes of it: more would be a damaged file, or one that leads in circles. */
export const [mostReads, mostBytes] = [400, 4 * 1024 * 1024];

class TooMuch extends Error {}

function bounded({ bytes, read }: MediaSource): MediaSource {
  let [reads, taken] = [0, 0];
  return {
    bytes,
    read(at, length) {
      reads += 1;
      taken += length;
      if (reads > mostReads || taken > mostBytes) throw new TooMuch();
      return at < 0 || at >= bytes || length <= 0 ? Promise.resolve(Buffer.alloc(0)) : read(at, length);
    },
  };
}

const isUsable = ({ duration, width = 1, height = 1 }: MediaFacts): boolean =>
  duration > 0 && duration <= longestSeconds && width > 0 && height > 0 && width <= 65_535 && height <= 65_535;

/** Undefined for a file that is none of its format, or is damaged. Rejects where the file can't be read. */
export async function readMediaFacts(extension: string, source: MediaSource): Promise<MediaFacts | undefined> {
  try {
    const facts = await readers[extension]?.(bounded(source));
    return facts !== undefined && isUsable(facts) ? facts : undefined;
  } catch (error) {
    if (error instanceof TooMuch || error instanceof RangeError) return undefined;
    throw error;
  }
}
