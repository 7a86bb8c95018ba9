/** A running server for protocol tests: the whole app behind a socket, and requests that are sent unnormalized. */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createApp } from '../../src/app/app.ts';
import { readSettings } from '../../src/app/settings/configuration.ts';
import type { SettingsInput } from '../../src/app/settings/settings.ts';

const golden = (name: string): string => fileURLToPath(new URL(`../fixtures/golden/images/${name}`, import.meta.url));

/** The default base directories. */
export const goldenFolders: readonly string[] = [golden('hires'), golden('scaled')];

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface RunningApp {
  /** Scheme, host and port, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** The app’s log, a line of JSON each. */
  readonly logLines: readonly string[];
  /** Requests a path with its query, which is sent exactly as given. */
  get(path: string, options?: RequestOptions): Promise<ReceivedResponse>;
  /** Writes bytes (text as Latin-1) part by part, and reads until the end of the connection or the deadline. */
  raw(parts: string | Buffer | readonly (string | Buffer)[], deadlineMs?: number): Promise<string>;
  /** Has the app read other paths with their queries than those requested. */
  rewrite(rewritten: (target: string) => string): void;
  close(): Promise<void>;
}

function send(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions,
): Promise<ReceivedResponse> {
  const agent = new Agent({ keepAlive: false });
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function exchange(port: number, parts: readonly (string | Buffer)[], deadlineMs: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => socket.destroy(), deadlineMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
    socket.on('connect', async () => {
      socket.setNoDelay(true);
      for (const [index, part] of parts.entries()) {
        if (index > 0) await pause(30);
        if (!socket.writable) return;
        socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
      }
    });
  });
}

/** Starts the app on a free port with default settings and the golden images, apart from the overrides. */
export async function startApp(overrides: SettingsInput = {}): Promise<RunningApp> {
  const logLines: string[] = [];
  const documents = mkdtempSync(path.join(tmpdir(), 'lectern-documents-'));
  const logger = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) });
  const settings = readSettings(
    {
      index: { directory: false },
      cache: { directory: false },
      pyramids: { maxBytes: 0 },
      ...overrides,
      library: { folders: [...goldenFolders], ...overrides.library },
      http: { port: 0, ...overrides.http },
      render: { processes: 0, ...overrides.render },
      pdf: { directory: documents, ...overrides.pdf },
      dataSets: { directory: documents, ...overrides.dataSets },
      changes: { directory: path.join(documents, 'changes'), ...overrides.changes },
    },
    {},
    undefined,
  );
  const { server } = await createApp(settings, logger);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  const { port } = address;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    logLines,
    get: (path, options = {}) => send(port, path, options),
    raw: (parts, deadlineMs = 5000) =>
      exchange(port, typeof parts === 'string' || Buffer.isBuffer(parts) ? [parts] : parts, deadlineMs),
    rewrite: (rewritten) =>
      void server.server.prependListener('request', (request: IncomingMessage) => {
        request.url = rewritten(request.url ?? '');
      }),
    async close() {
      await server.close();
      rmSync(documents, { recursive: true, force: true });
    },
  };
}
