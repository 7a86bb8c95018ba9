/** Records what callers saw: under pseudonyms, and the pictures of one image once in a while. */
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { createRepeatLog } from '../../core/http/failure-log.ts';
import type { AuditEntry } from './audit-entries.ts';
import type { Audit } from './audit-settings.ts';
import { DailyFiles } from './daily-files.ts';
import { Pseudonyms } from './pseudonyms.ts';

/** Images that somebody looks at, of which the pictures are not recorded again for a while. */
const maxKnown = 20_000;

/** Old files and keys are looked for at these intervals, in ms. */
const sweepMs = 3_600_000;

const repeatsMs = 300_000;

export interface Recorder {
  readonly counts: DailyFiles['counts'];
  /** Never waits and never throws. */
  record(entry: AuditEntry): void;
  start(): void;
  /** Deletes old files, and the key of a period that is over. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export function openRecorder({ folder, record, pictureMinutes, days, pseudonyms }: Audit, logger: Logger): Recorder {
  const faults = createRepeatLog<{ readonly message: string; readonly err: unknown }>({
    logFirst: ({ message, err }) => logger.error({ err }, message),
    logRepeats: ({ message }, repeats) => logger.error({ repeats }, `again: ${message}`),
    intervalMs: repeatsMs,
  });
  const onFault = (message: string, err: unknown): void => faults.report(message, { message, err });
  const files = new DailyFiles({ folder, days, onFault });
  const names = new Pseudonyms(pseudonyms, folder, onFault);
  const recent = new LRUCache<string, number>({ max: maxKnown });
  const kinds = new Set(record);
  /** Lines follow each other as their answers do. */
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  let overflowed = 0;
  let timer: NodeJS.Timeout | undefined;

  function isRepeated({ what, path, page, address, client, name, links, atMs }: AuditEntry): boolean {
    if (what !== 'pictures') return false;
    const key = JSON.stringify([path ?? address, page, client, name, links]);
    const beforeMs = recent.get(key);
    if (beforeMs !== undefined && atMs >= beforeMs && atMs < beforeMs + pictureMinutes * 60_000) return true;
    recent.set(key, atMs);
    return false;
  }

  async function write({ atMs, client, name, roles, links, ...seen }: AuditEntry): Promise<void> {
    const line = {
      time: new Date(atMs).toISOString(),
      ...seen,
      client: await names.of('address', client, atMs),
      ...(name !== undefined && { name: await names.of('name', name, atMs) }),
      ...(roles.length > 0 && { roles }),
      ...(links.length > 0 && { links }),
    };
    files.add(`${JSON.stringify(line)}\n`, atMs);
  }

  const sweep = async (): Promise<void> => {
    const nowMs = Date.now();
    await files.sweep(nowMs);
    await names.forget(nowMs);
  };

  return {
    get counts() {
      const { written, lost } = files.counts;
      return { written, lost: lost + overflowed };
    },
    record(entry) {
      if (!kinds.has(entry.what) || isRepeated(entry)) return;
      // A disk that hangs keeps the key of a new period from being read.
      if (waiting === maxKnown) {
        overflowed++;
        return;
      }
      waiting++;
      last = last
        .then(() => write(entry))
        .catch((error: unknown) => onFault('the audit can’t be written, and loses lines', error))
        .finally(() => waiting--);
    },
    start() {
      void sweep();
      timer = setInterval(() => void sweep(), sweepMs).unref();
    },
    sweep,
    async close() {
      clearInterval(timer);
      await last;
      await files.close();
      faults.close();
    },
  };
}
