/** Runs `lectern index` with a progress bar; Ctrl-C ends it after the part that is being written. */
import { pino } from 'pino';
import { runIndexing } from '../../app/run-indexing.ts';
import { configurationOf } from '../common/command-configuration.ts';
import { type Progress, startProgress } from '../common/progress.ts';
import type { Flags } from '../common/settings-flags.ts';
import { bytesText, counted, durationText, messageOf, numberText } from '../common/text.ts';

/** Runs the command and returns its exit code: 1 if the index can't be written. */
export async function indexLibrary(folders: readonly string[], flags: Flags): Promise<number> {
  const { settings } = await configurationOf(folders, flags);
  if (!settings.search.enabled) {
    console.error('lectern: texts are not searched: the setting search.enabled is false');
    return 2;
  }
  const abort = new AbortController();
  process.once('SIGINT', () => abort.abort());
  const began = performance.now();
  let progress: Progress | undefined;
  let shown = 0;
  try {
    const result = await runIndexing(settings, pino({ level: settings.logLevel }, pino.destination(2)), {
      signal: abort.signal,
      onTotal: (total) => {
        if (total > 0) progress = startProgress(process.stderr, total);
      },
      onProgress: ({ images }) => {
        for (; shown < images; shown++) progress?.step();
      },
    });
    progress?.end();
    const seconds = durationText((performance.now() - began) / 1000);
    const changes = `${numberText(result.written)} written, ${numberText(result.removed)} removed, in ${seconds}`;
    console.log(`${counted(result.pages, 'page', 'pages')} in the index (${bytesText(result.bytes)}); ${changes}`);
    if (!abort.signal.aborted) return 0;
    console.error('lectern: stopped; started again, it goes on from here');
    return 1;
  } catch (error) {
    progress?.end();
    console.error(`lectern: ${messageOf(error)}`);
    return 1;
  }
}
