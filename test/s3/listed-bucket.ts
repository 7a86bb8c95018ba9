/** An object store that has one bucket with a folder of very many keys, which no store takes in within the time of a test. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListedBucket {
  readonly endpoint: string;
  /** Pages of listings since the last call. */
  takePages(): number;
  close(): Promise<void>;
}

export interface ListedBucketOptions {
  readonly bucket: string;
  /** Of the folder `scans`, named `p000000.jpg` and so on; each has the same bytes. */
  readonly keys: number;
  readonly bytes: Buffer;
  /** Until each answer begins, in ms. */
  readonly delayMs: number;
}

const etag = '"0123456789abcdef0123456789abcdef"';
const nameOf = (index: number): string => `scans/p${String(index).padStart(6, '0')}.jpg`;

/** A page of ListObjectsV2 as XML. */
function pageOf(query: URLSearchParams, { bucket, keys, bytes }: ListedBucketOptions): string {
  const from = Number(query.get('continuation-token') ?? 0);
  const prefix = query.get('prefix') ?? '';
  const isFolder = prefix === 'scans/';
  // The keys that begin with a name are those of one image.
  const named = Array.from({ length: isFolder ? 0 : keys }, (_, index) => index).find(
    (index) => prefix !== '' && nameOf(index).startsWith(prefix),
  );
  const to = isFolder ? Math.min(keys, from + Number(query.get('max-keys') ?? 1000)) : 0;
  const indexes = isFolder ? Array.from({ length: to - from }, (_, index) => from + index) : [named ?? []].flat();
  const contents = indexes.map(
    (index) =>
      `<Contents><Key>${nameOf(index)}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified>` +
      `<ETag>${etag.replaceAll('"', '&quot;')}</ETag><Size>${bytes.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  );
  const folders = query.get('prefix') === '' ? '<CommonPrefixes><Prefix>scans/</Prefix></CommonPrefixes>' : '';
  const isTruncated = isFolder && to < keys;
  return (
    `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name>` +
    `<IsTruncated>${isTruncated}</IsTruncated>${isTruncated ? `<NextContinuationToken>${to}</NextContinuationToken>` : ''}` +
    `${contents.join('')}${folders}</ListBucketResult>`
  );
}

export async function startListedBucket(options: ListedBucketOptions): Promise<ListedBucket> {
  const { bytes, delayMs } = options;
  let pages = 0;
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    setTimeout(() => {
      if (searchParams.get('list-type') === '2') {
        pages++;
        response.setHeader('content-type', 'application/xml').end(pageOf(searchParams, options));
        return;
      }
      if (!/\/p\d{6}\.jpg$/.test(request.url?.replace(/\?.*/, '') ?? '')) {
        response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error><Code>NoSuchKey</Code></Error>');
        return;
      }
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
      const [start, end] =
        range === null ? [0, bytes.length - 1] : [Number(range[1]), Math.min(bytes.length - 1, Number(range[2]))];
      const body = bytes.subarray(start, end + 1);
      response.writeHead(range === null ? 200 : 206, {
        etag,
        'content-length': body.length,
        ...(range !== null && { 'content-range': `bytes ${start}-${end}/${bytes.length}` }),
      });
      response.end(body);
    }, delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takePages() {
      const taken = pages;
      pages = 0;
      return taken;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
