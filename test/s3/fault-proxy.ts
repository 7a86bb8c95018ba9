/** A proxy before an object store that counts requests, and delays, cuts, falsifies or refuses answers. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to each request. */
export type Fault =
  | { readonly kind: 'none'; readonly delayMs?: number }
  /** No answer at all. */
  | { readonly kind: 'stalled' }
  /** The head of the answer, and then a byte every second. */
  | { readonly kind: 'slow-body' }
  /** Half of the body, and then the end of the connection. */
  | { readonly kind: 'cut' }
  /** The whole object, whatever was asked for. */
  | { readonly kind: 'ignored-range' }
  /** A body of another length than was asked for, whose head says so. */
  | { readonly kind: 'wrong-length' }
  /** Bytes of another version, whose head says so. */
  | { readonly kind: 'other-etag' }
  /** Of each answer, this many bytes a second. */
  | { readonly kind: 'slow'; readonly bytesPerSecond: number }
  /** The end of the connection, and no answer. */
  | { readonly kind: 'reset' }
  /** `only` is a part of the addresses that it concerns. */
  | { readonly kind: 'status'; readonly status: number; readonly only?: string };

export interface FaultProxy {
  readonly endpoint: string;
  fault: Fault;
  /** Requests since the last call, each as its method and what is asked for. */
  takeRequests(): readonly string[];
  /** Bytes of the bodies of answers since the last call. */
  takeBytes(): number;
  /** What was put: the path of each object that the store took since the start, once for each time. */
  readonly stored: readonly string[];
  close(): Promise<void>;
}

/** Whether an answer says that an object was put: at once, or by the end of an upload in parts. */
function hasStored({ method, url = '' }: IncomingMessage, { statusCode }: IncomingMessage): boolean {
  const isInParts = url.includes('uploadId=');
  return statusCode === 200 && (method === 'PUT' ? !isInParts : method === 'POST' && isInParts);
}

interface Passing {
  readonly fault: Fault;
  readonly onStored: (path: string) => void;
  readonly onBody: (bytes: number) => void;
}

function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  target: number,
  { fault, onStored, onBody }: Passing,
): void {
  const headers = { ...incoming.headers };
  if (fault.kind === 'ignored-range') delete headers.range;
  const upstream = request(
    // Swift sends a body after the answer to HEAD of a missing object, which would harm the next answer.
    { host: '127.0.0.1', port: target, method: incoming.method, path: incoming.url, headers, agent: false },
    (answer) => {
      const chunks: Buffer[] = [];
      if (hasStored(incoming, answer)) onStored((incoming.url ?? '').replace(/\?.*$/, ''));
      if (incoming.method === 'HEAD') return send(response, answer, Buffer.alloc(0), fault);
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        onBody(chunk.length);
      });
      answer.on('end', () => send(response, answer, Buffer.concat(chunks), fault));
    },
  );
  upstream.on('error', () => response.headersSent || response.destroy());
  // A store that refuses a request says so before it reads the body, which is not sent then.
  if (headers.expect === undefined) incoming.pipe(upstream);
  else
    upstream.on('continue', () => {
      response.writeContinue();
      incoming.pipe(upstream);
    });
  // A store may answer before it has read the body, and not read it then; the client sends all of it nevertheless.
  response.on('finish', () => {
    incoming.unpipe(upstream);
    incoming.resume();
  });
}

function send(response: ServerResponse, answer: IncomingMessage, body: Buffer, fault: Fault): void {
  const headers = { ...answer.headers };
  if (fault.kind === 'other-etag') headers.etag = '"00000000000000000000000000000000"';
  if (fault.kind === 'wrong-length') {
    const short = body.subarray(0, body.length >> 1);
    response.writeHead(answer.statusCode ?? 500, { ...headers, 'content-length': String(short.length) });
    response.end(short);
    return;
  }
  response.writeHead(answer.statusCode ?? 500, headers);
  if (fault.kind === 'cut') {
    response.write(body.subarray(0, body.length >> 1), () => response.destroy());
  } else if (fault.kind === 'slow-body') {
    let at = 0;
    const timer = setInterval(() => response.write(body.subarray(at, ++at)), 1000);
    response.on('close', () => clearInterval(timer));
  } else if (fault.kind === 'slow') sendSlowly(response, body, fault.bytesPerSecond);
  else response.end(body);
}

function sendSlowly(response: ServerResponse, body: Buffer, bytesPerSecond: number): void {
  const startMs = performance.now();
  let at = 0;
  const timer = setInterval(() => {
    const to = Math.floor(((performance.now() - startMs) / 1000) * bytesPerSecond);
    response.write(body.subarray(at, to));
    at = to;
    if (at >= body.length) response.end();
  }, 25);
  response.on('close', () => clearInterval(timer));
}

export async function startFaultProxy(target: number): Promise<FaultProxy> {
  let requests: string[] = [];
  let bytes = 0;
  const onBody = (length: number): void => {
    bytes += length;
  };
  const stored: string[] = [];
  const answer = (incoming: IncomingMessage, response: ServerResponse): void => {
    const { fault } = proxy;
    const { range = '', 'if-none-match': known } = incoming.headers;
    requests.push(`${incoming.method} ${incoming.url} ${known === undefined ? range : 'If-None-Match'}`.trim());
    if (fault.kind === 'stalled') return;
    if (fault.kind === 'reset') return void incoming.socket.destroy();
    if (fault.kind === 'status' && (fault.only === undefined || incoming.url?.includes(fault.only))) {
      response.writeHead(fault.status, { 'content-type': 'application/xml' });
      response.end('<?xml version="1.0"?><Error><Code>InternalError</Code><Message>no</Message></Error>');
      return;
    }
    const delayMs = fault.kind === 'none' ? (fault.delayMs ?? 0) : 0;
    const passing = { fault, onStored: (path: string) => stored.push(path), onBody };
    setTimeout(() => pass(incoming, response, target, passing), delayMs);
  };
  const server = createServer(answer).on('checkContinue', answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: FaultProxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: { kind: 'none' },
    stored,
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    takeBytes() {
      const taken = bytes;
      bytes = 0;
      return taken;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
