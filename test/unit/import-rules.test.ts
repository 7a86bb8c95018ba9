import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { circles, exceptions, rooms } from '../../scripts/import-rules.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

const packages = readdirSync(path.join(root, 'packages'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `packages/${name}/src`);

/** Every source file of the packages, of the server and of the reading room, from the root of the repository. */
const files = [...packages, 'src', 'web/src'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/'))),
);
const texts = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));

interface Import {
  readonly file: string;
  /** A file from the root of the repository, or the name of a package. */
  readonly target: string;
  readonly isTypeOnly: boolean;
  /** Whether it is an expression: of a type, or of a module that is loaded when the expression is reached. */
  readonly isExpression: boolean;
}

/** All imports of a file, also those of types, those that are loaded on demand, and re-exports. */
function importsOf([file, text]: readonly [string, string]): readonly Import[] {
  const statements = text.matchAll(/^(?:import|export) (?:(type )?[^;]*?from )?'([^']+)';$/gms);
  const expressions = text.matchAll(/\b(?:typeof )?import\(\s*()'([^']+)'\s*\)/g);
  const targetOf = (name: string) => (name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name);
  const importOf = ([, type, name = '']: RegExpExecArray, isExpression: boolean): Import => ({
    file,
    target: targetOf(name),
    isTypeOnly: type === 'type ',
    isExpression,
  });
  return [...[...statements].map((one) => importOf(one, false)), ...[...expressions].map((one) => importOf(one, true))];
}

const imports = [...texts].flatMap(importsOf);
const isFile = (target: string): boolean => /^(?:packages|src|web)\//.test(target);

/** The room whose path is the longest of those that a file is in. */
const roomOf = (file: string): (typeof rooms)[number] | undefined =>
  [...rooms].sort((a, b) => b.path.length - a.path.length).find(({ path: folder }) => file.startsWith(`${folder}/`));

/** Modules without input and output, which pure rooms may import. */
const pureModules: ReadonlySet<string> = new Set(['zod', '@lectern/jpeg2000/model']);

const named = ({ file, target }: Import): string => `${file} → ${target}`;

function isAllowed({ file, target, isTypeOnly }: Import): boolean {
  const room = roomOf(file);
  if (room === undefined) return false;
  if (!isFile(target)) return !room.isPure || pureModules.has(target);
  if (target.endsWith('.css')) return room.path.startsWith('web/src/ui') || room.path === 'web/src';
  const name = roomOf(target)?.path ?? '';
  return name === room.path || room.imports.includes(name) || (isTypeOnly && (room.types?.includes(name) ?? false));
}

/** The strongly connected components of more than one node (Tarjan's algorithm), each in alphabetical order. */
function circlesIn(targets: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: (readonly string[])[] = [];
  function visit(node: string): number {
    order.set(node, order.size);
    let low = order.size - 1;
    open.push(node);
    for (const target of targets.get(node) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    lowest.set(node, low);
    if (low === order.get(node)) {
      const component = open.splice(open.indexOf(node));
      if (component.length > 1) found.push(component.sort());
    }
    return low;
  }
  for (const node of targets.keys()) if (!order.has(node)) visit(node);
  return found;
}

const targetsOf = (file: string): readonly string[] =>
  imports.filter((one) => one.file === file && texts.has(one.target)).map(({ target }) => target);

describe('the imports', () => {
  it('are found', () => {
    expect(imports.filter(({ target }) => isFile(target)).length).toBeGreaterThan(1500);
    expect(imports.filter(({ isTypeOnly }) => isTypeOnly).length).toBeGreaterThan(300);
  });

  it('are all in rooms that have a rule', () => expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]));

  it('are those that the rules allow', () =>
    expect(imports.flatMap((one) => (isAllowed(one) ? [] : [named(one)])).sort()).toEqual(exceptions));

  it('have no circles, types included', () =>
    expect(circlesIn(new Map(files.map((file) => [file, targetsOf(file)])))).toEqual(circles));
});

describe('the rules', () => {
  it('name rooms that exist', () => {
    const names = rooms.map(({ path: folder }) => folder);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names)
      expect(
        files.some((file) => roomOf(file)?.path === name),
        name,
      ).toBe(true);
    for (const { imports: values, types = [] } of rooms)
      expect(names).toEqual(expect.arrayContaining([...values, ...types]));
  });

  it('find a circle of three files, and no more', () => {
    const graph = { a: ['b'], b: ['c'], c: ['a', 'd'], d: ['e'], e: [] };
    expect(circlesIn(new Map(Object.entries(graph)))).toEqual([['a', 'b', 'c']]);
  });
});

/** A source without its comments, as far as this test needs it. */
const codeOf = (text = ''): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');

it('the pure rooms do without clock, environment, chance and console', () => {
  const impure = files.filter(
    (file) =>
      roomOf(file)?.isPure &&
      /\b(Date\.now|new Date\(\)|performance\.|process\.|Math\.random|console\.|crypto\.)/.test(
        codeOf(texts.get(file)),
      ),
  );
  expect(impure).toEqual([]);
});

it('zod stays out of the reading room’s bundle: of the files with schemas, it imports the types only', () => {
  const schemaFiles = new Set(imports.filter(({ target }) => target === 'zod').map(({ file }) => file));
  const ofSchemas = imports.filter(({ file, target }) => file.startsWith('web/') && schemaFiles.has(target));
  expect(ofSchemas.length).toBeGreaterThan(10);
  expect(ofSchemas.flatMap((one) => (one.isTypeOnly ? [] : [named(one)]))).toEqual([]);
  expect([...schemaFiles].filter((file) => file.startsWith('web/'))).toEqual([]);
});

/** All files and packages that are loaded with a file. */
function loadedWith(file: string): readonly string[] {
  const loaded = new Set([file]);
  // A set yields what is added to it while it is read.
  for (const one of loaded)
    for (const { target } of imports.filter(
      // A server loads its features by expressions, at the start.
      ({ file, isTypeOnly, isExpression }) =>
        file === one && !isTypeOnly && (!isExpression || file === 'src/app/features.ts'),
    ))
      loaded.add(target);
  return [...loaded];
}

/** The packages that are loaded with a file, without those of Node. */
const packagesLoadedWith = (file: string): readonly string[] =>
  loadedWith(file)
    .filter((target) => !isFile(target) && !target.startsWith('node:'))
    .sort();

describe('what is loaded at the start', () => {
  it('is commander alone for the help and the version of the command: each subcommand loads what it runs', () =>
    expect(packagesLoadedWith('src/cli/main.ts')).toEqual(['commander']));

  it('is for a server what every site needs: tokens, YAML, XML, metrics and the site’s own pages are loaded when they are needed', () => {
    const packages = packagesLoadedWith('src/cli/serve/serve.ts');
    expect(packages).toEqual(expect.arrayContaining(['fastify', 'pino', 'zod']));
    expect(packages).not.toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^(?:jose|yaml|saxes|prom-client|bullmq|ioredis|cli-progress|sharp|@fastify\/send)$/),
      ]),
    );
  });

  it('is followed by all that a request may need, since a module that can’t be loaded once is never tried again', () => {
    const loaded = loadedWith('src/cli/serve/serve.ts');
    const onDemand = imports.filter(
      ({ file, isExpression }) => isExpression && loaded.includes(file) && file !== 'src/app/features.ts',
    );
    const targetsIn = (among: readonly Import[]) => new Set(among.map(({ target }) => target));
    const ahead = targetsIn(onDemand.filter(({ file }) => file === 'src/app/app.ts' || file.endsWith('/feature.ts')));
    const others = targetsIn(onDemand.filter(({ file, target }) => isFile(file) && !ahead.has(target)));
    expect(others).toEqual(
      new Set([
        // With traces, at the start.
        'src/core/tracing/open-telemetry.ts',
        // With the setting of a Redis, at the start.
        'bullmq',
        'ioredis',
        // With the setting of a table of autonomous systems, at the start.
        'mmdb-lib',
        // With the setting of a catalogue, at the start.
        'pg',
        'src/features/catalogue/open-catalogue.ts',
        // For the versions on the configuration page; with the settings that name them; for renderings in the server itself; and
        // for documents, whose packages take 30 MB of memory, which few servers need; and where a bucket is served or shared.
        'sharp',
        'src/core/access/tokens.ts',
        'src/core/render/covers/marks.ts',
        'src/config/digilib-config/read.ts',
        'src/features/reading-room/site-pages.ts',
        'src/features/documents/pdf/fonts.ts',
        'src/features/documents/pdf/write-document.ts',
        'src/core/render/execute.ts',
        'src/features/documents/archive.ts',
        'src/features/documents/data-set/data-set-entries.ts',
        'src/features/documents/data-set/write-data-set.ts',
        'src/core/storage/s3/bucket-objects.ts',
        'src/core/storage/s3/s3-storage.ts',
        'src/core/storage/s3/single-objects.ts',
        'src/core/storage/s3/stored-contents.ts',
        'src/core/storage/s3/stored-lists.ts',
        'src/core/storage/s3/stored-rows.ts',
      ]),
    );
  });
});
