/** What is remembered of damaged files. */
import { describe, expect, it } from 'vitest';
import { createKnownDamage } from '../../../../src/core/access/known-damage.ts';
import { imageOf } from '../image/image-builder.ts';

describe('an image whose pictures were refused', () => {
  it('is not whole, until its file is replaced', () => {
    const damage = createKnownDamage();
    const image = imageOf({ width: 400, height: 300 });
    expect(damage.isWhole(image)).toBe(true);
    damage.addRefused(image.resolutions[0].file);
    expect(damage.isWhole(image)).toBe(false);
    const [first] = image.resolutions;
    const replaced = { ...image, resolutions: [{ ...first, file: { ...first.file, fingerprint: 'new' } }] as const };
    expect(damage.isWhole(replaced)).toBe(true);
  });

  it('is described as before: only what is shown in part is said to be truncated', () => {
    const damage = createKnownDamage();
    const image = imageOf({ width: 400, height: 300 });
    damage.addRefused(image.resolutions[0].file);
    expect(damage.isNewsOf(image)).toBe(false);
    expect(damage.applyTo(image)).toBe(image);
  });
});
