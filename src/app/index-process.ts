/** The program of the process that brings the index of texts up to date beside the server, at low priority. */
import { pino } from 'pino';
import type { IndexingReport } from '../features/search/indexing/index-texts.ts';
import { runIndexing } from './run-indexing.ts';
import type { Settings } from './settings/settings.ts';

const abort = new AbortController();
const tell = (report: IndexingReport): void => void process.send?.(report);

// Ctrl-C reaches all processes of a terminal; the server ends this one.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(1));
process.on('SIGTERM', () => abort.abort());

process.once('message', (settings: Settings) => {
  const logger = pino({ level: settings.logLevel });
  runIndexing(settings, logger, {
    signal: abort.signal,
    onProgress: (progress) => tell({ kind: 'progress', progress }),
  })
    .then((result) => tell({ kind: 'done', result }))
    .catch((error: unknown) => tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }))
    .finally(() => process.disconnect());
});
