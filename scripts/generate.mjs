// Writes the generated pages; with --check it writes nothing and fails where one of them is stale.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parametersPage } from './pages/parameters.mjs';
import { settingsPage, settingsSchemaFile } from './pages/settings.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = {
  'docs/reference/parameters.md': parametersPage,
  'docs/reference/configuration.md': settingsPage,
  'docs/reference/lectern.schema.json': settingsSchemaFile,
};

const check = process.argv.includes('--check');
let stale = 0;
for (const [name, render] of Object.entries(pages)) {
  const file = path.join(root, name);
  const text = render();
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  stale++;
  if (check) console.error(`${name} is stale; run: npm run generate`);
  else {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`${name} written`);
  }
}
process.exit(check && stale > 0 ? 1 : 0);
