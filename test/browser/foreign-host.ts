/** A server that plays another library: manifests of both versions, image services of versions 1 to 3, level 0, and annotations. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';

export const imageSize = { width: 1200, height: 900 } as const;

/** The center of the red dot of each image, in pixels, and its radius. */
export const dot = { x: 300, y: 630, radius: 40 } as const;

/** The background of each image, by its name. */
export const backgrounds = {
  one: '#c8e0c8',
  two: '#c8c8e8',
  old: '#e8d8b8',
  static: '#d0e8e8',
  plain: '#e8c8e0',
  closed: '#d8d8d8',
} as const;

export type ImageName = keyof typeof backgrounds;

const picture = (name: ImageName): Sharp => {
  const { width, height } = imageSize;
  const background = `<rect width="100%" height="100%" fill="${backgrounds[name]}"/>`;
  const circle = `<circle cx="${dot.x}" cy="${dot.y}" r="${dot.radius}" fill="#f00"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${background}${circle}</svg>`;
  return sharp(Buffer.from(svg)).removeAlpha();
};

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: Buffer | string;
}

const json = (value: unknown): Answer => ({ type: 'application/json', body: JSON.stringify(value) });

/** The sizes of requests: `max`, `full`, `w,`, `w,h`, `!w,h`. */
function widthIn(size: string, full: number): number {
  const [width = ''] = size.replace('!', '').split(',');
  return width === 'max' || width === 'full' ? full : Number(width);
}

async function region(name: ImageName, part: string, size: string): Promise<Answer> {
  const { width, height } = imageSize;
  const [left = 0, top = 0, wide = width, high = height] = part === 'full' ? [] : part.split(',').map(Number);
  const body = await sharp(await picture(name).png().toBuffer())
    .extract({ left, top, width: Math.min(wide, width - left), height: Math.min(high, height - top) })
    .resize({ width: widthIn(size, wide) })
    .png()
    .toBuffer();
  return { type: 'image/png', body };
}

const infos = {
  1: (id: string) => ({
    '@context': 'http://library.stanford.edu/iiif/image-api/1.1/context.json',
    '@id': id,
    ...imageSize,
    scale_factors: [1, 2, 4],
    tile_width: 256,
    tile_height: 256,
    formats: ['jpg'],
    qualities: ['native'],
    profile: 'http://library.stanford.edu/iiif/image-api/1.1/compliance.html#level1',
  }),
  2: (id: string) => ({
    '@context': 'http://iiif.io/api/image/2/context.json',
    '@id': id,
    protocol: 'http://iiif.io/api/image',
    ...imageSize,
    tiles: [{ width: 256, scaleFactors: [1, 2, 4] }],
    profile: ['http://iiif.io/api/image/2/level1.json', { supports: ['sizeByW'] }],
  }),
  3: (id: string) => ({
    '@context': 'http://iiif.io/api/image/3/context.json',
    id,
    type: 'ImageService3',
    protocol: 'http://iiif.io/api/image',
    profile: 'level2',
    ...imageSize,
    tiles: [{ width: 256, height: 256, scaleFactors: [1, 2, 4] }],
  }),
} as const;

/** The files of a static image service, as `sharp` writes them. */
async function writeStatic(folder: string, url: string): Promise<void> {
  await sharp(await picture('static').png().toBuffer())
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .tile({ size: 256, layout: 'iiif3', id: url })
    .toFile(path.join(folder, 'static'));
}

export interface ForeignHost {
  /** Scheme, host and port. */
  readonly url: string;
  /** All paths that were requested. */
  readonly requested: readonly string[];
  /** Those of them that are not there. */
  readonly missing: readonly string[];
  /** Adds a document, which other sites may read; below `/closed/` they may not. */
  add(path: string, value: unknown): void;
  close(): Promise<void>;
}

async function imageAnswer(url: string, target: string): Promise<Answer | undefined> {
  const [, version, name, rest = ''] = /^\/iiif\/([123])\/(\w+)\/(.+)$/.exec(target) ?? [];
  if (version === undefined) return undefined;
  if (rest === 'info.json') return json(infos[version as unknown as 1 | 2 | 3](`${url}/iiif/${version}/${name}`));
  const [part = '', size = ''] = rest.split('/');
  return region(name as ImageName, part, size);
}

export async function startForeignHost(): Promise<ForeignHost> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-foreign-'));
  const documents = new Map<string, unknown>();
  const requested: string[] = [];
  const missing: string[] = [];
  let url = '';
  const answerFor = async (target: string): Promise<Answer> => {
    const document = documents.get(target);
    if (document !== undefined) return typeof document === 'string' ? { body: document } : json(document);
    const [, name] = /^\/(?:closed\/)?pictures\/(\w+)\.png$/.exec(target) ?? [];
    if (name !== undefined)
      return {
        type: 'image/png',
        body: await picture(name as ImageName)
          .png()
          .toBuffer(),
      };
    const image = await imageAnswer(url, target);
    if (image !== undefined) return image;
    const file = path.join(folder, target);
    return { type: target.endsWith('.json') ? 'application/json' : 'image/jpeg', body: readFileSync(file) };
  };
  const server = http.createServer((request, response) => {
    const target = decodeURIComponent((request.url ?? '').split('?')[0] ?? '');
    requested.push(target);
    const shared = target.startsWith('/closed/') ? {} : { 'access-control-allow-origin': '*' };
    answerFor(target).then(
      ({ status = 200, type = 'text/plain', body }) =>
        response.writeHead(status, { 'content-type': type, ...shared }).end(body),
      () => {
        missing.push(target);
        response.writeHead(404, shared).end('nothing here');
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  await writeStatic(folder, url);
  return {
    url,
    requested,
    missing,
    add: (at, value) => {
      documents.set(at, value);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
