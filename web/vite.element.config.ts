/** How the element for other pages is built: one small script with a name that never changes, beside the reading room. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** What the script may take, in bytes as it is sent (gzip): it comes on top of pages of others. */
const elementBytes = 5_000;

const here = path.dirname(fileURLToPath(import.meta.url));

/** Fails the build where the script is larger, or is more than one file. */
const elementBudget: Plugin = {
  name: 'element-budget',
  writeBundle(_options, bundle) {
    const [file, ...others] = Object.values(bundle);
    const bytes = file?.type === 'chunk' ? gzipSync(file.code).length : 0;
    if (others.length > 0) this.error('The element is to be a single script.');
    if (bytes > elementBytes) this.error(`The element takes ${bytes} bytes; the budget is ${elementBytes}.`);
  },
};

export default defineConfig({
  root: here,
  logLevel: 'warn',
  plugins: [elementBudget],
  build: {
    outDir: path.join(here, '../dist/web'),
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'es2022',
    lib: {
      entry: path.join(here, 'src/embed/lectern-viewer.ts'),
      formats: ['es'],
      fileName: () => 'lectern-viewer.js',
    },
  },
});
