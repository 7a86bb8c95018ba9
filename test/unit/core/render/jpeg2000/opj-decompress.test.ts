/** Decoding with opj_decompress yields what the sandbox does, and leaves no files. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bufferSource } from '../../../../../src/core/library/headers/byte-source.ts';
import { readHeader } from '../../../../../src/core/library/headers/header.ts';
import { readStreamIndex, readTileStream } from '../../../../../src/core/render/jpeg2000/code-stream.ts';
import { CodeStreamBytes } from '../../../../../src/core/render/jpeg2000/code-stream-bytes.ts';
import {
  type Cut,
  type CutCodeStream,
  cutCodeStream,
} from '../../../../../src/core/render/jpeg2000/cut-code-stream.ts';
import { decodeWithProgram, programLimits } from '../../../../../src/core/render/jpeg2000/opj-decompress.ts';
import { findOpjDecompress, findProgram } from '../../../../../src/core/render/jpeg2000/opj-program.ts';
import {
  copyToPlane,
  createPlane,
  decodeByProgram,
  decodeInSandbox,
} from '../../../../../src/core/render/jpeg2000/planes.ts';
import { removeAbandonedFolders, removeFoldersOf } from '../../../../../src/core/render/jpeg2000/program-folders.ts';
import { tileBox } from '../../../../../src/core/render/jpeg2000/tile-geometry.ts';
import { TilePackets } from '../../../../../src/core/render/jpeg2000/tile-packets.ts';
import { randomIntegers } from '../../../../fixtures/files/random.mjs';

const fixtures = fileURLToPath(new URL('../../../../fixtures/jpeg2000/', import.meta.url));
const program = findOpjDecompress(true);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lectern-opj-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The first tile of a file as a code-stream of its own. */
async function cutTile(name: string): Promise<CutCodeStream> {
  const content = readFileSync(path.join(fixtures, name));
  const facts = (await readHeader(bufferSource(content))).pages[0].jpeg2000?.codeStream;
  if (facts === undefined) throw new TypeError('no JPEG 2000 file');
  const handle = await open(path.join(fixtures, name));
  try {
    const bytes = new CodeStreamBytes(handle.fd, content.length);
    const index = readStreamIndex(bytes, facts);
    const box = tileBox(facts, 0);
    const packets = new TilePackets(facts, readTileStream(bytes, index, 0), box);
    const components = facts.componentTransform ? [0, 1, 2] : [0];
    const cut: Cut = { tiles: [packets], components, reduction: 0, region: box, lenient: false };
    const bitsOf = (component: number): number => facts.components[component]?.bits ?? 0;
    return cutCodeStream(bytes, cut, { bitsOf, capabilities: index.capabilities });
  } finally {
    await handle.close();
  }
}

const leftFolders = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`lectern-opj-${process.pid}-`));

describe('opj_decompress', { tags: 'openjpeg' }, () => {
  it.each([
    'gray.jp2',
    'gray-12.jp2',
    'untiled-lossy.jp2',
    'rgb-16.jp2',
    'rgb-12.jp2',
    'tile-offset.jp2',
    'signed.jp2',
  ])('yields the samples of %s that the sandbox does', async (name) => {
    const cut = await cutTile(name);
    const [own, sandboxed] = [await decodeByProgram(cut, program ?? ''), await decodeInSandbox(cut, 2 ** 29)];
    expect(own).toHaveLength(cut.bits.length);
    for (const [index, samples] of own.entries()) {
      const [one, other] = [createPlane(cut.box, cut.bits[index] ?? 0), createPlane(cut.box, cut.bits[index] ?? 0)];
      copyToPlane(samples, cut.box, one);
      const expected = sandboxed[index];
      if (expected) copyToPlane(expected, cut.box, other);
      expect(Buffer.from(one.samples.buffer).equals(Buffer.from(other.samples.buffer))).toBe(true);
    }
    expect(leftFolders()).toEqual([]);
  });

  it('that fails leaves no files', async () => {
    const cut = { ...(await cutTile('gray.jp2')), bytes: Buffer.from('no code-stream') };
    await expect(decodeByProgram(cut, program ?? '')).rejects.toThrow('opj_decompress fails');
    expect(leftFolders()).toEqual([]);
  });

  it('has several times the memory that it takes', async () => {
    const side = 1024;
    const random = randomIntegers(1);
    const samples = Buffer.from(Array.from({ length: side * side }, () => random() % 256));
    await writeFile(
      path.join(folder, 'noise.pgm'),
      Buffer.concat([Buffer.from(`P5\n${side} ${side}\n255\n`), samples]),
    );
    const files = ['-i', path.join(folder, 'noise.pgm'), '-o', path.join(folder, 'noise.j2k')];
    execFileSync('opj_compress', files, { stdio: 'ignore' });
    const stream = readFileSync(path.join(folder, 'noise.j2k'));
    const decode = { program: program ?? '', stream, count: side * side, components: 1, bits: 8 };
    expect(stream.length).toBeGreaterThan(1e6);
    expect(Buffer.from((await decodeWithProgram(decode))[0] ?? []).equals(samples)).toBe(true);
  });
});

/** A program in place of opj_decompress, which writes its process id beside itself. */
async function scriptOf(name: string, lines: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, `#!/bin/sh\necho $$ > "$0.pid"\n${lines}\n`);
  await chmod(file, 0o755);
  return file;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const small = { stream: Buffer.alloc(1000), count: 100, components: 1, bits: 8 } as const;

describe('a program in the place of opj_decompress', () => {
  it('that computes without end is ended by the system, and leaves no files', async () => {
    const endless = await scriptOf('endless', 'while :; do :; done');
    await expect(decodeWithProgram({ ...small, program: endless })).rejects.toThrow('opj_decompress fails');
    expect(leftFolders()).toEqual([]);
  });

  it('that waits without end is ended by the clock', { timeout: 30_000 }, async () => {
    const waiting = await scriptOf('waiting', 'exec sleep 1000');
    await expect(decodeWithProgram({ ...small, program: waiting })).rejects.toThrow('opj_decompress fails');
    expect(() => process.kill(Number(readFileSync(`${waiting}.pid`, 'utf8')), 0)).toThrow('ESRCH');
  });

  it('is ended by a render process that exits, which leaves no files', { timeout: 20_000 }, async () => {
    const endless = await scriptOf('abandoned', 'while :; do :; done');
    const compiled = new URL('../../../../../dist/core/render/jpeg2000/opj-decompress.js', import.meta.url);
    const code = `import { decodeWithProgram } from ${JSON.stringify(compiled)};
      const decode = { program: ${JSON.stringify(endless)}, stream: Buffer.alloc(3e7), count: 100, components: 1, bits: 8 };
      decodeWithProgram(decode).catch(() => undefined);
      setTimeout(() => process.exit(0), 1000);`;
    const { pid } = spawnSync(process.execPath, ['--input-type=module', '-e', code]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`lectern-opj-${pid}-`))).toEqual([]);
    // Its own limit of processor time is half a minute.
    const isGone = () => !isRunning(Number(readFileSync(`${endless}.pid`, 'utf8')));
    await expect.poll(isGone, { timeout: 10_000 }).toBe(true);
  });

  it('has the limits of its own code-stream', async () => {
    const limits = await scriptOf('limits', 'ulimit -t > "$0.limits"; ulimit -v >> "$0.limits"; exit 1');
    await expect(decodeWithProgram({ ...small, program: limits })).rejects.toThrow('opj_decompress fails');
    const { seconds, bytes } = programLimits(small);
    expect(readFileSync(`${limits}.limits`, 'utf8')).toBe(`${seconds}\n${Math.ceil(bytes / 1024)}\n`);
  });
});

describe('programs', () => {
  it('are found in the folders of PATH that are absolute, where they can be executed', async () => {
    const [one, other] = [path.join(folder, 'one'), path.join(folder, 'other')];
    await mkdir(one);
    await mkdir(other);
    await writeFile(path.join(one, 'tool'), '');
    await writeFile(path.join(other, 'tool'), '');
    const folders = ['', 'relative', one, other].join(path.delimiter);
    expect(findProgram('tool', folders)).toBeUndefined();
    await chmod(path.join(other, 'tool'), 0o755);
    expect(findProgram('tool', folders)).toBe(path.join(other, 'tool'));
    expect(findProgram('tool', '')).toBeUndefined();
    expect(findOpjDecompress(false)).toBeUndefined();
  });
});

describe('folders of processes that have ended', () => {
  it('are removed, and those of running ones stay', async () => {
    // More than the largest process id of Linux.
    const [ended, own] = [
      path.join(folder, 'lectern-opj-4194399-x'),
      path.join(folder, `lectern-opj-${process.pid}-x`),
    ];
    for (const each of [ended, own]) await mkdir(each);
    await writeFile(path.join(ended, 'part.j2k'), '');
    removeAbandonedFolders(folder);
    expect([existsSync(ended), existsSync(own)]).toEqual([false, true]);
    removeFoldersOf(process.pid + 1, folder);
    expect(existsSync(own)).toBe(true);
    removeFoldersOf(process.pid, folder);
    expect(existsSync(own)).toBe(false);
  });
});
