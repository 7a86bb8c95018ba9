/** What the reading room is built of: read once at the start, compressed once when it is asked for first. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { tagOf } from './send-document.ts';

/** How a file may be written on the way. */
export type Coding = 'br' | 'gzip' | 'identity';

export interface WebAsset {
  readonly mediaType: string;
  /** Equal for equal bytes; of the file as it is, whatever it is written in. */
  readonly etag: string;
  /** How the file can be written; the first is the shortest. */
  readonly codings: readonly Coding[];
  bytesIn(coding: Coding): Promise<Buffer>;
}

export interface WebAssets {
  /** The page, and the one that is shown inside of other pages; undefined where the reading room was not built. */
  readonly page: string | undefined;
  readonly embedded: string | undefined;
  /** The parts that pages load, by their names below `room/`: these change with what is in them. */
  readonly assets: ReadonlyMap<string, WebAsset>;
  /** The script by which other pages show the viewer; undefined where it was not built. */
  readonly element: WebAsset | undefined;
}

/** The name of the script, which never changes. */
export const elementName = 'lectern-viewer.js';

const text = 'charset=utf-8';

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': `text/javascript; ${text}`,
  '.css': `text/css; ${text}`,
  '.svg': 'image/svg+xml',
  '.json': `application/json; ${text}`,
  '.txt': `text/plain; ${text}`,
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Media types of which less is sent when it is compressed. */
const isCompressible = (mediaType: string): boolean => !/^(?:image\/png|font|application\/octet)/.test(mediaType);

const compress: Readonly<Record<Exclude<Coding, 'identity'>, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

function fileOf(name: string, bytes: Buffer): WebAsset {
  const mediaType = mediaTypes[path.extname(name)] ?? 'application/octet-stream';
  const made = new Map<Coding, Promise<Buffer>>();
  return {
    mediaType,
    etag: tagOf(mediaType, bytes),
    codings: isCompressible(mediaType) ? ['br', 'gzip', 'identity'] : ['identity'],
    bytesIn(coding) {
      const known = made.get(coding);
      if (known !== undefined) return known;
      const making = coding === 'identity' ? Promise.resolve(bytes) : compress[coding](bytes);
      made.set(coding, making);
      return making;
    },
  };
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
  } catch {
    return [];
  }
}

/** Reads what the build left in a folder; where there was no build, a room without a page. */
export function readWebAssets(folder: string): WebAssets {
  const parts = path.join(folder, 'room');
  const assets = namesIn(parts).flatMap((name): [string, WebAsset][] => {
    const bytes = readIfThere(path.join(parts, name));
    return bytes === undefined ? [] : [[name, fileOf(name, bytes)]];
  });
  const page = readIfThere(path.join(folder, 'index.html'))?.toString('utf8');
  const element = readIfThere(path.join(folder, elementName));
  return {
    page,
    embedded: readIfThere(path.join(folder, 'embed.html'))?.toString('utf8') ?? page,
    assets: new Map(assets),
    element: element && fileOf(elementName, element),
  };
}
