/** `npm run soak`: a short run has no faults, and growth is told from a steady state. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isFlat } from '../../scripts/soak/process-figures.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('npm run soak', () => {
  it('of a few seconds has no faults: no server error, nothing cut off, no temporary file left', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/soak.mjs', '--minutes', '0.3'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/^tiles +\d+ +\d+ /m);
    expect(stdout).toMatch(/^full sizes /m);
    expect(stdout).toContain('No faults.');
  });

  it.each([
    ['a steady figure', [10, 80, 100, 100, 101, 99, 100, 100], true],
    ['one that swings', [10, 80, 100, 120, 80, 100, 118, 90], true],
    ['one that grows', [10, 80, 100, 120, 140, 160, 180, 200], false],
    ['one that grows at the end', [100, 100, 100, 100, 100, 100, 170, 170], false],
  ])('judges %s', (_, numbers, expected) => {
    const series = numbers.map((MiB) => ({ MiB }));
    expect(isFlat(series, 'MiB', 10, 10)).toBe(expected);
  });
});
