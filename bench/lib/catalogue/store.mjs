/** An S3 store with one computed bucket, which counts what is asked of it. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { ComputedObjects } from './computed-objects.mjs';

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

function listing(objects, bucket, query) {
  const isEncoded = query.get('encoding-type') === 'url';
  const written = (name) => escaped(isEncoded ? encodeURIComponent(name).replaceAll('%2F', '/') : name);
  const startAfter = query.get('start-after');
  const { names, next } = objects.list({
    prefix: query.get('prefix') ?? '',
    from: query.get('continuation-token') ?? (startAfter === null ? '' : `${startAfter}\0`),
    max: Math.min(1000, Number(query.get('max-keys') ?? 1000)),
    delimiter: query.get('delimiter') === '/',
  });
  const entries = names.map((name) => {
    if (name.endsWith('/')) return `<CommonPrefixes><Prefix>${written(name)}</Prefix></CommonPrefixes>`;
    const { bytes, etag, modifiedMs } = objects.get(name);
    const facts = `<ETag>${escaped(etag)}</ETag><Size>${bytes.length}</Size>`;
    return `<Contents><Key>${written(name)}</Key><LastModified>${new Date(modifiedMs).toISOString()}</LastModified>${facts}</Contents>`;
  });
  const head = `<Name>${bucket}</Name><KeyCount>${names.length}</KeyCount><IsTruncated>${next !== undefined}</IsTruncated>`;
  const encoding = isEncoded ? '<EncodingType>url</EncodingType>' : '';
  const more = next === undefined ? '' : `<NextContinuationToken>${escaped(next)}</NextContinuationToken>`;
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>${head}${encoding}${more}${entries.join('')}</ListBucketResult>`;
}

function refuse(response, status, code) {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
}

/** Returns the number of bytes of the body. */
function send({ method, headers }, response, { bytes, etag, modifiedMs }) {
  const facts = { etag, 'last-modified': new Date(modifiedMs).toUTCString(), 'accept-ranges': 'bytes' };
  if (headers['if-match'] !== undefined && headers['if-match'] !== etag) {
    refuse(response, 412, 'PreconditionFailed');
    return 0;
  }
  if (headers['if-none-match'] === etag) {
    response.writeHead(304, facts).end();
    return 0;
  }
  const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '');
  const start = Number(range?.[1] ?? 0);
  if (range !== null && start >= bytes.length) {
    refuse(response, 416, 'InvalidRange');
    return 0;
  }
  const end = Math.min(bytes.length - 1, range?.[2] ? Number(range[2]) : Infinity);
  const body = bytes.subarray(start, end + 1);
  const contentRange = { 'content-range': `bytes ${start}-${end}/${bytes.length}` };
  response.writeHead(range === null ? 200 : 206, {
    ...facts,
    'content-length': body.length,
    ...(range && contentRange),
  });
  response.end(method === 'HEAD' ? undefined : body);
  return method === 'HEAD' ? 0 : body.length;
}

/**
 * @param {{ bucket: string, layouts: readonly import('./keys.mjs').Layout[], image: Buffer }} options
 */
export async function startStore({ bucket, layouts, image }) {
  const objects = new ComputedObjects(layouts, image);
  /** @type {string[]} */
  let requests = [];
  let sentBytes = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const [, ownBucket, ...names] = decodeURIComponent(pathname).split('/');
    const key = names.join('/');
    const isList = searchParams.get('list-type') === '2';
    requests.push(isList ? `LIST ${searchParams.get('prefix') ?? ''}` : `${request.method} ${key}`);
    const object = isList ? undefined : objects.get(key);
    if (ownBucket !== bucket) refuse(response, 404, 'NoSuchBucket');
    else if (isList) response.setHeader('content-type', 'application/xml').end(listing(objects, bucket, searchParams));
    else if (object === undefined) refuse(response, 404, 'NoSuchKey');
    else sentBytes += send(request, response, object);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('a server on a port has an address');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    objects,
    /** What was asked for since the last call, such as `LIST prefix` or `GET key`, and the bytes of objects that were sent. */
    take() {
      const taken = { requests, bytes: sentBytes };
      [requests, sentBytes] = [[], 0];
      return taken;
    },
    /** Puts an object, and returns it. @param {string} key @param {Buffer} bytes */
    put(key, bytes) {
      const object = { bytes, etag: `"${createHash('md5').update(bytes).digest('hex')}"`, modifiedMs: Date.now() };
      objects.change(key, object);
      return object;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
