/** Writes an S3 inventory of the computed keys: gzipped CSV in parts, and its manifest. */
import { createWriteStream } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { digestOf, hasMetadata, metadataOf, modifiedMsOf, pagesInBook } from './keys.mjs';

/** As AWS cuts its inventories, some million rows are in a file. */
const rowsInFile = 2_000_000;
const rowsInChunk = 2000;

/** The bytes of an object, of which most are the one image. */
export function bytesOf(layout, index, image) {
  const book = Math.floor(index / pagesInBook);
  const isMetadata = layout.name === 'books' && index % pagesInBook === pagesInBook - 1 && hasMetadata(book);
  return isMetadata ? Buffer.from(metadataOf(book)) : image;
}

const encoded = (key) => encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+');

function* linesOf(bucket, layouts, image, from, to) {
  let start = 0;
  for (const layout of layouts) {
    const last = Math.min(to - start, layout.count);
    let lines = [];
    for (let index = Math.max(0, from - start); index < last; index++) {
      const { length } = bytesOf(layout, index, image);
      const date = new Date(modifiedMsOf(index)).toISOString();
      lines.push(
        `"${bucket}","${encoded(layout.prefix + layout.keyOf(index))}","${length}","${date}","${digestOf(index, layout)}"\n`,
      );
      if (lines.length < rowsInChunk) continue;
      yield lines.join('');
      lines = [];
    }
    if (lines.length > 0) yield lines.join('');
    start += layout.count;
  }
}

/** Returns the path of its manifest, and its bytes. */
export async function writeInventory(folder, { bucket, layouts, image, createdMs }) {
  await mkdir(path.join(folder, 'data'), { recursive: true });
  const total = layouts.reduce((sum, { count }) => sum + count, 0);
  const files = [];
  let bytes = 0;
  for (let from = 0; from < total; from += rowsInFile) {
    const name = `data/${String(files.length).padStart(4, '0')}.csv.gz`;
    const file = path.join(folder, name);
    const lines = linesOf(bucket, layouts, image, from, Math.min(total, from + rowsInFile));
    await pipeline(Readable.from(lines), createGzip({ level: 1 }), createWriteStream(file));
    const { size } = await stat(file);
    bytes += size;
    files.push({ key: name, size });
  }
  const manifest = path.join(folder, 'manifest.json');
  const head = { sourceBucket: bucket, destinationBucket: 'arn:aws:s3:::inventories', version: '2016-11-30' };
  const form = { fileFormat: 'CSV', fileSchema: 'Bucket, Key, Size, LastModifiedDate, ETag' };
  await writeFile(manifest, JSON.stringify({ ...head, creationTimestamp: String(createdMs), ...form, files }));
  return { manifest, bytes };
}
