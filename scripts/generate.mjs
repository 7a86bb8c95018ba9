// Writes the generated pages and their pictures; with --check it writes nothing, and fails if one of them is stale.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findHelm } from './find-helm.mjs';
import { coverageProblems } from './operations/coverage.mjs';
import { drawAll } from './operations/draw.mjs';
import { lookAlike } from './operations/pictures.mjs';
import { chartSchemaFile } from './pages/chart-schema.mjs';
import { compatibilityPage } from './pages/compatibility.mjs';
import { kubernetesFiles } from './pages/kubernetes.mjs';
import { operationsPage } from './pages/operations.mjs';
import { parametersPage } from './pages/parameters.mjs';
import { withRooms } from './pages/rooms.mjs';
import { settingsPage, settingsSchemaFile } from './pages/settings.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const pictureFolder = 'docs/images/operations';
const check = process.argv.includes('--check');
let stale = 0;

/** Counts a stale file, and writes it, or removes it where there is no content, unless this is a check. */
function update(name, content) {
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

function updatePage(name, text) {
  const file = path.join(root, name);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) update(name, text);
}

async function updatePicture(name, bytes) {
  const file = path.join(root, name);
  if (!existsSync(file) || !(await lookAlike(readFileSync(file), bytes))) update(name, bytes);
}

/** Removes the pictures that belong to no operation. */
function removeOtherPictures(names) {
  const folder = path.join(root, pictureFolder);
  const existing = existsSync(folder) ? readdirSync(folder) : [];
  for (const file of existing) if (!names.has(file)) update(`${pictureFolder}/${file}`, undefined);
}

const problems = coverageProblems();
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
updatePage('docs/reference/parameters.md', parametersPage());
updatePage('docs/compatibility.md', compatibilityPage());
updatePage('docs/reference/configuration.md', settingsPage());
updatePage('docs/reference/lectern.schema.json', settingsSchemaFile());
updatePage('deploy/chart/values.schema.json', chartSchemaFile());
if (findHelm() !== undefined) for (const [name, text] of kubernetesFiles()) updatePage(name, text);
else console.log('deploy/kubernetes is left as it is: there is no helm (scripts/test-needs.mjs)');
updatePage('CONTRIBUTING.md', withRooms(readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8')));
const operations = await drawAll();
updatePage('docs/reference/operations.md', operationsPage(operations));
const pictures = operations.sections.flatMap(({ entries }) => entries.flatMap((entry) => entry.pictures));
for (const { file, bytes } of pictures) await updatePicture(`${pictureFolder}/${file}.webp`, bytes);
removeOtherPictures(new Set(pictures.map(({ file }) => `${file}.webp`)));
process.exit(check && stale > 0 ? 1 : 0);
