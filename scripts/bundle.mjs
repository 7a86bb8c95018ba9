// Replaces the programs in `dist` by bundles, which start in half of the time: Node takes 0.3 to 0.5 ms for each module that it loads.
// Their code is not minified, so that stack traces name functions; each chunk says which lines are from which source.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = path.join(root, 'src');

/** What is run as a program, in `src` and in `dist`. */
const programs = [
  'cli/main',
  'core/render/process/render-process',
  'core/pyramids/make-process',
  'app/index-process',
  'features/search/engine/sqlite/search-process',
];

/**
 * Packages with native code, WebAssembly or files that they read beside their code, which have to stay where they are; and large ones
 * that are loaded only where a bucket, a Redis or a catalogue is used.
 */
const external = [
  /^sharp$/,
  /^libsql$/,
  /^pdfkit$/,
  /^fontkit$/,
  /^@cornerstonejs\//,
  /^@fontsource\//,
  /^@aws-sdk\//,
  /^bullmq$/,
  /^ioredis$/,
  /^pg$/,
  /^pg-copy-streams$/,
  /^hyparquet$/,
];

/**
 * Modules find files and programs from their own place, so `import.meta.url` stays the address that the module has in `dist`;
 * all chunks lie in one folder of `dist`.
 *
 * @type {import('rolldown').Plugin}
 */
const ownAddresses = {
  name: 'own-addresses',
  transform(code, id) {
    if (!id.startsWith(sources) || !code.includes('import.meta.url')) return null;
    const compiled = path.relative(sources, id).replace(/\.ts$/, '.js').split(path.sep).join('/');
    const address = `new URL(${JSON.stringify(`../${compiled}`)}, import.meta.url).href`;
    return code.replaceAll('import.meta.url', `(${address})`);
  },
};

/** Bundles the programs; what they have in common, and what they load later, is in `dist/chunks`. */
export async function bundlePrograms() {
  const dist = path.join(root, 'dist');
  rmSync(path.join(dist, 'chunks'), { recursive: true, force: true });
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(programs.map((name) => [path.basename(name), path.join(sources, `${name}.ts`)])),
    platform: 'node',
    external,
    // The packages in `packages` from their sources.
    resolve: { conditionNames: ['lectern-source', 'node'] },
    plugins: [ownAddresses],
  });
  await bundle.write({
    dir: path.join(dist, 'chunks'),
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
  for (const name of programs) {
    const upwards = '../'.repeat(name.split('/').length - 1);
    writeFileSync(path.join(dist, `${name}.js`), `export * from '${upwards}chunks/${path.basename(name)}.js';\n`);
  }
}
