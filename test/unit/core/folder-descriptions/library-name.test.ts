/** The library's name: from the settings or from its root, also while the disk is slow. */
import { describe, expect, it } from 'vitest';
import type { Admission } from '../../../../src/core/access/admit.ts';
import { anyone } from '../../../../src/core/access/policy.ts';
import { createLibraryName } from '../../../../src/core/folder-descriptions/library-name.ts';
import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';

const admission = { isFolderVisible: async () => true } as unknown as Admission;
const closed = { isFolderVisible: async () => false } as unknown as Admission;

const metadataWith = (labelOf: () => Promise<LanguageMap | undefined>) => ({
  metadataOf: async () => {
    const label = await labelOf();
    return label === undefined ? {} : { label };
  },
});

const never = new Promise<never>(() => undefined);

describe('the name of the library', () => {
  it('is that of the settings, else the label of the root, else empty', async () => {
    const metadata = metadataWith(async () => ({ en: ['Ours'] }));
    expect(await createLibraryName({ admission, metadata, anyone, name: 'Set' })()).toEqual({ none: ['Set'] });
    expect(await createLibraryName({ admission, metadata, anyone, name: undefined })()).toEqual({ en: ['Ours'] });
    const unnamed = metadataWith(async () => undefined);
    expect(await createLibraryName({ admission, metadata: unnamed, anyone, name: undefined })()).toEqual({});
    expect(await createLibraryName({ admission: closed, metadata, anyone, name: undefined })()).toEqual({});
  });

  it('changes with the metadata', async () => {
    let label: LanguageMap = { en: ['One'] };
    const name = createLibraryName({ admission, metadata: metadataWith(async () => label), anyone, name: undefined });
    expect(await name()).toEqual({ en: ['One'] });
    label = { en: ['Two'] };
    expect(await name()).toEqual({ en: ['Two'] });
  });

  it('is the last known one, soon, while the disk does not answer', async () => {
    let answer: Promise<LanguageMap> = Promise.resolve({ en: ['Known'] });
    const name = createLibraryName({ admission, metadata: metadataWith(() => answer), anyone, name: undefined });
    await name();
    answer = never;
    const start = performance.now();
    expect(await name()).toEqual({ en: ['Known'] });
    expect(performance.now() - start).toBeLessThan(1500);
  });

  it('is empty where the disk never answered, and only the first wait for it', async () => {
    const name = createLibraryName({ admission, metadata: metadataWith(() => never), anyone, name: undefined });
    expect(await name()).toEqual({});
    const start = performance.now();
    expect(await name()).toEqual({});
    expect(performance.now() - start).toBeLessThan(1500);
  });
});
