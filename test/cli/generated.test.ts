/** The check of the generated pages and their pictures detects stale and missing ones. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pictures = 'docs/images/operations';

function check(folder: string): { status: number | null; lines: readonly string[] } {
  const script = path.join(folder, 'scripts/generate.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  return { status, lines: stderr.split('\n').filter((line) => line !== '') };
}

it('the pictures of the operations are small', () => {
  const bytes = readdirSync(path.join(root, pictures)).map((name) => statSync(path.join(root, pictures, name)).size);
  expect(bytes.length).toBeGreaterThan(40);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(600_000);
});

describe('in a copy', () => {
  let copy: string;
  beforeEach(() => {
    copy = mkdtempSync(path.join(tmpdir(), 'lectern-generated-'));
    for (const name of ['scripts', 'dist', 'docs', 'deploy', 'package.json', 'CONTRIBUTING.md']) {
      cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
    }
    for (const name of ['assets', 'samples', 'test', 'node_modules'])
      symlinkSync(path.join(root, name), path.join(copy, name));
  });
  afterEach(() => rmSync(copy, { recursive: true }));

  it('options, parameters and operators that the operations’ page lacks are named', () => {
    const added = [
      ['features/digilib/parameters.js', 'squeeze:', "sepia: 'brown, as old photographs are',"],
      ['features/digilib/parameters.js', 'fn:', "gamma: float(1, 's', 'exponent of each channel'),"],
      ['core/image/model/color.js', "INVERT: 'the", "SOLARIZE: 'the negative of the bright half',"],
    ] as const;
    for (const [module, before, text] of added) {
      const file = path.join(copy, 'dist', module);
      const parts = readFileSync(file, 'utf8').split(` ${before}`);
      expect(parts.length).toBe(2);
      writeFileSync(file, parts.join(` ${text} ${before}`));
    }
    expect(check(copy)).toEqual({
      status: 1,
      lines: ['gamma', 'mo=sepia', 'colop=SOLARIZE'].map(
        (name) => `docs/reference/operations.md lacks ${name}; add it to scripts/operations/table*.mjs`,
      ),
    });
  });

  it('the table of the folders is stale if a purpose changed, and a picture with other content, but not one of another encoder', {
    tags: 'exhaustive',
  }, async () => {
    const rules = path.join(copy, 'scripts/import-rules.mjs');
    const before = readFileSync(rules, 'utf8');
    writeFileSync(rules, before.replace("purpose: 'all texts, in every language'", "purpose: 'all texts'"));
    expect(readFileSync(rules, 'utf8')).not.toBe(before);
    const file = (name: string): string => path.join(copy, pictures, name);
    cpSync(file('crop.webp'), file('squeeze.webp'));
    cpSync(file('crop.webp'), file('posterize.webp'));
    const again = await sharp(file('fit.webp')).webp({ quality: 80, effort: 2 }).toBuffer();
    expect(again.equals(readFileSync(file('fit.webp')))).toBe(false);
    writeFileSync(file('fit.webp'), again);
    expect(check(copy)).toEqual({
      status: 1,
      lines: ['CONTRIBUTING.md', `${pictures}/squeeze.webp`, `${pictures}/posterize.webp`].map(
        (name) => `${name} is stale; run: npm run generate`,
      ),
    });
  });
});
