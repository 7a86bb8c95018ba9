// Writes the generated pages and their pictures; with --check it writes nothing and fails where one of them is stale.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { coverageProblems } from './operations/coverage.mjs';
import { drawAll } from './operations/draw.mjs';
import { showTheSame } from './operations/pictures.mjs';
import { compatibilityPage } from './pages/compatibility.mjs';
import { operationsPage } from './pages/operations.mjs';
import { parametersPage } from './pages/parameters.mjs';
import { settingsPage, settingsSchemaFile } from './pages/settings.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const pictureFolder = 'docs/images/operations';
const check = process.argv.includes('--check');
let stale = 0;

/** Counts a file that is not as it should be, and mends it unless this is a check. */
function mend(name, content) {
  stale++;
  const file = path.join(root, name);
  if (check) console.error(`${name} is stale; run: npm run generate`);
  else if (content === undefined) rmSync(file);
  else {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  if (!check) console.log(`${name} ${content === undefined ? 'removed' : 'written'}`);
}

function keepPage(name, text) {
  const file = path.join(root, name);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) mend(name, text);
}

async function keepPicture(name, bytes) {
  const file = path.join(root, name);
  if (!existsSync(file) || !(await showTheSame(readFileSync(file), bytes))) mend(name, bytes);
}

/** A picture that no operation has any more goes. */
function dropOtherPictures(names) {
  const folder = path.join(root, pictureFolder);
  const kept = existsSync(folder) ? readdirSync(folder) : [];
  for (const file of kept) if (!names.has(file)) mend(`${pictureFolder}/${file}`, undefined);
}

const problems = coverageProblems();
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
keepPage('docs/reference/parameters.md', parametersPage());
keepPage('docs/compatibility.md', compatibilityPage());
keepPage('docs/reference/configuration.md', settingsPage());
keepPage('docs/reference/lectern.schema.json', settingsSchemaFile());
const operations = await drawAll();
keepPage('docs/reference/operations.md', operationsPage(operations));
const pictures = operations.sections.flatMap(({ entries }) => entries.flatMap((entry) => entry.pictures));
for (const { file, bytes } of pictures) await keepPicture(`${pictureFolder}/${file}.webp`, bytes);
dropOtherPictures(new Set(pictures.map(({ file }) => `${file}.webp`)));
process.exit(check && stale > 0 ? 1 : 0);
