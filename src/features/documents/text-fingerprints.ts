/** What tells whether the texts of some pages have changed. */
import type { LongReads } from '../../core/access/long-reads.ts';
import type { Caller } from '../../core/access/policy.ts';
import type { PageTexts } from '../../core/ports.ts';
import type { Selection } from './selection.ts';

export interface TextFingerprintParts {
  /** As in `SelectionParts`. */
  readonly reads: LongReads;
  /** The files with texts of the images of a folder, by the names of the images. */
  readonly textsOf: PageTexts['textsOf'];
}

/** The fingerprints of the texts of pages that the caller may see, by the names of the images. */
export async function textFingerprints(
  { folder, path, pages }: Pick<Selection, 'folder' | 'path' | 'pages'>,
  caller: Caller,
  signal: AbortSignal,
  { reads, textsOf }: TextFingerprintParts,
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(pages.map(({ image }) => image.name))];
  const texts = await reads.run([path, ...names].join('\n'), signal, (reading) => {
    reading.begin('texts', names.length);
    return textsOf(folder, names, caller, reading);
  });
  return new Map([...texts].map(([name, { fingerprint }]) => [name, fingerprint]));
}
