/** The use case of data sets: what belongs to that of a folder, its key, and how its bytes are made. */
import { hash } from 'node:crypto';
import type { Caller } from '../../../core/access/policy.ts';
import { ImageError } from '../../../core/image/model/errors.ts';
import { highest } from '../../../core/image/model/image-set.ts';
import type { Manifests } from '../../../core/ports.ts';
import type { PagesFor } from '../page-image.ts';
import type { Selection, SelectPages } from '../selection.ts';
import { type TextFingerprintParts, textFingerprints } from '../text-fingerprints.ts';
import { pageMs, workOf } from '../work-estimate.ts';
import type { EntriesParts } from './data-set-entries.ts';

export interface DataSetsParts extends EntriesParts, TextFingerprintParts {
  readonly selectPages: SelectPages;
  /** Undefined where folders have no manifests. */
  readonly manifests: () => Pick<Manifests, 'textOf'> | undefined;
  readonly contextPath: string;
  readonly iiifSlash: string;
  readonly pictureSize: number;
}

export interface PreparedDataSet {
  readonly selection: Selection;
  /** Equal for data sets of equal content. */
  readonly key: string;
  readonly pages: number;
  /** About how much processor time it takes, in ms. */
  work(): number;
  /** Makes the bytes; `onPage` is called after each page. */
  make(pagesFor: PagesFor, signal: AbortSignal, onPage: () => void): AsyncIterable<Buffer>;
}

/** Changes when data sets look different. */
const version = 1;

export interface DataSets {
  /** Throws ImageError as `SelectPages` does, and as the address of the manifest. Makes nothing yet. */
  prepare(path: string, caller: Caller, origin: string, signal: AbortSignal): Promise<PreparedDataSet>;
}

export function createDataSets(parts: DataSetsParts): DataSets {
  const { contextPath, iiifSlash, pictureSize } = parts;
  const size = { kind: 'pixels', width: pictureSize, height: pictureSize } as const;

  function keyOf(selection: Selection, manifest: string, texts: ReadonlyMap<string, string>): string {
    const pages = selection.pages.map(({ image, label }) => {
      const { file, orientation, width, height } = highest(image);
      const { name, page, terms, covers } = image;
      const seen = [width, height, terms && { ...terms.tier, watermark: undefined }, covers?.key];
      return [name, page, label, file.fingerprint, orientation, ...seen, texts.get(name)];
    });
    const said = [version, pictureSize, selection.path, hash('sha256', manifest, 'hex'), pages];
    return hash('sha256', JSON.stringify(said), 'hex');
  }

  return {
    async prepare(path, caller, origin, signal) {
      const manifests = parts.manifests();
      if (manifests === undefined) throw new ImageError('not-found', 'Folders have no data sets without manifests.');
      // English labels, since the data set is the same for all readers.
      const query = { path, pages: undefined, languages: ['en'] };
      const selection = await parts.selectPages(query, caller, signal);
      const manifest = await manifests.textOf(selection.path, caller, origin, signal);
      const texts = await textFingerprints(selection, caller, signal, parts);
      return {
        selection,
        key: keyOf(selection, manifest, texts),
        pages: selection.pages.length,
        work: () => (pictureSize === 0 ? selection.pages.length * pageMs : workOf(selection.pages, size, parts)),
        async *make(pagesFor, signal, onPage) {
          const [{ writeDataSet }, { entriesOf }] = await Promise.all([
            import('./write-data-set.ts'),
            import('./data-set-entries.ts'),
          ]);
          const base = `${origin}${contextPath}`;
          const options = { manifest, base, iiifSlash, pictureSize, ...pagesFor, signal, onPage };
          yield* writeDataSet(entriesOf(selection, options, parts));
        },
      };
    },
  };
}
