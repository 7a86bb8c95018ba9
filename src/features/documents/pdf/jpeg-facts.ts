/** What a PDF has to say of a JPEG file that it contains as it is: read from the segments before the first scan. */
import type { Size } from '../../../core/image/model/geometry.ts';

export interface JpegFacts extends Size {
  /** 1 for gray, 3 for colors, 4 for printing inks. */
  readonly components: 1 | 3 | 4;
  /** Whether Adobe's segment is there: programs that write it store the inks inverted. */
  readonly adobe: boolean;
  /** The ICC profile, where all of it is there and it is for as many components. */
  readonly profile?: Buffer;
}

/** Baseline, extended and progressive DCT with Huffman coding: the processes of the PDF filter DCTDecode (ISO 32000-1, 7.4.8). */
const frames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
const isOtherFrame = (code: number): boolean => code >= 0xc3 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code);
const isBare = (code: number): boolean => code === 0x01 || (code >= 0xd0 && code <= 0xd8);

interface Found {
  frame?: Buffer;
  adobe: boolean;
  /** The parts of the profile by their number, from 1. */
  readonly profile: Map<number, Buffer>;
  profileParts: number;
}

const profileName = 'ICC_PROFILE\0';

function addSegment(code: number, body: Buffer, found: Found): void {
  if (frames.has(code)) found.frame ??= body;
  else if (code === 0xee && body.toString('latin1', 0, 5) === 'Adobe') found.adobe = true;
  else if (code === 0xe2 && body.length > 14 && body.toString('latin1', 0, 12) === profileName) {
    found.profile.set(body.readUInt8(12), body.subarray(14));
    found.profileParts = body.readUInt8(13);
  }
}

/** Reads the segments up to the first scan; false where they are damaged or of a kind that PDF does not know. */
function readSegments(bytes: Buffer, found: Found): boolean {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return false;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return false;
    const code = bytes.readUInt8(at + 1);
    if (code === 0xff) at += 1;
    else if (isBare(code)) at += 2;
    else if (code === 0xda) return true;
    else if (isOtherFrame(code) || code === 0xd9) return false;
    else {
      const length = bytes.readUInt16BE(at + 2);
      if (length < 2 || at + 2 + length > bytes.length) return false;
      addSegment(code, bytes.subarray(at + 4, at + 2 + length), found);
      at += 2 + length;
    }
  }
  return false;
}

const colorSpaces: Readonly<Record<number, string>> = { 1: 'GRAY', 3: 'RGB ', 4: 'CMYK' };

/** A profile that does not describe these components would make the document unreadable, so that it is left out. */
function wholeProfile({ profile, profileParts }: Found, components: number): Buffer | undefined {
  if (profileParts === 0 || profile.size !== profileParts) return undefined;
  const parts = Array.from({ length: profileParts }, (_, index) => profile.get(index + 1));
  if (!parts.every((part) => part !== undefined)) return undefined;
  const whole = Buffer.concat(parts);
  const isUsable =
    whole.length >= 128 &&
    whole.readUInt32BE(0) === whole.length &&
    whole.toString('latin1', 36, 40) === 'acsp' &&
    whole.toString('latin1', 16, 20) === colorSpaces[components] &&
    // PDF/A-2 knows the classes of devices, and versions up to 4 (ISO 19005-2, 6.2.4.2).
    ['scnr', 'mntr', 'prtr', 'spac'].includes(whole.toString('latin1', 12, 16)) &&
    whole.readUInt8(8) <= 4;
  return isUsable ? whole : undefined;
}

/** The facts of a JPEG file; undefined where a PDF can't contain it as it is. */
export function jpegFacts(bytes: Buffer): JpegFacts | undefined {
  const found: Found = { adobe: false, profile: new Map(), profileParts: 0 };
  if (!readSegments(bytes, found) || found.frame === undefined || found.frame.length < 6) return undefined;
  const { frame, adobe } = found;
  const components = frame.readUInt8(5);
  const [width, height] = [frame.readUInt16BE(3), frame.readUInt16BE(1)];
  if (frame.readUInt8(0) !== 8 || width === 0 || height === 0) return undefined;
  if (components !== 1 && components !== 3 && components !== 4) return undefined;
  const profile = wholeProfile(found, components);
  return { width, height, components, adobe, ...(profile && { profile }) };
}
