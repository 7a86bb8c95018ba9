/** A proxy for tests, which forwards requests to a server and modifies requests and responses by the test’s rules. */
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Passed {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ProxyRules {
  /** Replaces path and query of the forwarded request. */
  readonly path?: (path: string) => string;
  /** Replaces the headers of the forwarded request; undefined ones are left out. */
  readonly headers?: (headers: IncomingHttpHeaders) => OutgoingHttpHeaders;
  readonly method?: (method: string) => string;
  /** The status with which the proxy responds itself; undefined to forward the request. */
  readonly refuses?: (method: string, path: string) => number | undefined;
  /** Replaces the response to the client. */
  readonly answer?: (passed: Passed, path: string) => Passed;
}

export interface Proxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts it on a free port. By default it forwards everything unchanged, with the Host header of the client. */
export async function startProxy(port: number, rules: ProxyRules = {}): Promise<Proxy> {
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    const method = incoming.method ?? 'GET';
    const refused = rules.refuses?.(method, path);
    if (refused !== undefined) {
      outgoing.writeHead(refused, { 'content-type': 'text/html' }).end('<h1>refused</h1>');
      return;
    }
    const given = rules.headers?.(incoming.headers) ?? incoming.headers;
    const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const target = {
      host: '127.0.0.1',
      port,
      method: rules.method?.(method) ?? method,
      path: rules.path?.(path) ?? path,
      headers,
      agent: false as const,
    };
    const passing = request(target, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const passed = { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
        const answer = rules.answer?.(passed, path) ?? passed;
        const { 'transfer-encoding': _, connection: __, ...headers } = answer.headers;
        const length = method === 'HEAD' || answer.status === 304 ? {} : { 'content-length': answer.body.length };
        outgoing.writeHead(answer.status, { ...headers, ...length }).end(method === 'HEAD' ? undefined : answer.body);
      });
    });
    passing.on('error', () => outgoing.writeHead(502).end());
    passing.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
