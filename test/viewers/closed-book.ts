/** A library of which others see a part, whose images show by their colors which of them is on the screen. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { hashPassword } from '../../src/features/sign-in/passwords.ts';
import { startApp } from '../protocol/running-app.ts';
import { type HttpsFront, startHttpsFront } from '../sign-in/https-front.ts';

export const [width, height] = [1600, 1200];

/** Stripes of one pixel, which are gray on any smaller image, beside red and blue. */
async function stripes(): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      if (x < width / 4) data.set([230, 0, 0], at);
      else if (x >= (3 * width) / 4) data.set([0, 0, 230], at);
      else data.fill(x % 2 === 0 ? 0 : 255, at, at + 3);
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

export interface ClosedBook {
  /** Scheme, host and port, by HTTPS. */
  readonly url: string;
  readonly front: HttpsFront;
  close(): Promise<void>;
}

/**
 * Starts a server: `tiered` is small for everyone, `known` too, with the size of the whole, and `closed` closed. Anna sees all, with the
 * password “secret”.
 */
export async function startClosedBook(): Promise<ClosedBook> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-closed-book-'));
  const library = path.join(folder, 'scans');
  for (const name of ['tiered', 'known', 'closed']) {
    mkdirSync(path.join(library, name), { recursive: true });
    for (const page of ['p1.png', 'p2.png']) writeFileSync(path.join(library, name, page), await stripes());
  }
  const keysFile = path.join(folder, 'keys');
  writeFileSync(keysFile, randomBytes(32).toString('base64url'));
  const app = await startApp({
    library: { folders: [library] },
    http: { trustedProxies: ['127.0.0.1'] },
    readingRoom: { name: 'The Library' },
    access: {
      tiers: [
        { name: 'known', maxSide: 400, wholeInfo: true },
        { name: 'small', maxSide: 400 },
      ],
      paths: [
        { path: 'tiered', roles: ['members'], everyone: 'small' },
        { path: 'known', roles: ['members'], everyone: 'known' },
        { path: 'closed', roles: ['members'] },
      ],
    },
    signIn: {
      keysFile,
      crossSite: true,
      users: [{ name: 'anna', password: await hashPassword('secret'), roles: ['members'] }],
    },
  });
  const front = await startHttpsFront(app.port);
  return {
    url: front.url,
    front,
    async close() {
      await front.close();
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
