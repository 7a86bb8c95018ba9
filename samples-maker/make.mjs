// Draws the pictures of the sample library, samples/, and writes the texts of its pages; the same machine writes the same bytes each time.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeChart } from './chart/chart.mjs';
import { makeHerbal } from './herbal/herbal.mjs';
import { makeObjects } from './objects/objects.mjs';

const SAMPLES = join(dirname(fileURLToPath(import.meta.url)), '..', 'samples');

const FOLDERS = { herbal: makeHerbal, maps: makeChart, objects: makeObjects };

let total = 0;
for (const [folder, make] of Object.entries(FOLDERS)) {
  await mkdir(join(SAMPLES, folder), { recursive: true });
  for await (const { name, bytes } of make()) {
    await mkdir(dirname(join(SAMPLES, folder, name)), { recursive: true });
    await writeFile(join(SAMPLES, folder, name), bytes);
    total += bytes.length;
    console.log(`samples/${folder}/${name}  ${(bytes.length / 1024).toFixed(0)} KB`);
  }
}
console.log(`${(total / 1024 / 1024).toFixed(2)} MB in all`);
