import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { decode } from '../pixels/pictures.ts';
import { startApp } from './running-app.ts';

const golden = fileURLToPath(new URL('../fixtures/golden/', import.meta.url));
const folders = ['hires', 'scaled'].map((name) => path.join(golden, 'images', name));

/** The recorded responses that a server with these settings does not give, from the checker's output. */
async function differences(groups: string, settings: SettingsInput): Promise<{ failed: string[]; summary: string }> {
  const app = await startApp({ ...settings, library: { folders, ...settings.library } });
  try {
    const checker = spawn(process.execPath, [
      path.join(golden, 'check.mjs'),
      app.url,
      '--group',
      groups,
      '--max',
      '1000',
    ]);
    let output = '';
    for await (const chunk of checker.stdout) output += String(chunk);
    const lines = output.trim().split('\n');
    const failed = lines.filter((line) => /^[a-z0-9-]+-\d{3} {2}/.test(line)).map((line) => line.split(' ')[0] ?? '');
    return { failed, summary: lines.at(-1) ?? '' };
  } finally {
    await app.close();
  }
}

const groups = 'dlinfo,scaler,iiif';

/** Recorded with EXIF orientation ignored, which is a setting of Lectern. */
const unoriented = ['scaler-path-008', 'scaler-path-053'];

/** Recorded with a defect of digilib: gray values of a scaled image are taken for linear light. */
const grayDefect = 'scaler-path-014';

describe('the answers recorded from digilib', () => {
  it('are given, except upright pictures and one defect of digilib', async () => {
    const { failed, summary } = await differences(groups, {});
    expect(failed).toEqual([unoriented[0], grayDefect, unoriented[1]]);
    expect(summary).toBe('432/435');
  }, 120_000);

  it('are given for EXIF orientation too, if the configuration ignores it as digilib does', async () => {
    const { failed } = await differences('scaler-path', { library: { orientation: 'ignore' } });
    expect(failed).toEqual([grayDefect]);
  }, 60_000);

  it('have that one defect: our gray, taken for linear light, equals the recorded one', async () => {
    const recorded = [182.8, 183.7, 155.5, 200.5, 200.3, 176.1, 180.6, 181.9, 177.1];
    const app = await startApp({ library: { folders } });
    try {
      const { pixels, width, height } = await decode((await app.get('/Scaler?fn=photos&pn=3&dw=100')).body);
      const brightened = (value: number): number => (1.055 * (value / 255) ** (1 / 2.4) - 0.055) * 255;
      recorded.forEach((expected, cell) => {
        const [left, top] = [Math.floor(((cell % 3) * width) / 3), Math.floor((Math.floor(cell / 3) * height) / 3)];
        let [sum, count] = [0, 0];
        for (let y = top; y < top + Math.floor(height / 3); y++) {
          for (let x = left; x < left + Math.floor(width / 3); x++) {
            sum += brightened(pixels[(y * width + x) * 4] ?? 0);
            count++;
          }
        }
        expect(Math.abs(sum / count - expected)).toBeLessThan(4);
      });
    } finally {
      await app.close();
    }
  });
});
