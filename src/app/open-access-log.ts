/** Opens the access log as the settings say: a file that is opened again at SIGHUP, or the standard output. */
import { type Logger, pino } from 'pino';
import type { AccessLog } from '../core/http/access-log.ts';
import type { Settings } from './settings/settings.ts';

interface OpenAccessLog extends AccessLog {
  /** Opens the file anew, after a rotation has moved it. */
  reopen(): void;
  close(): void;
}

/** Lines are collected up to this length in characters, and written at least at this interval in ms. */
const minLength = 8192;
const intervalMs = 1000;

/** What a disk does not take in time is left out of the log, from this length on, in characters. */
const maxLength = 8 * 2 ** 20;

/** Undefined where there is none. */
export function openAccessLog(
  { file: named, stdout, format }: Settings['accessLog'],
  logger: Logger,
): OpenAccessLog | undefined {
  if (named === undefined && !stdout) return undefined;
  const file = pino.destination({
    dest: named ?? 1,
    append: true,
    sync: false,
    minLength,
    maxLength,
    periodicFlush: intervalMs,
  });
  let isFailing = false;
  const warnOnce = (err: unknown): void => {
    if (!isFailing) logger.warn({ err }, 'the access log can’t be written');
    isFailing = true;
  };
  file.on('error', warnOnce);
  file.on('drop', () => warnOnce(new Error('lines are left out, since it is written too slowly')));
  file.on('ready', () => {
    isFailing = false;
  });
  return {
    format,
    write: (line) => void file.write(line),
    reopen: () => {
      if (named !== undefined) file.reopen();
    },
    close: () => file.end(),
  };
}
