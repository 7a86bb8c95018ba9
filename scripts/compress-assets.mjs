// Writes `.br` and `.gz` beside the built web assets, so that the server sends them without compressing anything itself.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const compress = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gz: (bytes) => gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/** Media whose own format is compressed already is left out, and so are pages, which differ from server to server. */
const isCompressible = (name) => /\.(?:js|css|svg|json|txt)$/.test(name);

/** Compresses all files in a folder for which that saves bytes. */
export function compressAssets(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isCompressible);
  for (const file of names.map((name) => path.join(folder, name))) {
    const bytes = readFileSync(file);
    for (const [extension, make] of Object.entries(compress)) {
      const compressed = make(bytes);
      if (compressed.length < bytes.length) writeFileSync(`${file}.${extension}`, compressed);
    }
  }
}
