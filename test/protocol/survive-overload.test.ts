/** More large pictures than can be made in time: they are refused at once, and cheap ones go on (survive.md, "Load and faults"). */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goldenFolders, type RunningApp, startApp } from './running-app.ts';

const deadlineMs = 8000;

/** Generous: a loaded machine sends answers late. */
const slackMs = 3000;

interface Answered {
  readonly status: number;
  readonly ms: number;
  readonly retryAfter: string | undefined;
  readonly bytes: number;
}

describe('a client that requests 200 full-size pictures', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-overload-'));
  let app: RunningApp;

  beforeAll(async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
    const scan = sharp({ create: { width: 4800, height: 3600, channels: 3, background: 'gray', noise } });
    await scan.jpeg({ quality: 90 }).toFile(path.join(folder, 'large.jpg'));
    const [golden = ''] = goldenFolders;
    copyFileSync(path.join(golden, 'photos/land3000x2000.jpg'), path.join(folder, 'small.jpg'));
    app = await startApp({
      library: { folders: [folder] },
      http: { trustedProxies: ['127.0.0.1'] },
      render: { processes: 2 },
      limits: { deadlineMs },
    });
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  async function get(address: string, client: string): Promise<Answered> {
    const began = performance.now();
    const { status, headers, body } = await app.get(address, { headers: { 'X-Forwarded-For': client } });
    return { status, ms: performance.now() - began, retryAfter: headers['retry-after'], bytes: body.length };
  }

  const full = (index: number): Promise<Answered> =>
    get(`/iiif/3/large.jpg/full/${4700 - index},/0/default.jpg`, '192.0.2.1');
  const thumbnail = (index: number): string => `/Scaler?fn=small&dw=${100 + index}&mo=errtxt`;
  const tile = (index: number): string => `/iiif/3/small.jpg/${index * 64},0,256,256/256,/0/default.jpg`;

  it('gets those that can be made in time, and learns at once that others can’t, while another gets thumbnails and tiles', async () => {
    expect((await get(thumbnail(0), '192.0.2.2')).status).toBe(200);
    const many = Array.from({ length: 200 }, (_, index) => full(index));
    const cheap: Answered[] = [];
    for (let index = 1; index <= 20; index++) {
      cheap.push(await get(thumbnail(index), '192.0.2.2'), await get(tile(index), '192.0.2.2'));
    }
    const answers = await Promise.all(many);
    expect(new Set(cheap.map(({ status }) => status))).toEqual(new Set([200]));
    expect(Math.max(...cheap.map(({ ms }) => ms))).toBeLessThan(deadlineMs);

    expect(answers.filter(({ status }) => ![200, 503, 504].includes(status))).toEqual([]);
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(deadlineMs + slackMs);
    const refused = answers.filter(({ status }) => status === 503);
    for (const { retryAfter } of refused) expect(retryAfter).toMatch(/^[1-9]\d*$/);
    const atOnce = refused.filter(({ ms }) => ms < deadlineMs / 2);
    expect(atOnce.length).toBeGreaterThan(80);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(3);
  });

  it('leaves a place to another client that requests one', async () => {
    const many = Array.from({ length: 30 }, (_, index) => full(index + 200));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const one = await get('/iiif/3/large.jpg/full/2000,/0/default.jpg', '192.0.2.3');
    expect(one.status).toBe(200);
    await Promise.all(many);
  });
});
