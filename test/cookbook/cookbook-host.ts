/** A server on 127.0.0.1 with the documents of the cookbook, and what stands for the images and media of other hosts. */
import http from 'node:http';
import { parseByteRange } from '../../src/core/http/send.ts';
import { cookbookFiles, documentAt, readCookbookFile } from './cookbook-files.ts';
import { type Answer, OtherHosts } from './other-hosts.ts';

export interface CookbookHost {
  readonly url: string;
  readonly others: OtherHosts;
  /** The addresses that were requested, without queries. */
  readonly requested: readonly string[];
  /** Those of them that are not there. */
  readonly missing: readonly string[];
  close(): Promise<void>;
}

const typeOf = (name: string): string =>
  name.endsWith('.css') ? 'text/css' : name.endsWith('.vtt') ? 'text/vtt' : 'text/plain';

/** The whole, or the part that a player asks for. */
function send(response: http.ServerResponse, { type, bytes }: Answer, range: string | undefined): void {
  const shared = { 'access-control-allow-origin': '*', 'accept-ranges': 'bytes', 'content-type': type };
  const wanted = parseByteRange(range, bytes.length);
  if (wanted.kind !== 'part') {
    response.writeHead(200, { ...shared, 'content-length': bytes.length }).end(bytes);
    return;
  }
  const { first, last } = wanted;
  const part = { 'content-length': last + 1 - first, 'content-range': `bytes ${first}-${last}/${bytes.length}` };
  response.writeHead(206, { ...shared, ...part }).end(bytes.subarray(first, last + 1));
}

export async function startCookbookHost(): Promise<CookbookHost> {
  const documents = new Map<string, Answer>();
  const requested: string[] = [];
  const missing: string[] = [];
  let url = '';
  let others: OtherHosts | undefined;
  const server = http.createServer(({ url: target = '', headers }, response) => {
    // Pictures are named as recipes write them, with their queries.
    const address = others?.has(`${url}${target}`) ? `${url}${target}` : `${url}${decodeURIComponent(target)}`;
    requested.push(address);
    const known = documents.get(address.split('?')[0] ?? '');
    void (known === undefined ? others?.answer(address) : Promise.resolve(known))?.then((answer) => {
      if (answer !== undefined) return send(response, answer, headers.range);
      missing.push(address);
      response.writeHead(404, { 'access-control-allow-origin': '*' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  others = new OtherHosts(url);
  for (const name of cookbookFiles()) {
    const bytes = name.endsWith('.json')
      ? Buffer.from(JSON.stringify(others.adopt(documentAt(name, url))))
      : readCookbookFile(name);
    documents.set(`${url}/${name}`, { type: name.endsWith('.json') ? 'application/json' : typeOf(name), bytes });
  }
  return {
    url,
    others,
    requested,
    missing,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
