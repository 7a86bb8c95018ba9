// Shows each recipe of the IIIF cookbook in the reading room, in Chromium, and asserts what it asks of a viewer (test/cookbook). Prints a
// table of them in Markdown, which docs/guide/other-viewers.md has. Run by hand, since the cookbook is no part of the project:
//   git clone https://github.com/IIIF/cookbook-recipes DIR && npm run check:cookbook -- --cookbook DIR
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({ options: { cookbook: { type: 'string' } }, allowPositionals: true });
if (values.cookbook === undefined) {
  console.error('Usage: npm run check:cookbook -- --cookbook DIR [NAME …]');
  process.exit(2);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'lectern-cookbook-'));
const table = path.join(folder, 'table.md');
try {
  const names = positionals.flatMap((name) => ['--testNamePattern', name]);
  const { status } = spawnSync(
    process.execPath,
    [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'cookbook', ...names],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        LECTERN_TEST_COOKBOOK: path.resolve(values.cookbook),
        LECTERN_COOKBOOK_TABLE: table,
      },
    },
  );
  if (existsSync(table)) console.log(`\n${readFileSync(table, 'utf8')}`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
