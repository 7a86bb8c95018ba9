import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** Which rooms a room may import from, beside itself; `types` are rooms whose types alone may be imported. */
const rules: Readonly<
  Record<string, { readonly values: readonly string[]; readonly types?: readonly string[]; readonly pure?: boolean }>
> = {
  image: { values: [], pure: true },
  digilib: { values: ['image'], pure: true },
  iiif: { values: ['image'], pure: true },
  library: { values: ['image', 'storage', 'text'] },
  access: { values: ['image'] },
  render: { values: ['image', 'storage'] },
  storage: { values: [] },
  // Text of files: encodings, XML, misspelled names, quotations.
  text: { values: [] },
  cache: { values: ['image', 'storage'] },
  // Pyramids are made by the steps of a rendering, so that their colors are those of every other picture.
  pyramids: { values: ['image', 'render', 'storage'] },
  config: { values: ['text'] },
  service: { values: ['image'], types: ['library', 'access', 'render', 'cache', 'pyramids'] },
  http: { values: ['digilib', 'iiif', 'image', 'service'], types: ['access'] },
};

/** Packages that pure rooms may import: zod only describes data. */
const purePackages: ReadonlySet<string> = new Set(['zod']);

interface Import {
  readonly file: string;
  readonly room: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

function importsOf(file: string): readonly Import[] {
  const text = readFileSync(path.join(source, file), 'utf8');
  const room = file.split(path.sep)[0] ?? '';
  const found = text.matchAll(/^(?:import|export) (type )?[^;]*?from '([^']+)';$/gms);
  return [...found].map(([, type, target = '']) => ({ file, room, target, typeOnly: type !== undefined }));
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const imports = files.flatMap(importsOf);

function brokenRule({ file, room, target, typeOnly }: Import): string | undefined {
  const rule = rules[room];
  if (rule === undefined) return undefined;
  if (!target.startsWith('.')) {
    return rule.pure && !purePackages.has(target) ? `${file} is in a pure room and imports ${target}` : undefined;
  }
  const targetRoom = path.relative(source, path.resolve(source, path.dirname(file), target)).split(path.sep)[0] ?? '';
  const allowed =
    targetRoom === room || rule.values.includes(targetRoom) || (typeOnly && rule.types?.includes(targetRoom));
  return allowed ? undefined : `${file} imports ${target}: ${room} may not use ${targetRoom}`;
}

it('finds the imports', () => expect(imports.length).toBeGreaterThan(50));

it('lets rooms import only what the house allows', () => {
  expect(imports.map(brokenRule).filter((broken) => broken !== undefined)).toEqual([]);
});

it('keeps the pure rooms free of clock, environment and chance', () => {
  const pure = files.filter((file) => rules[file.split(path.sep)[0] ?? '']?.pure);
  const impure = pure.filter((file) =>
    /\b(Date\.now|new Date|process\.|Math\.random|console\.)/.test(readFileSync(path.join(source, file), 'utf8')),
  );
  expect(impure).toEqual([]);
});

const web = fileURLToPath(new URL('../../web/src/', import.meta.url));

it('lets the reading room share what is pure, and nothing else', () => {
  const shared = ['image', 'digilib', 'iiif'];
  const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const targets = sources.flatMap((file) =>
    [...readFileSync(path.join(web, file), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) => ({
      file,
      room: path.relative(source, path.resolve(web, path.dirname(file), target)).split(path.sep)[0] ?? '',
    })),
  );
  const outside = targets.filter(({ room }) => room !== '..');
  expect(outside.length).toBeGreaterThan(20);
  expect(outside.filter(({ room }) => !shared.includes(room))).toEqual([]);
});

it('keeps zod out of the reading room’s bundle: of the schemas it imports the types alone', () => {
  const schemaFiles = new Set(
    imports.filter(({ target }) => target === 'zod').map(({ file }) => path.join(source, file)),
  );
  const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const values = sources.flatMap((file) =>
    [...readFileSync(path.join(web, file), 'utf8').matchAll(/^(?:import|export) (type )?[^;]*?from '(\.[^']+)';$/gms)]
      .filter(
        ([, type, target = '']) => type === undefined && schemaFiles.has(path.resolve(web, path.dirname(file), target)),
      )
      .map(([line]) => `${file}: ${line}`),
  );
  expect(values).toEqual([]);
});
