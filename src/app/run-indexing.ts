/** Brings the index of texts up to date once: for `lectern index`, and for the process that the server starts. */
import type { Logger } from 'pino';
import { createAdmission } from '../core/access/admit.ts';
import { anyone, openAccess } from '../core/access/policy.ts';
import {
  type IndexingOptions,
  type IndexingResult,
  indexedFolders,
  indexTexts,
} from '../features/search/indexing/index-texts.ts';
import { openSearchWriter } from '../features/search/search-setup.ts';
import { createPageTexts } from '../features/texts/page-texts.ts';
import { createTextLibrary, logTextFaults } from '../features/texts/text-library.ts';
import { openIndex, openLibrary } from './open-library.ts';
import { openStoragesOf } from './open-storages.ts';
import type { Settings } from './settings/settings.ts';

interface IndexingRun extends IndexingOptions {
  /** Called once with the number of image files, before any of their texts is read. */
  readonly onTotal?: (images: number) => void;
}

/**
 * Writes what is new or changed. All pages are indexed whoever may see them: each search asks what its caller may see.
 * Rejects with a sentence where the index can't be written.
 */
export async function runIndexing(settings: Settings, logger: Logger, run: IndexingRun): Promise<IndexingResult> {
  const { storages, catalogue } = await openStoragesOf(settings, logger);
  const index = openIndex(settings.index, logger);
  // Each text is read once, and no request waits for this process.
  const library = openLibrary(settings, logger, { storages, index, catalogue });
  const { engine, optimize } = openSearchWriter(settings);
  try {
    const admission = createAdmission(library, openAccess);
    const texts = createPageTexts(
      admission,
      createTextLibrary(library, {
        onFault: logTextFaults((facts, message) => logger.warn(facts, message)),
        cacheBytes: 0,
      }),
    );
    if (run.onTotal !== undefined) {
      let total = 0;
      for await (const folder of indexedFolders({ admission, caller: anyone }, run.signal)) {
        if (folder !== 'no-answer') total += folder.images.length;
      }
      run.onTotal(total);
    }
    const progress = await indexTexts({ admission, texts, engine, caller: anyone }, run);
    if (progress.written + progress.removed > 0) await optimize();
    const { pages, bytes } = await engine.state();
    return { ...progress, pages, bytes };
  } finally {
    await engine.close();
    await index?.close();
    await storages.close();
  }
}
