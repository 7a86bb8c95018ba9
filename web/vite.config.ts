/** How the reading room is built: hashed files below `room/`, and a bound on what the first view loads. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** What the first view may take, in bytes as they are sent (gzip), without OpenSeadragon. */
const firstViewBytes = 150_000;

const here = path.dirname(fileURLToPath(import.meta.url));

/** Fails the build where the files that the page names, with all that they import at once, are more than the bound. */
const bundleBudget: Plugin = {
  name: 'bundle-budget',
  writeBundle(_options, bundle) {
    const wanted = new Set<string>();
    const want = (name: string): void => {
      const file = bundle[name];
      if (file === undefined || wanted.has(name)) return;
      wanted.add(name);
      if (file.type !== 'chunk') return;
      for (const other of [...file.imports, ...(file.viteMetadata?.importedCss ?? [])]) want(other);
    };
    for (const file of Object.values(bundle)) if (file.type === 'chunk' && file.isEntry) want(file.fileName);
    const sizeOf = (name: string): number => {
      const file = bundle[name];
      return file === undefined ? 0 : gzipSync(file.type === 'chunk' ? file.code : file.source).length;
    };
    const bytes = [...wanted].reduce((sum, name) => sum + sizeOf(name), 0);
    if (bytes > firstViewBytes) {
      this.error(`The first view takes ${bytes} bytes; the budget is ${firstViewBytes}. Load a part of it lazily.`);
    }
  },
};

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
    target: 'es2022',
  },
});
