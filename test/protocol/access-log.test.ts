/** The access log: a line for each request whoever answers it, without tokens, and only where it is wished. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type AccessEntry, formatEntry } from '../../src/core/http/access-log.ts';
import { type RunningApp, startApp } from './running-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-access-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Entry {
  readonly address: string;
  readonly kind: string;
  readonly status: number;
  readonly cache?: string;
  readonly bytes: number;
  readonly ms: number;
  readonly client: string;
  readonly requestId: string;
}

/** The lines of a log, once it has the given number of them. */
async function linesOf(file: string, count: number): Promise<readonly string[]> {
  for (let waitedMs = 0; ; waitedMs += 100) {
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    if (lines.length >= count || waitedMs > 10_000) return lines;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const startLogging = (name: string, format: 'json' | 'combined'): Promise<RunningApp> =>
  startApp({ http: { trustedProxies: ['127.0.0.1'] }, accessLog: { file: path.join(folder, name), format } });

describe('the access log', () => {
  it('has a line of JSON for each request, those of the fast path too', async () => {
    const app = await startLogging('json.log', 'json');
    const headers = { 'x-forwarded-for': '10.1.2.3', 'x-request-id': 'proxy-7' };
    const picture = await app.get('/Scaler?fn=photos/land3000x2000&dw=90', { headers });
    await app.get('/Scaler?fn=photos/land3000x2000&dw=90');
    await app.get('/Scaler?fn=photos/land3000x2000&dw=90', {
      headers: { 'if-none-match': String(picture.headers.etag) },
    });
    await app.get('/api/dlInfo-json.jsp?fn=photos/land3000x2000');
    await app.get('/iiif/3/photos!land3000x2000.jpg/info.json');
    await app.get('/iiif/3/none/full/max/0/default.jpg');
    await app.get('/elsewhere', { method: 'POST' });
    const entries = (await linesOf(path.join(folder, 'json.log'), 7)).map((line) => JSON.parse(line) as Entry);
    expect(entries.map(({ kind, status, cache }) => [kind, status, cache])).toEqual([
      ['picture', 200, 'made'],
      ['picture', 200, 'hit'],
      ['picture', 304, undefined],
      ['info-object', 200, undefined],
      ['info-json', 200, undefined],
      ['picture', 404, undefined],
      ['other', 405, undefined],
    ]);
    expect(entries[0]).toMatchObject({ client: '10.1.2.3', requestId: 'proxy-7' });
    const [first, second] = entries;
    for (const { bytes, ms } of [first, second] as Entry[]) {
      expect(bytes).toBeGreaterThan(picture.body.length);
      expect(bytes).toBeLessThan(picture.body.length + 1000);
      expect(ms).toBeGreaterThan(0);
    }
    await app.close();
  });

  it('holds no token, and no line that a client made up', async () => {
    const app = await startLogging('combined.log', 'combined');
    await app.get('/Scaler?fn=a&ID_Token=s3cret&dw=1', {
      headers: {
        authorization: 'Bearer s3cret',
        cookie: 'id_token=s3cret',
        referer: 'https://site.example/?id_token=s3cret',
        'user-agent': 'agent "quoted" \\ end',
      },
    });
    await app.get('/Scaler?fn=%0d%0a10.0.0.1%20-%20forged');
    const lines = await linesOf(path.join(folder, 'combined.log'), 2);
    expect(lines).toHaveLength(2);
    expect(lines.join('\n')).not.toContain('s3cret');
    for (const line of lines) {
      expect(line).toMatch(
        /^127\.0\.0\.1 - - \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET \/Scaler\?[!-~]* HTTP\/1\.1" 404 \d+ "[^"]*" "[^"]*"$/,
      );
    }
    expect(lines[0]).toContain('"agent \\x22quoted\\x22 \\x5c end"');
    await app.close();
  });

  it('says 499 where the client went away', async () => {
    const app = await startLogging('gone.log', 'json');
    const socket = connect(app.port, '127.0.0.1');
    socket.write('GET /iiif/3/photos!land3000x2000.jpg/full/max/12/default.png HTTP/1.1\r\nHost: a\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    const [line = '{}'] = await linesOf(path.join(folder, 'gone.log'), 1);
    expect(JSON.parse(line)).toMatchObject({ status: 499, kind: 'picture' });
    await app.close();
  });

  it('is a line whatever the headers hold', () => {
    const entry: AccessEntry = {
      atMs: 0,
      requestId: 'r',
      client: '::1',
      method: 'GET',
      address: '/a"\r\nb\u2028',
      httpVersion: '1.1',
      status: 200,
      bytes: 1,
      ms: 1,
      kind: 'other',
      userAgent: '\u001b[2J\nforged',
    };
    for (const format of [formatEntry.json, formatEntry.combined])
      expect(format(entry).match(/[\r\n]/g)).toEqual(['\n']);
  });
});
