/** Logs events that can repeat thousands of times: the first of each kind at once, and its repeats as a count at intervals. */
import { LRUCache } from 'lru-cache';

interface RepeatLog<Event> {
  /** Events with the same key are of one kind. */
  report(key: string, event: Event): void;
  /** Logs the counts that were not logged yet, and stops. */
  close(): void;
}

interface RepeatLogOptions<Event> {
  readonly logFirst: (event: Event) => void;
  /** Called with the first event of its kind, and how often it was repeated since the last call. */
  readonly logRepeats: (first: Event, repeats: number) => void;
  /** Repeats are counted this long before the count is logged, in ms. */
  readonly intervalMs: number;
}

interface Repeated<Event> {
  readonly first: Event;
  count: number;
}

/** Maximum number of kinds whose repeats are counted; the one that repeats least recently gives way. */
const maxKinds = 1000;

export function createRepeatLog<Event>({
  logFirst,
  logRepeats,
  intervalMs,
}: RepeatLogOptions<Event>): RepeatLog<Event> {
  let timer: NodeJS.Timeout | undefined;
  const known = new LRUCache<string, Repeated<Event>>({ max: maxKinds, dispose: (repeated) => logCount(repeated) });

  function logCount({ first, count }: Repeated<Event>): void {
    if (count > 0) logRepeats(first, count);
  }

  /** An event that did not repeat in the whole interval is forgotten, and logged in full when it happens again. */
  function endInterval(): void {
    for (const [key, repeated] of [...known]) {
      if (repeated.count === 0) known.delete(key);
      else {
        logCount(repeated);
        repeated.count = 0;
      }
    }
    timer = undefined;
    if (known.size > 0) startInterval();
  }

  function startInterval(): void {
    timer = setTimeout(endInterval, intervalMs).unref();
  }

  return {
    report(key, event) {
      const repeated = known.get(key);
      if (repeated !== undefined) {
        repeated.count++;
        return;
      }
      known.set(key, { first: event, count: 0 });
      logFirst(event);
      if (timer === undefined) startInterval();
    },
    close() {
      clearTimeout(timer);
      known.clear();
    },
  };
}
