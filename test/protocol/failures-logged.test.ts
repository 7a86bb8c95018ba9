/** What operators see of failures: one line with the reason, the request's id, and no repeats; never a token. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from './running-app.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly status?: number;
  readonly code?: string;
  readonly image?: string;
  readonly address?: string;
  readonly requestId?: string;
  readonly err?: { readonly message: string };
}

let folder: string;
let app: RunningApp;

const failuresIn = ({ logLines }: RunningApp): readonly Line[] =>
  logLines.map((line) => JSON.parse(line) as Line).filter(({ requestId }) => requestId !== undefined);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-failures-'));
  const noise = Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, index) => (index * 7919) % 251));
  const jpeg = await sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
    .jpeg()
    .toBuffer();
  writeFileSync(path.join(folder, 'half.jpg'), jpeg.subarray(0, jpeg.length / 2));
  writeFileSync(path.join(folder, 'whole.jpg'), jpeg);
  app = await startApp({ library: { folders: [folder] }, http: { trustedProxies: ['127.0.0.1'] } });
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

describe('a damaged file', () => {
  it('has one line in the log, however often and in whatever sizes and spellings it is requested', async () => {
    for (let index = 0; index < 60; index++) {
      const address =
        index % 2 === 0
          ? `/Scaler?fn=./half&dw=${50 + index}&id_token=s3cret`
          : `/iiif/3/half.jpg/full/${50 + index},/0/default.jpg`;
      expect((await app.get(address)).status).toBe(404);
    }
    const lines = failuresIn(app);
    expect(lines.length).toBeLessThanOrEqual(2);
    expect(lines[0]).toMatchObject({ status: 404, code: 'damaged' });
    expect(app.logLines.join('')).not.toContain('s3cret');
    expect(app.logLines.filter((line) => line.includes('half')).length).toBeLessThanOrEqual(3);
  });
});

describe('the id of a request', () => {
  const idOf = async (headers: Record<string, string> = {}, from = app): Promise<string> =>
    String((await from.get('/Scaler?fn=none&mo=errcode', { headers })).headers['x-request-id']);

  it('is in the header of errors, and different for each request', async () => {
    const ids = [await idOf(), await idOf()];
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[\w-]{8,24}$/);
  });

  it('is that of a trusted proxy where it is well-formed', async () => {
    expect(await idOf({ 'x-request-id': 'proxy-1/a:b' })).toBe('proxy-1/a:b');
    for (const malformed of ['a b', '"x"', 'x'.repeat(129), '']) {
      expect(await idOf({ 'x-request-id': malformed })).toMatch(/^[\w-]{8,24}$/);
    }
  });

  it('is not taken from anyone else', async () => {
    const open = await startApp({ library: { folders: [folder] } });
    expect(await idOf({ 'x-request-id': 'forged' }, open)).not.toBe('forged');
    await open.close();
  });
});

describe.skipIf(process.platform === 'win32')('a response of the server’s own failure', () => {
  it('503 for too many pictures is logged once with its reason, also when many come', async () => {
    const busy = await startApp({ library: { folders: [folder] }, render: { maxWaiting: 0 } });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => busy.get(`/Scaler?fn=whole&dw=${100 + index}&mo=errtxt`)),
    );
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(1);
    const lines = failuresIn(busy).filter(({ status }) => status === 503);
    expect(lines).toHaveLength(1);
    expect(refused.map(({ headers }) => headers['x-request-id'])).toContain(lines[0]?.requestId);
    expect(lines[0]).toMatchObject({ code: 'overloaded', image: 'whole' });
    expect(lines[0]?.address).toMatch(/^\/Scaler\?fn=whole/);
    await busy.close();
  });

  it('504 past the deadline is logged with its reason', async () => {
    // Less time than a render process takes to start.
    const slow = await startApp({
      library: { folders: [folder] },
      render: { processes: 1 },
      limits: { deadlineMs: 100 },
    });
    const { status, headers } = await slow.get('/iiif/3/whole.jpg/full/max/90/default.png');
    expect(status).toBe(504);
    expect(failuresIn(slow)).toMatchObject([
      { level: 40, status: 504, code: 'too-slow', image: 'whole.jpg', requestId: headers['x-request-id'] },
    ]);
    await slow.close();
  });
});
