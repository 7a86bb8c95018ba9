import http from 'node:http';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { readSettings, type SettingsInput } from '../../src/config/settings.ts';

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

export interface RunningApp {
  readonly url: string;
  readonly port: number;
  /** The lines of the log so far, each a JSON object as text. */
  readonly logLines: readonly string[];
  /** Sends the path byte for byte, never normalized. */
  get(path: string, options?: Ask): Promise<Answer>;
  close(): Promise<void>;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });

function send(port: number, path: string, { method = 'GET', headers = {}, body }: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.setTimeout(20_000, () => request.destroy(new Error(`no answer to ${path} in 20 s`)));
    request.on('error', reject);
    request.end(body);
  });
}

/** The real app on a free port of this machine, with the settings that a test gives. */
export async function startApp(settings: SettingsInput): Promise<RunningApp> {
  const logLines: string[] = [];
  const log = new Writable({
    write(chunk, _encoding, done) {
      logLines.push(...String(chunk).trim().split('\n'));
      done();
    },
  });
  const complete = readSettings({ port: 0, ...settings }, {}, undefined);
  const server = createApp(complete, pino({ level: complete.logLevel }, log));
  await server.listen({ port: 0, host: '127.0.0.1' });
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    logLines,
    get: (path, options = {}) => send(port, path, options),
    close: () => server.close(),
  };
}
