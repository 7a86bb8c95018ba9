/** Reads that go on behind the answers of requests that could not wait for them. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LongReads, type Reading } from '../../../../src/core/access/long-reads.ts';
import { ImageError } from '../../../../src/core/image/model/errors.ts';
import { storeLate, withStoreTime } from '../../../../src/core/storage/store-time.ts';

const { signal } = new AbortController();

/** Runs it for a request to a server with object stores. */
const asRequest = <T>(run: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    withStoreTime(
      () => void run().then(resolve, reject),
      () => false,
    );
  });

/** What is read stays known, as what was read of files does. */
function longWork(pages: number, stepMs: number) {
  let known = 0;
  let begun = 0;
  const work = async (reading: Reading): Promise<number> => {
    begun += 1;
    reading.begin('pages', pages);
    for (let page = 0; page < pages; page++) {
      if (page >= known) await pause(stepMs);
      known = Math.max(known, page + 1);
      reading.step();
    }
    return known;
  };
  return { work, known: () => known, begun: () => begun };
}

const codeOf = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => 'ready',
    (error: unknown) => (error instanceof ImageError ? error.code : error),
  );

describe('a read that takes longer than a request has', () => {
  it('tells how far it is, goes on, and is there for a later request', async () => {
    const reads = new LongReads({ deadlineMs: 60 });
    const { work, begun } = longWork(1250, 1);
    const ask = () => asRequest(() => reads.run('book', signal, work));
    const error = await ask().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'being-read' });
    const { message, retryAfterS } = error as ImageError;
    expect(message).toMatch(/^\d+ of 1,250 pages have been read; ask again in \d+ s\.$/);
    expect(retryAfterS).toBeGreaterThan(0);
    for (let answer = ''; answer !== 'ready'; ) {
      answer = String(await codeOf(ask()));
      expect(['being-read', 'ready']).toContain(answer);
    }
    // The first one has read all of it, and the last one what is known.
    expect(begun()).toBeLessThanOrEqual(2);
  });

  it('is awaited as long as it takes where there are disks alone', async () => {
    const reads = new LongReads({ deadlineMs: 20 });
    const { work } = longWork(100, 1);
    expect(await reads.run('book', signal, work)).toBe(100);
  });

  it('is made once for all who ask at the same time', async () => {
    const reads = new LongReads({ deadlineMs: 10_000 });
    let steps = 0;
    const { work } = longWork(50, 1);
    const counted = async (reading: Reading) => {
      const before = steps;
      const step = (): void => {
        steps += 1;
      };
      const known = await work({ begin: (...part) => reading.begin(...part), step });
      return [known, steps - before];
    };
    const answers = await Promise.all(Array.from({ length: 5 }, () => reads.run('book', signal, counted)));
    // No two of them at once.
    expect(answers).toEqual(Array.from({ length: 5 }, () => [50, 50]));
  });

  it('ends when nobody has asked for some time', async () => {
    const reads = new LongReads({ deadlineMs: 30, idleMs: 60 });
    const { work, known } = longWork(100_000, 1);
    expect(await codeOf(asRequest(() => reads.run('book', signal, work)))).toBe('being-read');
    await pause(400);
    const stopped = known();
    await pause(100);
    expect(known()).toBe(stopped);
  });

  it('ends when its client has gone, and not for others who wait', async () => {
    const reads = new LongReads({ deadlineMs: 10_000 });
    const client = new AbortController();
    const { work, known } = longWork(400, 1);
    const first = codeOf(reads.run('book', client.signal, work));
    const second = codeOf(reads.run('book', signal, work));
    await pause(30);
    client.abort();
    expect(await first).toBe('abandoned');
    expect(await second).toBe('ready');
    expect(known()).toBe(400);
    const alone = longWork(100_000, 1);
    const gone = new AbortController();
    const third = codeOf(reads.run('other', gone.signal, alone.work));
    await pause(30);
    gone.abort();
    expect(await third).toBe('abandoned');
    await pause(50);
    const stopped = alone.known();
    await pause(100);
    expect(alone.known()).toBe(stopped);
  });

  it('goes on after failures of the store as long as it gets further', async () => {
    const reads = new LongReads({ deadlineMs: 60_000 });
    let known = 0;
    const failing = async (reading: Reading): Promise<number> => {
      reading.begin('pages', 3);
      for (let page = 0; page < 3; page++) {
        reading.step();
        if (page < known) continue;
        known = page + 1;
        throw storeLate();
      }
      return known;
    };
    expect(await reads.run('book', signal, failing)).toBe(3);
    let begun = 0;
    const dead = async (): Promise<number> => {
      begun += 1;
      throw storeLate();
    };
    expect(await codeOf(reads.run('book', signal, dead))).toBe('store-late');
    expect(begun).toBe(1);
    const dying = async (reading: Reading): Promise<number> => {
      begun += 1;
      reading.begin('pages', 3);
      reading.step();
      throw storeLate();
    };
    expect(await codeOf(reads.run('book', signal, dying))).toBe('store-late');
    expect(begun).toBe(1 + 4);
  });

  it('is one of a few that nobody waits for', async () => {
    const reads = new LongReads({ deadlineMs: 30 });
    const works = Array.from({ length: 7 }, () => longWork(100_000, 1));
    const codes = works.map(({ work }, index) => codeOf(asRequest(() => reads.run(`book ${index}`, signal, work))));
    expect(new Set(await Promise.all(codes))).toEqual(new Set(['being-read']));
    await pause(100);
    const before = works.map(({ known }) => known());
    await pause(200);
    expect(works.filter(({ known }, index) => known() > (before[index] ?? 0))).toHaveLength(4);
  });
});
