/** The files of the reading room as the build left them, compressed forms included; read once at the start. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { tagOf } from '../../core/http/representation.ts';

/** The codings of files, the shortest first. */
const codings = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof codings)[number];

export interface WebAsset {
  readonly mediaType: string;
  /** Of the uncompressed bytes. */
  readonly etag: string;
  /** The codings that the file can be sent in; the first is the shortest. */
  readonly codings: readonly Coding[];
  bytesIn(coding: Coding): Buffer;
}

export interface WebAssets {
  /** The page, and the one that is shown inside of other pages; undefined where the reading room was not built. */
  readonly page: string | undefined;
  readonly embedded: string | undefined;
  /** The files that pages load, by their names below `room/`: a name changes with the content. */
  readonly assets: ReadonlyMap<string, WebAsset>;
  /** The script by which other pages show the viewer; undefined where it was not built. */
  readonly element: WebAsset | undefined;
}

/** The name of that script, which never changes. */
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

/** What the build adds to a file's name for each coding (scripts/compress-assets.mjs). */
const extensions = { br: '.br', gzip: '.gz' } as const;

const isCompressed = (name: string): boolean => /\.(?:br|gz)$/.test(name);

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function readAsset(file: string): WebAsset | undefined {
  const identity = readIfThere(file);
  if (identity === undefined) return undefined;
  const mediaType = mediaTypes[path.extname(file)] ?? 'application/octet-stream';
  const forms = { br: readIfThere(file + extensions.br), gzip: readIfThere(file + extensions.gzip), identity };
  return {
    mediaType,
    etag: tagOf(mediaType, identity),
    codings: codings.filter((coding) => forms[coding] !== undefined),
    bytesIn: (coding) => forms[coding] ?? identity,
  };
}

/** A file that does not come from the build, with its name below `room/`. */
export interface NamedAsset {
  readonly name: string;
  readonly asset: WebAsset;
}

/** The logo of the site; its name changes with its content, so that clients may cache it forever. */
export function logoAsset({ bytes, mediaType }: { readonly bytes: Buffer; readonly mediaType: string }): NamedAsset {
  const etag = tagOf(mediaType, bytes);
  const extension = mediaType.replace(/^image\/|\+xml$/g, '');
  const asset: WebAsset = { mediaType, etag, codings: ['identity'], bytesIn: () => bytes };
  return { name: `logo-${etag.replace(/\W/g, '').slice(0, 12)}.${extension}`, asset };
}

/** A typeface of the site. */
export function typefaceAsset(bytes: Buffer): NamedAsset {
  const mediaType = 'font/woff2';
  const etag = tagOf(mediaType, bytes);
  const asset: WebAsset = { mediaType, etag, codings: ['identity'], bytesIn: () => bytes };
  return { name: `typeface-${etag.replace(/\W/g, '').slice(0, 12)}.woff2`, asset };
}

function namesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !isCompressed(entry.name))
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
  } catch {
    return [];
  }
}

/** Reads what the build left in a folder; without a build there is no page. */
export function readWebAssets(folder: string): WebAssets {
  const hashed = path.join(folder, 'room');
  const assets = namesIn(hashed).flatMap((name): [string, WebAsset][] => {
    const asset = readAsset(path.join(hashed, name));
    return asset === undefined ? [] : [[name, asset]];
  });
  const page = readIfThere(path.join(folder, 'index.html'))?.toString('utf8');
  return {
    page,
    embedded: readIfThere(path.join(folder, 'embed.html'))?.toString('utf8') ?? page,
    assets: new Map(assets),
    element: readAsset(path.join(folder, elementName)),
  };
}
