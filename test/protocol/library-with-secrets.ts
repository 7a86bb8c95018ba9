/** A temporary library with secrets outside of its root, and tables of all endpoints, for the tests of survive.md. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

/** The context path of the servers. */
export const base = '/digilib';

export interface Color {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

export const blue: Color = { r: 0, g: 60, b: 200 };
export const red: Color = { r: 220, g: 20, b: 20 };

/** The bytes of a picture of one color. A PNG is stored without compression, so that equal sizes have equal lengths. */
export function picture(format: 'jpeg' | 'png', width = 60, height = 40, background: Color = blue): Promise<Buffer> {
  const image = sharp({ create: { width, height, channels: 3, background } });
  return (format === 'jpeg' ? image.jpeg() : image.png({ compressionLevel: 0 })).toBuffer();
}

export interface LibraryWithSecrets {
  /** The parent folder of the root, which contains the secrets. */
  readonly outside: string;
  readonly root: string;
  readonly in: (...names: readonly string[]) => string;
  readonly write: (name: string, bytes: Buffer | string) => void;
  readonly link: (target: string, name: string) => void;
  readonly fifo: (name: string) => void;
  readonly remove: () => void;
}

/** A library with `plain.jpg` and `folder/inside.jpg`; `secret.jpg` lies above it, and in its sibling `lib-secret`. */
export async function makeLibrary(): Promise<LibraryWithSecrets> {
  const outside = realpathSync(mkdtempSync(path.join(tmpdir(), 'lectern-survive-')));
  const root = path.join(outside, 'lib');
  const inside = (...names: readonly string[]): string => path.join(root, ...names);
  const write = (name: string, bytes: Buffer | string): void => {
    mkdirSync(path.dirname(inside(name)), { recursive: true });
    writeFileSync(inside(name), bytes);
  };
  const secret = await picture('jpeg', 77, 33, red);
  mkdirSync(path.join(outside, 'lib-secret'));
  for (const name of ['secret.jpg', 'lib-secret/secret.jpg']) writeFileSync(path.join(outside, name), secret);
  const plain = await picture('jpeg');
  write('plain.jpg', plain);
  write('folder/inside.jpg', plain);
  return {
    outside,
    root,
    in: inside,
    write,
    link: (target, name) => symlinkSync(target, inside(name)),
    fifo: (name) => void execFileSync('mkfifo', [inside(name)]),
    remove: () => rmSync(outside, { recursive: true, force: true }),
  };
}

export interface ServedLibrary {
  readonly library: LibraryWithSecrets;
  readonly app: RunningApp;
}

/** Serves a new library at the context path for the tests of a file; `prepare` adds files before the server starts. */
export function serveLibrary(
  settings: SettingsInput = {},
  prepare: (library: LibraryWithSecrets) => Promise<void> = async () => undefined,
): ServedLibrary {
  let library: LibraryWithSecrets;
  let app: RunningApp;
  beforeAll(async () => {
    library = await makeLibrary();
    await prepare(library);
    app = await startApp({ library: { folders: [library.root] }, http: { contextPath: base }, ...settings });
  });
  afterAll(async () => {
    await app.close();
    library.remove();
  });
  return {
    get library() {
      return library;
    },
    get app() {
      return app;
    },
  };
}

/** The status of a response that was read as text; 0 if there is none. */
export const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);

/** Expects that the server still answers within a second. */
export async function expectResponsive(app: RunningApp): Promise<void> {
  const start = performance.now();
  expect((await app.get(`${base}/Scaler?fn=plain.jpg&dw=20`)).status).toBe(200);
  expect(performance.now() - start).toBeLessThan(1000);
}

type NamedAddress = readonly [label: string, address: (encoded: string) => string];

/** info.json with the name's slashes as `%2F`, a picture with them as `!`; only version 1 has the quality `native`. */
function iiifAddresses(prefix: string): readonly NamedAddress[] {
  const quality = prefix === 'iiif/1' ? 'native' : 'default';
  return [
    [`${prefix} info.json`, (name) => `${base}/${prefix}/${name.replaceAll('/', '%2F')}/info.json`],
    [`${prefix} picture`, (name) => `${base}/${prefix}/${name.replaceAll('/', '!')}/full/20,/0/${quality}.jpg`],
  ];
}

/** The addresses of an image by its name, which is inserted unchanged, percent-encoding included. */
export const imageAddresses: readonly NamedAddress[] = [
  ['Scaler', (name) => `${base}/Scaler?fn=${name}&dw=20`],
  ['Scaler for the original', (name) => `${base}/Scaler?fn=${name}&mo=file`],
  ['Scaler with semicolons', (name) => `${base}/Scaler?fn=${name};dw=20`],
  ['Scaler with &amp;', (name) => `${base}/Scaler?fn=${name}&amp;dw=20`],
  ['servlet/Scaler', (name) => `${base}/servlet/Scaler?fn=${name}&dw=20`],
  ['Scaler with a path', (name) => `${base}/Scaler/${name}?dw=20`],
  ['servlet/Scaler with a path', (name) => `${base}/servlet/Scaler/${name}?dw=20`],
  ...['iiif/1', 'iiif/2', 'iiif/3', 'Scaler/IIIF', 'Scaler/IIIF/2', 'servlet/Scaler/IIIF/3'].flatMap(iiifAddresses),
];

export const infoAddress = (encoded: string): string => `${base}/api/dlInfo-json.jsp?fn=${encoded}`;

/** A valid address of each endpoint. */
export const endpoints: readonly (readonly [string, string])[] = [
  ['the info object', infoAddress('plain.jpg')],
  ...imageAddresses.map(([label, address]) => [label, address('plain.jpg')] as const),
  ['the start page', `${base}/`],
  ['a folder in the reading room', `${base}/api/folder.json?fn=folder`],
  ['a search', `${base}/api/search.json?q=e`],
];

/** Addresses without a resource, also with malformed percent-encoding. */
export const emptyAddresses: readonly (readonly [string, string])[] = [
  ['an unknown address', `${base}/nothing/here`],
  ['an address outside the context path', '/other'],
  ['an address with broken percent-encoding', `${base}/Scaler/%ff%fe`],
  ['an address with half an escape', `${base}/iiif/3/%e`],
];

/** The members of an info object. */
export const membersOf = (answer: ReceivedResponse): Readonly<Record<string, string>> =>
  JSON.parse(answer.body.toString('utf8')) as Record<string, string>;

/** Expects the members of an info object without an image. */
export function expectNoImage(answer: ReceivedResponse): void {
  expect(answer.status).toBe(200);
  expect(membersOf(answer)).toMatchObject({
    'img.fn': '',
    'img.pix_x': '0',
    'img.pix_y': '0',
    'img.dpix': '0',
    'img.dpiy': '0',
  });
}

/** Expects that neither headers nor body disclose paths, modules or error codes of the host. */
export function expectDiscreet(answer: ReceivedResponse, library: LibraryWithSecrets): void {
  const text = `${JSON.stringify(answer.headers)}\n${answer.body.toString('latin1')}`;
  for (const leak of [library.root, library.outside, 'node_modules', '.ts:', '.js:', 'ENOENT', 'EACCES']) {
    expect(text).not.toContain(leak);
  }
  expect(text).not.toMatch(/^\s+at /m);
}

export const textOf = (answer: ReceivedResponse): string => answer.body.toString('utf8');
