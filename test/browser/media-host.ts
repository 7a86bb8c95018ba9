/** A server of another library with sound and video, which answers ranges as players need them. */
import http from 'node:http';
import { parseByteRange } from '../../src/core/http/send.ts';

interface File {
  readonly type: string;
  readonly bytes: Buffer;
}

export interface MediaHost {
  readonly url: string;
  /** The ranges that were requested of each file. */
  readonly ranges: readonly string[];
  add(path: string, content: object | string | Buffer, type?: string): void;
  close(): Promise<void>;
}

function fileOf(content: object | string | Buffer, type = 'text/plain'): File {
  if (Buffer.isBuffer(content)) return { type, bytes: content };
  if (typeof content === 'string') return { type, bytes: Buffer.from(content) };
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(content)) };
}

export async function startMediaHost(): Promise<MediaHost> {
  const files = new Map<string, File>();
  const ranges: string[] = [];
  const server = http.createServer(({ url = '', headers }, response) => {
    const file = files.get(url);
    const shared = { 'access-control-allow-origin': '*', 'accept-ranges': 'bytes' };
    if (file === undefined) {
      response.writeHead(404, shared).end();
      return;
    }
    const { type, bytes } = file;
    const range = parseByteRange(headers.range, bytes.length);
    if (range.kind !== 'part') {
      response.writeHead(200, { ...shared, 'content-type': type, 'content-length': bytes.length }).end(bytes);
      return;
    }
    const { first, last } = range;
    ranges.push(`${url} ${first}`);
    response
      .writeHead(206, {
        ...shared,
        'content-type': type,
        'content-length': last + 1 - first,
        'content-range': `bytes ${first}-${last}/${bytes.length}`,
      })
      .end(bytes.subarray(first, last + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    ranges,
    add: (path, content, type) => {
      files.set(path, fileOf(content, type));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
