/** Reads ZIP files by their central directory, as programs do that unpack them. */
import { crc32, inflateRawSync } from 'node:zlib';

/** The entries by their names, in their order. Throws where an entry is damaged. */
export function readZip(file: Buffer): ReadonlyMap<string, Buffer> {
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('this is no ZIP file');
  const entries = new Map<string, Buffer>();
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    const [method, crc, size] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 16), file.readUInt32LE(at + 20)];
    const nameLength = file.readUInt16LE(at + 28);
    const name = file.toString('utf8', at + 46, at + 46 + nameLength);
    const local = file.readUInt32LE(at + 42);
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const stored = file.subarray(start, start + size);
    const content = method === 8 ? inflateRawSync(stored) : stored;
    if (crc32(content) !== crc) throw new Error(`${name} is damaged`);
    if (entries.has(name)) throw new Error(`${name} is there twice`);
    entries.set(name, content);
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return entries;
}
