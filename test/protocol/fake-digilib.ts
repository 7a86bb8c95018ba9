/** A fake digilib: it answers like digilib 2.x from the golden files, with error pictures with status 200. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';

const golden = fileURLToPath(new URL('../fixtures/golden/', import.meta.url));

/** A file of the golden library. */
export const goldenImage = (name: string): string => path.join(golden, 'images/hires', name);

interface Case {
  readonly request: string;
  readonly status: number | readonly number[];
  readonly contentType?: string;
  readonly json?: Readonly<Record<string, unknown>>;
}

const cases = new Map(
  readdirSync(path.join(golden, 'cases'))
    .flatMap((name) => JSON.parse(readFileSync(path.join(golden, 'cases', name), 'utf8')) as Case[])
    .map((one) => [one.request.replace(/^GET /, ''), one]),
);

export interface FakeAnswer {
  readonly status?: number;
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `hang`: never responds; `cut`: closes the connection without a response. */
export type FakeRoute = FakeAnswer | 'hang' | 'cut' | ((target: string) => Promise<FakeAnswer>);

export interface FakeDigilib {
  /** The base address with the context path. */
  readonly base: string;
  /** The method and target of each request. */
  readonly received: readonly string[];
  close(): Promise<void>;
}

export const json = (value: unknown): FakeAnswer => ({
  type: 'application/json;charset=UTF-8',
  body: typeof value === 'string' ? value : JSON.stringify(value),
});

export const xml = (body: string): FakeAnswer => ({ type: 'text/xml;charset=UTF-8', body: `\n\n${body}` });

/** A picture as digilib would make it: the source at this size. */
export const scaled =
  (name: string, width: number, height: number, change: (picture: Sharp) => Sharp = (picture) => picture) =>
  async (): Promise<FakeAnswer> => ({
    type: 'image/jpeg',
    body: await change(sharp(goldenImage(name)).resize(width, height, { fit: 'fill' }))
      .jpeg()
      .toBuffer(),
  });

const plainMembers = cases.get('/api/dlInfo-json.jsp?')?.json ?? {};

/** An info object like digilib’s: no query in the address, the container's values, nothing of the image. */
export const infoObject = (
  members: Readonly<Record<string, unknown>>,
  facts: Readonly<Record<string, string>> = {},
): FakeAnswer =>
  json({
    ...plainMembers,
    ...members,
    ...{ 'img.fn': '', 'img.dpix': '0', 'img.dpiy': '0', 'img.pix_x': '0', 'img.pix_y': '0' },
    ...facts,
    'base.url': 'http://digilib.example/digilib/api/dlInfo-json.jsp',
    'servlet.request': 'org.apache.catalina.connector.RequestFacade@1a2b3c',
  });

const errorPicture = sharp({ create: { width: 80, height: 60, channels: 3, background: '#fff' } })
  .png()
  .toBuffer();

/** digilib sends the true status only with mo=errcode. */
async function errorAnswer(target: string, status: number): Promise<FakeAnswer> {
  if (target.includes('errcode')) return { status, type: 'text/html', body: 'error' };
  if (target.includes('errtxt')) return { type: 'text/plain', body: 'ERROR: no image file' };
  return { type: 'image/png', body: await errorPicture };
}

async function recorded(target: string): Promise<FakeAnswer> {
  const found = cases.get(target);
  const [path = ''] = target.split('?');
  if (path === '/api/dlInfo-json.jsp' && found?.json) return infoObject(found.json);
  if (found?.json) return json(found.json);
  if (path.startsWith('/Scaler') && !path.startsWith('/Scaler/IIIF')) {
    return errorAnswer(target, typeof found?.status === 'number' ? found.status : 404);
  }
  return { status: 404, type: 'text/html', body: '<h1>HTTP Status 404</h1>' };
}

function send(response: ServerResponse, { status = 200, type, body, headers = {} }: FakeAnswer): void {
  response.writeHead(status, { 'content-type': type, ...headers }).end(body);
}

/** Starts it with routes of the test's own, which take precedence over the recorded responses; their keys are whole targets. */
export async function startFakeDigilib(
  routes: Readonly<Record<string, FakeRoute>> = {},
  contextPath = '/digilib',
): Promise<FakeDigilib> {
  const received: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push(`${request.method} ${request.url}`);
    const target = (request.url ?? '').slice(contextPath.length);
    const route = routes[target] ?? (await recorded(target));
    if (route === 'hang') return;
    if (route === 'cut') request.socket.destroy();
    else send(response, typeof route === 'function' ? await route(target) : route);
  };
  const server: Server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${contextPath}`;
  return {
    base,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
