/** How the reading room is built: hashed files below `room/`, and a bound on what the first view loads. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** What the first view may take, in bytes as they are sent (gzip), without OpenSeadragon. */
const firstViewBytes = 180_000;

const here = path.dirname(fileURLToPath(import.meta.url));

/** The page of an image is a first view too: what a link leads to. OpenSeadragon, which it loads beside, is not counted. */
const imagePage = /\/view-page\.tsx$/;

type Bundle = Parameters<Extract<Plugin['writeBundle'], (...args: never) => unknown>>[1];

/** A file with all that it imports at once. */
function withImports(bundle: Bundle, name: string, known = new Set<string>()): ReadonlySet<string> {
  const file = bundle[name];
  if (file === undefined || known.has(name)) return known;
  known.add(name);
  if (file.type === 'chunk') {
    for (const css of file.viteMetadata?.importedCss ?? []) known.add(css);
    for (const other of file.imports) withImports(bundle, other, known);
  }
  return known;
}

function gzipBytes(bundle: Bundle, name: string): number {
  const file = bundle[name];
  if (file === undefined || name.includes('openseadragon')) return 0;
  return gzipSync(file.type === 'chunk' ? file.code : file.source).length;
}

/** Fails the build where a first view, of the library or of an image, loads more than the bound. */
const bundleBudget: Plugin = {
  name: 'bundle-budget',
  writeBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const first = chunks.filter(({ isEntry, moduleIds }) => isEntry || moduleIds.some((id) => imagePage.test(id)));
    if (first.length < 2) this.error('The budget knows the page of an image by its file, which is gone.');
    const names = new Set(first.flatMap(({ fileName }) => [...withImports(bundle, fileName)]));
    const bytes = [...names].reduce((sum, name) => sum + gzipBytes(bundle, name), 0);
    if (bytes > firstViewBytes) {
      this.error(`The first view takes ${bytes} bytes; the budget is ${firstViewBytes}. Load a part of it lazily.`);
    }
    this.info(`The first view takes ${bytes} of ${firstViewBytes} bytes.`);
  },
};

/**
 * What most pages share is one file, and the page of an image another: by itself, each combination of pages that share a module would be
 * a file, and a first view would request dozens of them.
 */
const chunks = [
  { name: 'openseadragon', test: /[\\/]node_modules[\\/]openseadragon[\\/]/, priority: 2 },
  { name: 'messages', test: /[\\/]messages[\\/](?:messages|added)\.ts$/, priority: 3 },
  // Texts that no first view shows.
  { name: 'panel-messages', test: /[\\/]messages[\\/](?:panel|image|text)-messages/, priority: 2 },
  { name: 'shared', test: /[\\/](?:src|node_modules[\\/](?:@?preact|lucide))[\\/]/, minShareCount: 6, priority: 1 },
  {
    name: 'view',
    test: /[\\/]web[\\/]src[\\/](?:stage[\\/](?!color-layer|blur|map-stage|warped-sheet|tile-pictures)|ui[\\/](?:view|overlay|print|text)[\\/](?!contact-sheet|reading-|text-panel|text-lines|text-tools))/,
  },
];

export default defineConfig({
  root: here,
  base: './',
  logLevel: 'warn',
  plugins: [bundleBudget],
  build: {
    outDir: path.join(here, '../dist/web'),
    emptyOutDir: true,
    assetsDir: 'room',
    // The policy of the pages allows no inline style, script or data other than pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // In the order of the sources: what a page begins with, such as its language, must not come after a state that depends on it.
    rolldownOptions: { output: { codeSplitting: { groups: chunks }, strictExecutionOrder: true } },
    target: 'es2022',
  },
});
