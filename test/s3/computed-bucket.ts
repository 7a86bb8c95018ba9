/** An object store with one bucket of any number of keys in one folder, computed from the keys, that counts what is asked of it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ComputedBucketOptions {
  readonly bucket: string;
  /** What precedes the names of all keys. */
  readonly prefix: string;
  /** The number of images. */
  readonly images: number;
  /** The name of an image; names grow with the index, in ASCII. */
  readonly nameOf: (index: number) => string;
  readonly bytes: Buffer;
  /** Further objects by their keys. */
  readonly others?: Readonly<Record<string, Buffer>>;
  /** Whether the key has the right to list the bucket. */
  readonly mayList?: boolean;
}

export interface ComputedBucket {
  readonly endpoint: string;
  /** What was asked for since the last call: `LIST prefix`, `GET key` or `HEAD key`, in any order. */
  takeRequests(): readonly string[];
  /** Number of bytes of objects that were sent since the last call. */
  takeBytes(): number;
  close(): Promise<void>;
}

const etag = '"0123456789abcdef0123456789abcdef"';
const modified = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

/** The first index whose key is not before another one. */
function indexOf(key: string, { prefix, images, nameOf }: ComputedBucketOptions, isBehind = false): number {
  let [from, to] = [0, images];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const own = prefix + nameOf(middle);
    if (own < key || (isBehind && own === key)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Up to this number of keys below a prefix, behind a key. */
function keysBelow(prefix: string, after: string, max: number, options: ComputedBucketOptions): readonly string[] {
  const others = Object.keys(options.others ?? {}).filter((key) => key.startsWith(prefix) && key > after);
  const keys: string[] = [];
  const first = after > prefix ? indexOf(after, options, true) : indexOf(prefix, options);
  for (let index = first; index < options.images && index - first <= max; index++) {
    const key = options.prefix + options.nameOf(index);
    if (!key.startsWith(prefix)) break;
    keys.push(key);
  }
  return [...keys, ...others].sort();
}

function listing(query: URLSearchParams, options: ComputedBucketOptions): string {
  const prefix = query.get('prefix') ?? '';
  const max = Number(query.get('max-keys') ?? 1000);
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const found: string[] = [];
  let isTruncated = false;
  let last = after;
  for (const key of keysBelow(prefix, after, max, options)) {
    const slash = query.get('delimiter') === '/' ? key.indexOf('/', prefix.length) : -1;
    const name = slash < 0 ? key : key.slice(0, slash + 1);
    if (found.at(-1) === name || after.startsWith(`${name}\u{ffff}`)) continue;
    if (found.length === max) {
      isTruncated = true;
      break;
    }
    found.push(name);
    last = slash < 0 ? key : `${name}\u{ffff}`;
  }
  const entries = found.map((key) =>
    key.endsWith('/')
      ? `<CommonPrefixes><Prefix>${escaped(key)}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${escaped(key)}</Key><LastModified>${modified.toISOString()}</LastModified>` +
        `<ETag>${escaped(etag)}</ETag><Size>${(options.others?.[key] ?? options.bytes).length}</Size></Contents>`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>${options.bucket}</Name><IsTruncated>${isTruncated}</IsTruncated>` +
    `${isTruncated ? `<NextContinuationToken>${escaped(last)}</NextContinuationToken>` : ''}${entries.join('')}</ListBucketResult>`
  );
}

function objectOf(key: string, options: ComputedBucketOptions): Buffer | undefined {
  const other = options.others?.[key];
  if (other !== undefined) return other;
  const index = indexOf(key, options);
  return index < options.images && options.prefix + options.nameOf(index) === key ? options.bytes : undefined;
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
}

/** Returns the number of bytes of the body. */
function send({ method, headers }: IncomingMessage, response: ServerResponse, bytes: Buffer): number {
  const facts = { etag, 'last-modified': modified.toUTCString() };
  if (headers['if-none-match'] === etag) {
    response.writeHead(304, facts).end();
    return 0;
  }
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '');
  if (range !== null && bytes.length === 0) {
    refuse(response, 416, 'InvalidRange');
    return 0;
  }
  const [start, end] = range === null ? [0, bytes.length - 1] : [Number(range[1]), Number(range[2])];
  const body = bytes.subarray(start, end + 1);
  response.writeHead(range === null ? 200 : 206, {
    ...facts,
    'content-length': body.length,
    ...(range !== null && { 'content-range': `bytes ${start}-${start + body.length - 1}/${bytes.length}` }),
  });
  response.end(method === 'HEAD' ? undefined : body);
  return method === 'HEAD' ? 0 : body.length;
}

export async function startComputedBucket(options: ComputedBucketOptions): Promise<ComputedBucket> {
  const { bucket, mayList = true } = options;
  let requests: string[] = [];
  let sentBytes = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const key = decodeURIComponent(pathname).slice(bucket.length + 2);
    if (searchParams.get('list-type') === '2') {
      requests.push(`LIST ${searchParams.get('prefix') ?? ''}`);
      if (!mayList) return refuse(response, 403, 'AccessDenied');
      response.setHeader('content-type', 'application/xml').end(listing(searchParams, options));
      return;
    }
    requests.push(`${request.method} ${key}`);
    const bytes = objectOf(key, options);
    if (bytes !== undefined) sentBytes += send(request, response, bytes);
    // Who may not list the bucket does not learn which keys are missing.
    else if (mayList) refuse(response, 404, 'NoSuchKey');
    else refuse(response, 403, 'AccessDenied');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    takeBytes() {
      const taken = sentBytes;
      sentBytes = 0;
      return taken;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
